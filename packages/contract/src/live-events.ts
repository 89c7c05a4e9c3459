/** Events of callbacks as they happen, on a stream: also without a callback URL. */
import { z } from 'zod';
import { liveEventTypes } from './callbacks-values.ts';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { instant, ofCustomer } from './shapes.ts';

const liveEvent = z.object({
  /** As `webhook-id` of callbacks; without it this is the body of one. */
  id: z.string(),
  type: z.enum(liveEventTypes).describe('events.skipped: `data.count` events of messages were left out.'),
  timestamp: instant,
  /** Of what was sent with a test key. */
  test: z.literal(true).optional(),
  data: z.record(z.string(), z.unknown()),
});
export type LiveEvent = z.output<typeof liveEvent>;

export const liveEventRoutes = {
  'GET /events': route({
    summary:
      'Events as they happen; a key receives the types of its scopes, a test key those of test mode alone. Of messages at most 200 a second',
    access: [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin],
    byCustomer: true,
    answer: 'events',
    query: z.strictObject({
      ...ofCustomer,
      /** The `id:` of the last event that was received, at most an hour old, for clients that can not send `Last-Event-ID`. */
      after: z.string().max(60).optional(),
    }),
    response: liveEvent,
    errors: ['CURSOR_INVALID'],
  }),
};
