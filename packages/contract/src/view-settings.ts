import { z } from 'zod';
import { columnWidths } from './list-values.ts';
import { route } from './route.ts';

const list = z.string().regex(/^[a-z][A-Za-z-]{1,30}$/);

const column = z.string().regex(/^[A-Za-z]{1,40}$/);

const viewSetting = z.object({
  list,
  density: z.enum(['comfortable', 'compact']),
  /** Columns switched from what they are by default. */
  switched: z.array(column).max(40),
  /** Widths that differ from what fits the content, in pixels by column. */
  widths: z
    .record(column, z.number().int().min(columnWidths.min).max(columnWidths.max))
    .refine((widths) => Object.keys(widths).length <= 40)
    .default({}),
});
export type ViewSetting = z.output<typeof viewSetting>;

export const viewSettingRoutes = {
  'GET /view-settings': route({
    summary: 'How I have my lists: density, columns and their widths',
    access: 'session',
    response: z.object({ items: z.array(viewSetting) }),
  }),
  'PUT /view-settings/:list': route({
    summary: 'Remember how I have a list',
    access: 'session',
    params: z.object({ list }),
    body: z.strictObject(viewSetting.omit({ list: true }).shape),
    response: viewSetting,
  }),
};
