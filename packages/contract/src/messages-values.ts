/** What an application's own calls may be refused with, apart from the schemas, which the console leaves out. */
import type { ErrorCode } from './errors.ts';

/** Tags of one message. */
export const tagLimit = 5;
/** How far ahead a message can be accepted. */
export const sendAheadDays = 7;

/** Errors of `POST /messages`, in addition to those of every call. */
export const messageErrors = [
  'MOBILE_NUMBER_INVALID',
  'CONTENT_INVALID',
  'TEMPLATE_NOT_FOUND',
  'TEMPLATE_NOT_SENDABLE',
  'TEMPLATE_TYPE_MISMATCH',
  'VALUES_MISSING',
  'LINK_NOT_APPROVED',
  'LINK_NOT_USABLE',
  'SENDER_NOT_SENDABLE',
  'SENDER_REQUIRED',
  'BALANCE_TOO_LOW',
  'NO_ROUTE',
  'COUNTRY_NOT_OPEN',
  'RECIPIENT_OPTED_OUT',
  'CONSENT_MISSING',
  'FREQUENCY_LIMITED',
  'VOLUME_LIMITED',
  'CALLBACK_URL_INVALID',
  'APP_PAUSED',
  'CLIENT_REF_TAKEN',
  'MESSAGES_REFUSED',
  'IDEMPOTENCY_KEY_REUSED',
  'STORAGE_FULL',
] as const satisfies readonly ErrorCode[];

/** Of every call that an application makes. */
export const applicationErrors = [
  'BAD_REQUEST',
  'VALIDATION_FAILED',
  'APP_CREDENTIALS_INVALID',
  'CUSTOMER_SUSPENDED',
  'APP_DISABLED',
  'APP_NO_HTTP_ACCESS',
  'ADDRESS_NOT_ALLOWED',
  'NOT_FOUND',
  'BODY_TOO_LARGE',
  'MEDIA_TYPE_UNSUPPORTED',
  'RATE_LIMITED',
  'INTERNAL',
  'UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** Forms of a message's own callbacks: as of any other, or as Twilio's. */
export const callbackFormats = ['pahatid', 'twilio'] as const;
export type CallbackFormat = (typeof callbackFormats)[number];
