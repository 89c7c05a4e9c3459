/** Callbacks: events are sent to the customer's own address, signed according to Standard Webhooks. */
import { z } from 'zod';
import {
  callbackErrors,
  callbackStates,
  callbackTypes,
  chosenCallbackTypes,
  disabledReasons,
  endpointKinds,
  endpointStates,
} from './callbacks-values.ts';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { appId, clientStatus, count, instant, listOf, messageId, ofCustomer, page, testMode, uuid } from './shapes.ts';

const callbackSecret = z.object({
  secretId: uuid,
  /** Last four characters. */
  hint: z.string(),
  createTime: instant,
  /** When a replaced secret stops signing; null for the current one. */
  expireTime: instant.nullable(),
});

/** One try. */
const callbackAttempt = z.object({
  time: instant,
  /** HTTP status; null if there was no response. */
  status: z.number().int().nullable(),
  /** From the request to the last octet that was read. */
  ms: count,
  /** Null: delivered. */
  error: z.enum(callbackErrors).nullable(),
  /** The beginning of the response, at most 1,024 characters; phone numbers are masked for viewers and staff. */
  response: z.string().nullable(),
});
export type CallbackAttempt = z.output<typeof callbackAttempt>;

export const callbackEndpoint = z.object({
  endpointId: uuid,
  kind: z.enum(endpointKinds),
  /** Of kind `application`. */
  appId: appId.nullable(),
  appName: z.string().nullable(),
  url: z.string(),
  state: z.enum(endpointStates),
  /** When it last answered a test with its challenge. */
  verifyTime: instant.nullable(),
  /** Since when no try has succeeded. */
  failingSince: instant.nullable(),
  /** When its waiting events are retried; null if none is waiting. */
  nextTryTime: instant.nullable(),
  disableTime: instant.nullable(),
  disabledReason: z.enum(disabledReasons).nullable(),
  /** Events that wait for it. */
  waiting: count,
  /** Events are sent in arrays of up to 500, each at most a second after it happened; otherwise one to a request. */
  batched: z.boolean(),
  /** Types of events that it receives, in addition to tests. */
  events: z.array(z.enum(chosenCallbackTypes)),
  lastAttempt: callbackAttempt.nullable(),
  secrets: z.array(callbackSecret),
});
export type CallbackEndpoint = z.output<typeof callbackEndpoint>;

const callbackTest = z.object({
  eventId: uuid,
  /** 2xx, with the challenge in the response. */
  passed: z.boolean(),
  attempt: callbackAttempt,
  /** As it is after it: what passes a test is enabled. */
  endpoint: callbackEndpoint,
});
export type CallbackTest = z.output<typeof callbackTest>;

const callback = z.object({
  /** `webhook-id` is `msg_` and this without its hyphens. */
  eventId: uuid,
  time: instant,
  type: z.enum(callbackTypes),
  state: z.enum(callbackStates),
  endpointId: uuid,
  kind: z.enum(endpointKinds),
  appId: appId.nullable(),
  appName: z.string().nullable(),
  url: z.string(),
  /** Of `message.status`. */
  messageId: messageId.nullable(),
  clientStatus: clientStatus.nullable(),
  /** Of `alert`. */
  thresholdId: uuid.nullable(),
  /** The task, template or sender ID of an event of one. */
  subjectId: uuid.nullable(),
  attempts: count,
  lastTime: instant.nullable(),
  lastStatus: z.number().int().nullable(),
  lastError: z.enum(callbackErrors).nullable(),
  /** Of one that waits for an enabled endpoint. */
  nextTryTime: instant.nullable(),
  deliverTime: instant.nullable(),
});
export type Callback = z.output<typeof callback>;

const callbackDetail = callback.extend({
  /** The body as it is sent; phone numbers are masked for viewers and staff. */
  body: z.string(),
  /** Newest first, at most 50. */
  tries: z.array(callbackAttempt),
});
export type CallbackDetail = z.output<typeof callbackDetail>;

