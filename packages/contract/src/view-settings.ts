import { z } from 'zod';
import { route } from './route.ts';

const list = z.string().regex(/^[a-z][A-Za-z-]{1,30}$/);

const viewSetting = z.object({
  list,
  density: z.enum(['comfortable', 'compact']),
  /** Columns switched from what they are by default. */
  switched: z.array(z.string().regex(/^[A-Za-z]{1,40}$/)).max(40),
});
export type ViewSetting = z.output<typeof viewSetting>;

export const viewSettingRoutes = {
  'GET /view-settings': route({
    summary: 'How I have my lists: density and columns',
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
