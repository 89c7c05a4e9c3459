/** Usage of applications and templates, and their refused requests. */
import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { appId, count, instant, money } from './shapes.ts';

const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;

/** What tasks and software sent with a template in the last 90 days. */
export const templateUsage = z.object({
  taskCount: count,
  /** Accepted by carriers; the next three report their delivery outcomes. */
  acceptedCount: count,
  deliveredCount: count,
  undeliveredCount: count,
  unknownCount: count,
  /** When it was sent with last, by either. */
  lastTime: instant.nullable(),
});
export type TemplateUsage = z.output<typeof templateUsage>;

const applicationUsage = z.object({
  /** Days that all of it is about. */
  days: count,
  requestCount: count,
  acceptedCount: count,
  refusedCount: count,
  /** Handed over to no carrier: blocked or terminated. */
  blockedCount: count,
  deliveredCount: count,
  undeliveredCount: count,
  unknownCount: count,
  segments: count,
  charged: money,
  /** When it last sent, to the minute. */
  lastTime: instant.nullable(),
  /** Requests refused by the API, by the catalogue's codes, latest first. */
  refusals: z.array(
    z.object({
      code: z.string(),
      count,
      lastTime: instant,
      /** Source address of the last of them. */
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
