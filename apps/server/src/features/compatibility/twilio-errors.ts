/** Errors in Twilio's form, with its code where it has one for the case. */
import type { ErrorCode, Problem } from '@pahatid/contract';

export interface TwilioError {
  readonly code: number;
  readonly message: string;
  readonly more_info: string;
  readonly status: number;
}

/** Invalid parameter, of which our own code says the rest. */
const otherCode = 20_001;

const firstOfMessages = 21_000;

const codes: { readonly [code in ErrorCode]?: number } = {
  NOT_SIGNED_IN: 20_003,
  APP_CREDENTIALS_INVALID: 20_003,
  CUSTOMER_SUSPENDED: 20_005,
  APP_DISABLED: 20_005,
  SCOPE_MISSING: 20_403,
  NOT_IN_TEST_MODE: 20_403,
  ADDRESS_NOT_ALLOWED: 20_403,
  APP_NO_HTTP_ACCESS: 20_403,
  NOT_FOUND: 20_404,
  RATE_LIMITED: 20_429,
  INTERNAL: 20_500,
  UNAVAILABLE: 20_503,
  MOBILE_NUMBER_INVALID: 21_211,
  COUNTRY_NOT_OPEN: 21_408,
  SENDER_NOT_SENDABLE: 21_606,
  SENDER_REQUIRED: 21_603,
  RECIPIENT_OPTED_OUT: 21_610,
  CONSENT_MISSING: 21_610,
  NO_ROUTE: 21_612,
  TEMPLATE_NOT_FOUND: 21_655,
  TEMPLATE_NOT_SENDABLE: 21_655,
  VALUES_MISSING: 21_656,
  CALLBACK_URL_INVALID: 21_609,
  CONTENT_INVALID: 30_007,
};

/** By the field that is wrong: if it is missing, and if it has another value than it may. */
const fieldCodes: Readonly<Record<string, readonly [missing: number, wrong: number]>> = {
  to: [21_604, 21_211],
  senderId: [21_603, 21_212],
  content: [21_602, 21_617],
  callbackUrl: [21_609, 21_609],
  templateId: [21_655, 21_655],
  variables: [21_656, 21_656],
};

export function toTwilioError(problem: Problem, publicUrl: string): TwilioError {
  const { code, status, title, errors } = problem;
  const first = errors?.[0];
  const [missing = otherCode, wrong = otherCode] = fieldCodes[first?.field.split('.')[0] ?? ''] ?? [];
  const ofField = first?.code === 'REQUIRED' ? missing : wrong;
  const isOfField = code === 'VALIDATION_FAILED' && first !== undefined;
  const twilioCode = isOfField ? ofField : (codes[code] ?? otherCode);
  return {
    code: twilioCode,
    message: isOfField ? `${title}: ${first.field} ${first.code} (${code})` : `${title} (${code})`,
    more_info: `${publicUrl}/docs/errors/${code}`,
    // What is wrong with a message is always 400 there.
    status: twilioCode >= firstOfMessages ? 400 : status,
  };
}
