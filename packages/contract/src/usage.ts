/** How applications and templates are used, and what was refused them. */
import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { appId, count, instant, money } from './shapes.ts';

const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;

/** What tasks and software sent with a template in the last 90 days. */
export const templateUsage = z.object({
  taskCount: count,
  /** Taken by carriers; the three that follow say what became of these on the phones. */
  acceptedCount: count,
  deliveredCount: count,
  undeliveredCount: count,
  unknownCount: count,
  /** When it was sent with last, by either. */
  lastTime: instant.nullable(),
});
export type TemplateUsage = z.output<typeof templateUsage>;

export const applicationUsage = z.object({
  /** Days that all of it is about. */
  days: count,
  requestCount: count,
  acceptedCount: count,
  refusedCount: count,
  deliveredCount: count,
  undeliveredCount: count,
  unknownCount: count,
  segments: count,
  charged: money,
  /** When it last sent, to the minute. */
  lastTime: instant.nullable(),
  /** Requests that were refused at the door, by the catalogue's codes, the latest first. */
  refusals: z.array(
    z.object({
      code: z.string(),
      count,
      lastTime: instant,
      /** Where the last of them came from. */
      lastIp: z.string(),
    }),
  ),
  /** Messages that were taken in and then failed, by result, out of the newest 50,000 of the customer. */
  failures: z.array(z.object({ dealResult: z.string(), count, lastTime: instant })),
  /** Whether messages reach the carriers now. */
  carriers: z.array(z.object({ carrier: z.string(), isConnected: z.boolean() })),
});
export type ApplicationUsage = z.output<typeof applicationUsage>;

export const usageRoutes = {
  'GET /applications/:appId/usage': route({
    summary: 'What an application sent in the last seven days, and what was refused it',
    access: readers,
    params: z.object({ appId }),
    response: applicationUsage,
  }),
};
