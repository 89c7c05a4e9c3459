/** What carriers sent and the database could not store, for staff. */
import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { instant, listOf, messageId, numeric, page, uuid, yesNo } from './shapes.ts';

export const SetAsideKind = { result: 'result', receipt: 'receipt', text: 'text' } as const;
export type SetAsideKind = (typeof SetAsideKind)[keyof typeof SetAsideKind];

const setAsideEvent = z.object({
  eventId: uuid,
  time: instant,
  kind: z.enum(SetAsideKind),
  supplierId: uuid,
  supplierAccount: z.string(),
  /** SQLSTATE of the refusal. */
  errorCode: z.string(),
  /** Of a result: the message that stays in doubt. Null for others, and where it is no longer kept. */
  message: z
    .object({
      messageId,
      customerId: uuid,
      operator: z.string(),
      taskId: uuid.nullable(),
      taskName: z.string().nullable(),
    })
    .nullable(),
  /** The event as JSON, its beginning where it is long; phones masked. */
  content: z.string(),
  /** Of a text that refuses messages: `applied` if its number is on the list of opt-outs, else `unowned`. */
  optOut: z.enum(['applied', 'unowned']).nullable(),
  handledTime: instant.nullable(),
  /** Name of the member of staff. */
  handledBy: z.string().nullable(),
});
export type SetAsideEventView = z.output<typeof setAsideEvent>;

const staff = [Role.Operator, Role.Admin] as const;

export const setAsideRoutes = {
  'GET /set-aside-events': route({
    summary: 'Events of carriers that the database could not store, newest first',
    access: staff,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-time', 'time']).default('-time'),
      kind: z.enum(SetAsideKind).optional(),
      supplierId: uuid.optional(),
      handled: numeric(yesNo).optional(),
    }),
    response: listOf(setAsideEvent),
    errors: ['CURSOR_INVALID'],
  }),
  'POST /set-aside-events/:eventId/handle': route({
    summary: 'Mark an event as handled; it no longer counts for the alert',
    access: staff,
    params: z.strictObject({ eventId: uuid }),
    answer: 'empty',
    status: 204,
    errors: ['CONFLICT'],
  }),
};
