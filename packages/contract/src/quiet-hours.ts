/** The hours of the Manila day between which a customer's marketing waits. */
import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';

/** From one hour of the evening to another of the next morning: by law 21 to 7; a customer may make it longer. */
export const quietHours = z.object({
  from: z.number().int().min(8).max(21),
  to: z.number().int().min(7).max(20),
});
export type QuietHours = z.output<typeof quietHours>;

const answer = quietHours.extend({
  /** By the staff: marketing is sent at any hour. */
  isExempt: z.boolean(),
});

export const quietHoursRoutes = {
  'GET /quiet-hours': route({
    summary: 'When my marketing waits',
    access: 'session',
    response: answer,
    errors: ['FORBIDDEN'],
  }),
  'PATCH /quiet-hours': route({
    summary: 'Make the quiet hours longer, or as the law has them',
    access: [Role.Owner],
    body: z.strictObject(quietHours.shape),
    response: answer,
    errors: ['FORBIDDEN'],
  }),
};
