import { z } from 'zod';
import { callbackEndpoint } from './callbacks.ts';
import { AccessType, ChargeType, DoubtPolicy, Role, validForDefaults, validForLimits } from './enums.ts';
import { route } from './route.ts';
import {
  appId,
  count,
  instant,
  listOf,
  name,
  ofCustomer,
  page,
  smsType,
  text,
  useState,
  uuid,
  version,
} from './shapes.ts';
import { bindTest } from './suppliers.ts';

const accessType = z.union(Object.values(AccessType).map((value) => z.literal(value)));

const seconds = (longest: number | null) =>
  z
    .number()
    .int()
    .min(validForLimits.shortest)
    .max(longest ?? validForLimits.longest)
    .nullable();

/** Each can be shortened only. */
const validFor = z.strictObject({
  verification: seconds(validForDefaults.verification),
  notification: seconds(validForDefaults.notification),
  marketing: seconds(validForDefaults.marketing),
});

const application = z.object({
  appId,
  appName: z.string(),
  remarkInfo: z.string(),
  useState,
  createTime: instant,
  chargeType: z.enum(ChargeType),
  accessType,
  /** SMPP system_id, at most 15 characters. */
  account: z.string(),
  maxConnectNum: count,
  /** submit_sm per second, so segments. */
  tps: count,
  whiteListIp: z.array(z.string()),
  /** That it may send to, ISO 3166 alpha-2; staff open them. */
  countries: z.array(z.string()),
  callbackUrl: z.string().nullable(),
  /** What to do with messages whose outcome is unknown after a crash; by send type. */
  doubtPolicy: z.object({
    verification: z.enum(DoubtPolicy),
    notification: z.enum(DoubtPolicy),
    marketing: z.enum(DoubtPolicy),
  }),
  /** Seconds after which a message is not sent any more; by send type. Null: the default. */
  validFor,
  /** Send types by service_type of SMPP (SMPP 3.4 §5.2.11); others are notifications. */
  serviceTypes: z.record(z.string(), smsType),
  /** Over SMPP a message with the user_message_reference, number and text of one of the last 24 hours is not sent again. */
  smppDeduplication: z.boolean(),
  version,
});
export type Application = z.output<typeof application>;

/** One live secret of an application: never its text, which is shown once at creation. */
export const applicationSecret = z.object({
  secretId: uuid,
  /** Last four characters, to distinguish secrets. */
  hint: z.string(),
  createTime: instant,
  lastUsedTime: instant.nullable(),
  /** When a rotated secret stops working; null for the current one. */
  expireTime: instant.nullable(),
});

/** One live SMPP connection of customers' software. */
export const softwareBind = z.object({
  bindId: uuid,
  bindType: z.enum(['transmitter', 'receiver', 'transceiver']),
  clientIp: z.string(),
  clientPort: z.number().int(),
  isTls: z.boolean(),
  since: instant,
  /** Requests that have no response yet, and requests per second, as of a few seconds ago. */
  windowUsed: count,
  submitRate: count,
  /** The last command_status other than ESME_ROK; null: none yet. */
  lastError: z.string().nullable(),
  lastErrorTime: instant.nullable(),
});
export type SoftwareBind = z.output<typeof softwareBind>;

const bindRefusal = z.enum(['password', 'address', 'noAddresses', 'disabled', 'noAccess', 'connections', 'tooOften']);

const applicationDetail = application.extend({
  secrets: z.array(applicationSecret),
  smpp: z.object({
    host: z.string(),
    port: z.number().int(),
    /** Null: there is no SMPP over TLS. */
    tlsPort: z.number().int().nullable(),
    systemId: z.string(),
    bindTypes: z.array(z.enum(['transmitter', 'receiver', 'transceiver'])),
    passwordSet: z.boolean(),
    /** Live SMPP passwords; their hint is empty: they are too short to show any part. */
    passwords: z.array(applicationSecret),
  }),
  /** Null: it has no callback URL. */
  callback: callbackEndpoint.nullable(),
  /** Live SMPP connections of the customer's software. */
  binds: z.array(softwareBind),
  /** Binds that were refused in the last 30 days, each reason and address once. */
  refusedBinds: z.array(z.object({ reason: bindRefusal, clientIp: z.string(), count, lastTime: instant })),
});
export type ApplicationDetail = z.output<typeof applicationDetail>;

const fields = {
  appName: name(50),
  remarkInfo: text(200).min(1),
  accessType,
  whiteListIp: z.array(z.string().trim().min(1).max(49)).max(50),
  callbackUrl: z.union([z.url({ protocol: /^https?$/ }).max(2048), z.null()]),
  maxConnectNum: z.number().int().min(1).max(20),
};
const params = z.object({ appId });
/** `endPrevious`: the current secret ends immediately, not after 24 hours. */
const rotation = z.strictObject({
  currentPassword: z.string().min(1).max(200),
  endPrevious: z.boolean().default(false),
});
const all = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const owner = [Role.Owner] as const;