/** The callbacks of a message, for its history. */
export const callbackEventShape = callback.pick({
  eventId: true,
  time: true,
  state: true,
  clientStatus: true,
  attempts: true,
  lastTime: true,
  lastStatus: true,
  lastError: true,
  nextTryTime: true,
  deliverTime: true,
});
export type CallbackEvent = z.output<typeof callbackEventShape>;

const all = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const owner = [Role.Owner] as const;
const params = z.strictObject({ endpointId: uuid });
const eventParams = z.strictObject({ eventId: uuid });
const inTestMode = z.strictObject(testMode);

export const callbackRoutes = {
  'GET /callback-endpoints': route({
    summary: 'Addresses that are notified: one for each application that has one, and those of thresholds',
    access: all,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-endpointId', 'endpointId']).default('-endpointId'),
      ...ofCustomer,
      kind: z.enum(endpointKinds).optional(),
      appId: appId.optional(),
    }),
    response: listOf(callbackEndpoint),
    errors: ['CURSOR_INVALID'],
  }),
  'GET /callback-endpoints/:endpointId': route({
    summary: 'One address, how it stands and its last try',
    access: all,
    params,
    response: callbackEndpoint,
  }),
  'PATCH /callback-endpoints/:endpointId': route({
    summary: 'Edit how an address is notified',
    access: owner,
    params,
    body: z
      .strictObject({
        batched: z.boolean(),
        /** Of kind `application` only: an address of thresholds receives their alerts. */
        events: z.array(z.enum(chosenCallbackTypes)).min(1).max(chosenCallbackTypes.length),
      })
      .partial(),
    response: callbackEndpoint,
  }),
  'POST /callback-endpoints/:endpointId/test': route({
    summary: 'Send a test and wait for its answer; one that bears the challenge enables the endpoint',
    access: owner,
    params,
    response: callbackTest,
    errors: ['RATE_LIMITED'],
  }),
  'POST /callback-endpoints/:endpointId/secret': route({
    summary: 'Make a new signing secret; until the one before ends, after 24 hours, both sign',
    access: owner,
    params,
    status: 201,
    body: z.strictObject({
      currentPassword: z.string().min(1).max(200),
      /** The current secret ends immediately. */
      endPrevious: z.boolean().default(false),
    }),
    response: z.object({ secret: z.string(), previousExpireTime: instant.nullable() }),
    errors: ['REAUTHENTICATE'],
  }),
  'POST /callback-endpoints/:endpointId/replay': route({
    summary: 'Send again what happened since a time, in its order',
    access: owner,
    params,
    body: z.strictObject({
      from: instant,
      /** `all`: includes delivered events. */
      which: z.enum(['undelivered', 'all']).default('undelivered'),
    }),
    response: z.object({ count }),
    errors: ['CALLBACK_NOT_ENABLED'],
  }),
  'GET /callbacks': route({
    summary: 'Events that were delivered or are waiting, newest first',
    access: all,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-time', 'time']).default('-time'),
      ...ofCustomer,
      ...testMode,
      endpointId: uuid.optional(),
      appId: appId.optional(),
      type: z.enum(callbackTypes).optional(),
      state: z.enum(callbackStates).optional(),
      messageId: messageId.optional(),
      from: instant.optional(),
      to: instant.optional(),
    }),
    response: listOf(callback),
    errors: ['CURSOR_INVALID'],
  }),
  'GET /callbacks/:eventId': route({
    summary: 'One event with its body and its tries',
    access: all,
    params: eventParams,
    query: inTestMode,
    response: callbackDetail,
  }),
  'POST /callbacks/:eventId/retry': route({
    summary: 'Send an event again now, delivered or not',
    access: owner,
    params: eventParams,
    query: inTestMode,
    response: callback,
    errors: ['CALLBACK_NOT_ENABLED'],
  }),
};
