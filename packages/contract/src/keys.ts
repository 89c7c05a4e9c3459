import { z } from 'zod';
import { Role } from './enums.ts';
import { keyModes } from './keys-values.ts';
import { route } from './route.ts';
import { apiScopes } from './scopes.ts';
import { appId, instant, listOf, name, ofCustomer, page, useState, uuid } from './shapes.ts';

/** `live`: sends to phones. `test`: to a carrier of our own, free, apart from everything real. */
const keyMode = z.enum(keyModes);

const scopes = z
  .array(z.enum(apiScopes))
  .min(1)
  .max(apiScopes.length)
  .refine((list) => new Set(list).size === list.length);

/** A named key of an application, with which software calls over HTTP: never its text, which is shown once. */
const namedKey = z.object({
  keyId: uuid,
  keyName: z.string(),
  appId,
  appName: z.string(),
  /** Of the application. */
  useState,
  /** How the text begins, `pk_live_` or `pk_test_` and 8 characters: a leaked key is found by it. */
  prefix: z.string(),
  mode: keyMode,
  scopes: z.array(z.enum(apiScopes)),
  /** Addresses that may call with it, of those that its application allows; empty: all of these. */
  whiteListIp: z.array(z.string()),
  createTime: instant,
  /** The member that made it; null: has been removed. */
  createdBy: z.string().nullable(),
  /** When it stops working; null: does not expire. */
  expireTime: instant.nullable(),
  lastUsedTime: instant.nullable(),
  lastUsedIp: z.string().nullable(),
});
export type NamedKey = z.output<typeof namedKey>;

/** The credentials of a call, and what they open. */
const callingKey = z.object({
  kind: z.enum(['key', 'password']).describe('password: the password of the application, by HTTP Basic.'),
  keyId: uuid.nullable().describe('The key; null: a password.'),
  keyName: z.string().nullable().describe('Name that the key was given; null: a password.'),
  prefix: z.string().nullable().describe('How the key begins; null: a password.'),
  mode: keyMode.describe('live: sends to phones. test: to an internal carrier, free, apart from everything real.'),
  scopes: z.array(z.enum(apiScopes)).describe('What the caller may do. A password has every scope.'),
  expireTime: instant.nullable().describe('When the credentials stop working, UTC; null: they do not expire.'),
  appId,
  appName: z.string(),
  customerName: z.string(),
  smpp: z
    .object({
      host: z.string(),
      port: z.number().int(),
      tlsPort: z.number().int().nullable().describe('Port of SMPP over TLS; null: there is none.'),
      systemId: z.string(),
    })
    .nullable()
    .describe('Where the application binds over SMPP; null: it may not, or the key is of test mode.'),
});
export type CallingKey = z.output<typeof callingKey>;

export const keyRoutes = {
  'GET /key': route({
    summary: 'The key or password that the call was made with: application, scopes, mode, expiry',
    access: 'application',
    response: callingKey,
  }),
  'GET /keys': route({
    summary: 'Named keys of applications, the newest first; staff find a leaked key of any customer by its beginning',
    access: [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin],
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-createTime', 'createTime']).default('-createTime'),
      ...ofCustomer,
      appId: appId.optional(),
      /** The beginning of a key: `pk_live_` and up to 8 characters. Never the whole. */
      prefix: z
        .string()
        .regex(/^pk_(?:live|test)_[A-Za-z0-9]{1,8}$/)
        .optional(),
    }),
    response: listOf(namedKey),
  }),
  'POST /keys': route({
    summary: 'Make a key of an application; its text is in this answer and never again',
    access: [Role.Owner, Role.Member],
    status: 201,
    body: z.strictObject({
      keyName: name(50),
      appId,
      mode: keyMode.default('live'),
      /**
       * Only owners can give `billing:read` and `callbacks`: members read no bills and send no callbacks again. A test key can
       * have `messages:send`, `messages:read`, `tasks`, `groups`, `verify`, `replies`, `opt-outs`, `statistics:read`,
       * `templates`, `senders` and `callbacks`.
       */
      scopes,
      expireTime: instant.nullable().default(null),
      whiteListIp: z.array(z.string().trim().min(1).max(49)).max(50).default([]),
    }),
    /** `apiKey`: for `Authorization: Bearer`. */
    response: namedKey.extend({ apiKey: z.string() }),
    errors: ['APP_NOT_FOUND', 'ALLOWED_IP_INVALID', 'KEY_LIMIT'],
  }),
  'DELETE /keys/:keyId': route({
    summary: 'End a key: calls with it are refused within a second',
    access: [Role.Owner, Role.Member, Role.Operator, Role.Admin],
    params: z.object({ keyId: uuid }),
    answer: 'empty',
    status: 204,
  }),
};