export const applicationRoutes = {
  'GET /applications': route({
    summary: 'Applications',
    access: all,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      ...ofCustomer,
      search: z.string().trim().max(100).optional(),
      useState: z.enum(['0', '1']).optional(),
      sort: z.enum(['-createTime', 'createTime', 'appName']).default('-createTime'),
    }),
    response: listOf(application),
  }),
  'POST /applications': route({
    summary: 'Add an application; its secrets are in this answer and never again',
    access: owner,
    status: 201,
    body: z.strictObject({
      appName: fields.appName,
      remarkInfo: fields.remarkInfo,
      accessType: fields.accessType.default(AccessType.Both),
      whiteListIp: fields.whiteListIp.default([]),
      callbackUrl: fields.callbackUrl.default(null),
      maxConnectNum: fields.maxConnectNum.default(2),
    }),
    /** `callbackSecret` if it has a callback URL. */
    response: application.extend({
      appSecret: z.string(),
      smppPassword: z.string(),
      callbackSecret: z.string().nullable(),
    }),
    errors: ['APP_NAME_TAKEN', 'ALLOWED_IP_INVALID', 'CALLBACK_URL_INVALID'],
  }),
  'GET /applications/:appId': route({
    summary: 'One application with its SMPP parameters',
    access: all,
    params,
    response: applicationDetail,
  }),
  'PATCH /applications/:appId': route({
    summary: 'Edit an application',
    access: owner,
    params,
    body: z
      .strictObject({
        ...fields,
        doubtPolicy: z.strictObject({
          verification: z.enum(DoubtPolicy),
          notification: z.enum(DoubtPolicy),
          marketing: z.enum(DoubtPolicy),
        }),
        validFor,
        serviceTypes: z.record(z.string().regex(/^[\x21-\x7e]{1,5}$/), smsType),
        smppDeduplication: z.boolean(),
        version,
      })
      .partial(),
    /** `callbackSecret` if it has a callback URL for the first time: returned only in this response. */
    response: application.extend({ callbackSecret: z.string().nullable() }),
    errors: ['APP_NAME_TAKEN', 'ALLOWED_IP_INVALID', 'CALLBACK_URL_INVALID', 'VERSION_CONFLICT'],
  }),
  'POST /applications/:appId/enable': route({
    summary: 'Enable an application',
    access: owner,
    params,
    response: application,
  }),
  'POST /applications/:appId/disable': route({
    summary: 'Disable an application: nothing more is sent for it',
    access: owner,
    params,
    response: application,
  }),
  'POST /applications/:appId/secret': route({
    summary: 'Make a new application password; the one before goes on working for 24 hours',
    access: owner,
    params,
    status: 201,
    body: rotation,
    response: z.object({ appSecret: z.string(), previousExpireTime: instant.nullable() }),
    errors: ['REAUTHENTICATE'],
  }),
  'POST /applications/:appId/smpp-password': route({
    summary: 'Make a new SMPP password, at most 8 characters; the one before goes on working for 24 hours',
    access: owner,
    params,
    status: 201,
    body: rotation,
    response: z.object({ smppPassword: z.string(), previousExpireTime: instant.nullable() }),
    errors: ['REAUTHENTICATE'],
  }),
  'POST /applications/:appId/test-bind': route({
    summary:
      'Bind once as the software of the application would, from the address of the caller; says what was exchanged',
    access: owner,
    params,
    body: z.strictObject({ password: z.string().min(1).max(64) }),
    /** `reason`: why the bind was refused. */
    response: bindTest.extend({ reason: bindRefusal.nullable() }),
  }),
  'DELETE /applications/:appId/binds/:bindId': route({
    summary: 'Close one live SMPP connection; its software may bind again',
    access: owner,
    params: z.object({ appId, bindId: uuid }),
    answer: 'empty',
    status: 204,
  }),
  'GET /smpp-binds': route({
    summary: "Live SMPP connections of all customers' software",
    access: [Role.Operator, Role.Admin],
    csv: true,
    query: z.strictObject({ ...page, sort: z.enum(['-since', 'since']).default('-since'), ...ofCustomer }),
    response: listOf(softwareBind.extend({ appId, appName: z.string(), customerId: uuid, customerName: z.string() })),
  }),
  'DELETE /applications/:appId/secrets/:secretId': route({
    summary: 'End a replaced password of either kind now; the current one is replaced, never ended',
    access: owner,
    params: z.object({ appId, secretId: uuid }),
    answer: 'empty',
    status: 204,
    errors: ['SECRET_CURRENT'],
  }),
};
