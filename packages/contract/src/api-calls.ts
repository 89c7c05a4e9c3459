/** Log of the calls that customers' software made, for its developers. */
import { z } from 'zod';
import { statusClasses } from './api-calls-values.ts';
import { Role } from './enums.ts';
import { keyModes } from './keys-values.ts';
import { route } from './route.ts';
import { appId, count, instant, listOf, ofCustomer, page, uuid } from './shapes.ts';

const apiCall = z.object({
  callId: uuid,
  /** When it was answered. */
  time: instant,
  /** `X-Request-Id` of the response: the caller's own, or one of ours. */
  requestId: z.string(),
  method: z.string(),
  /** Without the query; numbers of phones are masked. */
  path: z.string(),
  /** HTTP status of the response. */
  status: z.number().int(),
  /** Code of the error; null if there was none. */
  errorCode: z.string().nullable(),
  /** From the first octet of the request to the last of the response. */
  durationMs: count,
  appId,
  /** Null: the application was removed. */
  appName: z.string().nullable(),
  /** Null: the password of the application. */
  keyId: uuid.nullable(),
  keyName: z.string().nullable(),
  /** How the text of the key begins. */
  prefix: z.string().nullable(),
  mode: z.enum(keyModes),
  ip: z.string(),
});
export type ApiCall = z.output<typeof apiCall>;

const apiCallDetail = apiCall.extend({
  /** At most 8,192 characters, phone numbers and codes masked; null: not recorded. */
  requestBody: z.string().nullable(),
  responseBody: z.string().nullable(),
});
export type ApiCallDetail = z.output<typeof apiCallDetail>;

const callLog = z.object({
  /** Bodies of calls are recorded. */
  bodies: z.boolean(),
  /** Calls of the last seven days that were not recorded, because too many came at a time. */
  dropped: count,
});

const all = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;

export const apiCallRoutes = {
  'GET /calls': route({
    summary: 'Calls of software in the last seven days, the newest first; staff read one customer at a time',
    access: all,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-time', 'time']).default('-time'),
      ...ofCustomer,
      keyId: uuid.optional(),
      /** The first digit of the status. */
      status: z.enum(statusClasses).optional(),
      /** Of one operation (`/messages/{messageId}`) or of one object (`/messages/123`), with or without `/api/v1`. */
      path: z.string().trim().min(1).max(200).optional(),
      requestId: z.string().trim().min(1).max(64).optional(),
      from: instant.optional(),
      to: instant.optional(),
    }),
    response: listOf(apiCall),
    errors: ['CURSOR_INVALID'],
  }),
  'GET /calls/:callId': route({
    summary: 'One call with its bodies, if they are recorded',
    access: all,
    byCustomer: true,
    params: z.strictObject({ callId: uuid }),
    query: z.strictObject(ofCustomer),
    response: apiCallDetail,
  }),
  'GET /call-log': route({
    summary: 'Whether bodies of calls are recorded, and how many calls were not recorded',
    access: all,
    byCustomer: true,
    query: z.strictObject(ofCustomer),
    response: callLog,
  }),
  'PATCH /call-log': route({
    summary: 'Record bodies of calls from now on, or no longer',
    access: [Role.Owner],
    body: z.strictObject({ bodies: z.boolean() }),
    response: callLog,
  }),
};
