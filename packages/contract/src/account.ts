import { z } from 'zod';
import { SecondFactorMethod, Theme } from './enums.ts';
import { route } from './route.ts';
import { session } from './session.ts';
import { count, instant, languageTag, listOf, name, text, uuid } from './shapes.ts';

const password = z.string().min(1).max(200);
/** Names one step of a sign-in or an enrolment: 256 random bits. */
const challenge = z.string().min(1).max(100);
const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]*$/);
const transports = z.array(z.string().max(30)).max(10);
/** Further data returned by authenticators; ignored. */
const extensions = z.record(z.string().max(60), z.unknown());

/** A passkey's response to a challenge (WebAuthn, AuthenticationResponseJSON). */
const assertion = z.strictObject({
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(30).nullish(),
  clientExtensionResults: extensions,
  response: z.strictObject({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(4000),
    userHandle: base64url(200).nullish(),
  }),
});
export type Assertion = z.output<typeof assertion>;

/** A new passkey (WebAuthn, RegistrationResponseJSON). */
const attestation = z.strictObject({
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(30).nullish(),
  clientExtensionResults: extensions,
  response: z.strictObject({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(40_000),
    authenticatorData: base64url(8000).nullish(),
    transports: transports.nullish(),
    publicKeyAlgorithm: z.number().int().nullish(),
    publicKey: base64url(8000).nullish(),
  }),
});
export type Attestation = z.output<typeof attestation>;

/** What the browser hands to the authenticator, as the WebAuthn library made it. */
const webauthnOptions = z.record(z.string(), z.unknown());
const question = z.object({ challenge: z.string(), options: webauthnOptions });

const passkey = z.object({
  passkeyId: uuid,
  name: z.string(),
  /** Stored by the user's account at Apple, Google and the like, so not lost with the device. */
  backedUp: z.boolean(),
  createTime: instant,
  lastUsedTime: instant.nullable(),
});
export type Passkey = z.output<typeof passkey>;

const openedSession = z.object({
  sessionId: uuid,
  /** The session that asks. */
  current: z.boolean(),
  /** Names of the browser and the system, null if unknown. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  isPhone: z.boolean(),
  ip: z.string().nullable(),
  createTime: instant,
  /** To the minute. */
  lastUsedTime: instant,
});
export type OpenedSession = z.output<typeof openedSession>;

const account = z.object({
  userId: uuid,
  account: z.string(),
  name: z.string(),
  email: z.string(),
  /** Masked; null if unknown. */
  phone: z.string().nullable(),
  zone: z.string(),
  /** null: as the device has it. */
  locale: z.string().nullable(),
  theme: z.enum(Theme).nullable(),
  twoFactor: z.object({
    /** When the authenticator app was confirmed; null: off. */
    totpTime: instant.nullable(),
    recoveryCodesLeft: count,
    passkeyCount: count,
    /** The last factor can't be removed. */
    required: z.boolean(),
  }),
  /** What the person's customer asks of everybody; null for staff. */
  customer: z.object({ requireTwoFactor: z.boolean() }).nullable(),
});
export type Account = z.output<typeof account>;

/** Removal of another user's lost second factors: the reason, and the acting user's password. */
export const factorReset = z.strictObject({ reason: text(200).min(1), currentPassword: password });

/** The password again; a code of the authenticator app instead, if one is enrolled. */
const stepUp = {
  currentPassword: password.optional(),
  totpCode: z.string().trim().min(1).max(20).optional(),
};
const phone = z.string().trim().min(1).max(40);

/** Left out right after a sign-in that may do nothing but enrol. */
const reauthentication = { currentPassword: password.optional() };
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
const passkeyParams = z.strictObject({ passkeyId: uuid });

export const accountRoutes = {
  'POST /session/second-factor': route({
    summary: 'Finish a sign-in by a second factor',
    access: 'public',
    body: z.strictObject({
      challenge,
      method: z.enum(SecondFactorMethod),
      code: z.string().trim().min(1).max(40).optional(),
      assertion: assertion.optional(),
    }),
    response: session,
    errors: ['SECOND_FACTOR_WRONG', 'SIGN_IN_STEP_ENDED', 'RATE_LIMITED', 'CUSTOMER_SUSPENDED'],
  }),
  'POST /session/second-factor/passkey': route({
    summary: 'What a passkey is to sign to finish a sign-in',
    access: 'public',
    body: z.strictObject({ challenge }),
    response: question,
    errors: ['SIGN_IN_STEP_ENDED'],
  }),
  'POST /session/passkey/question': route({
    summary: 'What a passkey is to sign to sign in without a password',
    access: 'public',
    body: z.strictObject({}).optional(),
    response: question,
    errors: ['RATE_LIMITED'],
  }),
  'POST /session/passkey': route({
    summary: 'Sign in by a passkey alone',
    access: 'public',
    body: z.strictObject({ challenge, assertion }),
    response: session,
    errors: ['PASSKEY_REFUSED', 'SIGN_IN_STEP_ENDED', 'CUSTOMER_SUSPENDED'],
  }),

  'GET /account': route({
    summary: 'My profile, preferences and second factors',
    access: 'session',
    beforeEnrolment: true,
    response: account,
  }),
  'PATCH /account': route({
    summary: 'Change my name or how the console looks to me',
    access: 'session',
    body: z.strictObject({
      name: name(100).optional(),
      zone: z.string().min(1).max(60).optional(),
      locale: languageTag.nullable().optional(),
      theme: z.enum(Theme).nullable().optional(),
    }),
    response: account,
  }),
  'PATCH /account/customer': route({
    summary: 'Ask everybody of my customer for a second factor, or no longer',
    access: ['owner'],
    body: z.strictObject({ requireTwoFactor: z.boolean() }),
    response: account,
  }),

  'POST /account/phone/code': route({
    summary: 'Send a code to a phone that is to be mine; sent again to the same one, it asks for no password',
    access: 'session',
    body: z.strictObject({ phone, ...stepUp }),
    status: 202,
    response: z.object({
      /** Seconds until the next one can be asked for. */
      resendAfterS: z.int(),
      /** Seconds for which the code opens anything. */
      expiresInS: z.int(),
    }),
    errors: ['REAUTHENTICATE', 'TOTP_CODE_WRONG', 'RATE_LIMITED'],
  }),
  'POST /account/phone': route({
    summary: 'Make a phone mine, by the code that was sent there',
    access: 'session',
    body: z.strictObject({ phone, code: z.string().trim().min(1).max(20) }),
    response: account,
    errors: ['CODE_INVALID', 'PHONE_TAKEN', 'RATE_LIMITED'],
  }),
  'POST /account/phone/remove': route({
    summary: 'Do without a phone',
    access: 'session',
    body: z.strictObject(stepUp),
    response: account,
    errors: ['REAUTHENTICATE', 'TOTP_CODE_WRONG', 'RATE_LIMITED'],
  }),

  'POST /account/two-factor': route({
    summary: 'Begin with an authenticator app: a secret for it',
    access: 'session',
    beforeEnrolment: true,
    body: z.strictObject(reauthentication),
    response: z.object({ secret: z.string(), uri: z.string() }),
    errors: ['TWO_FACTOR_ON', 'REAUTHENTICATE'],
  }),
  'POST /account/two-factor/confirm': route({
    summary: 'Show a code of the app, which puts it in force',
    access: 'session',
    beforeEnrolment: true,
    body: z.strictObject({ code: z.string().trim().min(1).max(20) }),
    response: recoveryCodes,
    errors: ['TOTP_CODE_WRONG', 'TWO_FACTOR_ON', 'TWO_FACTOR_OFF', 'RATE_LIMITED'],
  }),
  'POST /account/two-factor/disable': route({
    summary: 'Do without the authenticator app',
    access: 'session',
    body: z.strictObject({ currentPassword: password }),
    answer: 'empty',
    status: 204,
    errors: ['TWO_FACTOR_OFF', 'SECOND_FACTOR_NEEDED', 'REAUTHENTICATE'],
  }),
  'POST /account/two-factor/recovery-codes': route({
    summary: 'New recovery codes in place of the old ones',
    access: 'session',
    body: z.strictObject({ currentPassword: password }),
    response: recoveryCodes,
    errors: ['TWO_FACTOR_OFF', 'REAUTHENTICATE'],
  }),

  'GET /account/passkeys': route({
    summary: 'My passkeys',
    access: 'session',
    beforeEnrolment: true,
    response: listOf(passkey),
  }),
  'POST /account/passkeys/question': route({
    summary: 'What an authenticator needs to make a passkey',
    access: 'session',
    beforeEnrolment: true,
    body: z.strictObject(reauthentication),
    response: question,
    errors: ['PASSKEY_LIMIT', 'REAUTHENTICATE'],
  }),
  'POST /account/passkeys': route({
    summary: 'Add the passkey that was made',
    access: 'session',
    beforeEnrolment: true,
    status: 201,
    body: z.strictObject({ challenge, name: name(60), attestation }),
    /** Recovery codes come with the first factor alone. */
    response: z.object({ passkey, recoveryCodes: z.array(z.string()).nullable() }),
    errors: ['PASSKEY_REFUSED', 'PASSKEY_KNOWN', 'PASSKEY_LIMIT', 'SIGN_IN_STEP_ENDED'],
  }),
  'PATCH /account/passkeys/:passkeyId': route({
    summary: 'Rename a passkey',
    access: 'session',
    params: passkeyParams,
    body: z.strictObject({ name: name(60) }),
    response: passkey,
  }),
  'POST /account/passkeys/:passkeyId/delete': route({
    summary: 'Remove a passkey',
    access: 'session',
    params: passkeyParams,
    body: z.strictObject({ currentPassword: password }),
    answer: 'empty',
    status: 204,
    errors: ['SECOND_FACTOR_NEEDED', 'REAUTHENTICATE'],
  }),

  'GET /account/sessions': route({
    summary: 'Where I am signed in',
    access: 'session',
    response: listOf(openedSession),
  }),
  'DELETE /account/sessions/:sessionId': route({
    summary: 'End one of my sessions',
    access: 'session',
    params: z.strictObject({ sessionId: uuid }),
    answer: 'empty',
    status: 204,
  }),
  'DELETE /account/sessions': route({
    summary: 'End all my sessions but this one',
    access: 'session',
    response: z.object({ ended: count }),
  }),
};
