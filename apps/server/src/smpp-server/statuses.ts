/**
 * command_status for each refusal of the catalogue. The standard's own where it has one; others are in the range that it
 * reserves for vendors (SMPP 3.4 §5.1.3, 0x400 to 0x4FF), listed in docs/smpp-server.md.
 */
import type { ErrorCode } from '@pahatid/contract';
import { STATUS } from '@pahatid/smpp';

export const VENDOR_STATUS = {
  noCredit: 0x400,
  textRefused: 0x401,
  templateRequired: 0x402,
  optedOut: 0x403,
  notText: 0x404,
  limitReached: 0x405,
  countryNotOpen: 0x406,
  noRoute: 0x407,
  linkRefused: 0x408,
  applicationStopped: 0x409,
  noConsent: 0x40a,
} as const;

const STATUS_BY_CODE: Partial<Record<ErrorCode, number>> = {
  MOBILE_NUMBER_INVALID: STATUS.ESME_RINVDSTADR,
  SENDER_NOT_SENDABLE: STATUS.ESME_RINVSRCADR,
  SENDER_REQUIRED: STATUS.ESME_RINVSRCADR,
  BALANCE_TOO_LOW: VENDOR_STATUS.noCredit,
  CONTENT_INVALID: VENDOR_STATUS.textRefused,
  TEMPLATE_NOT_SENDABLE: VENDOR_STATUS.templateRequired,
  RECIPIENT_OPTED_OUT: VENDOR_STATUS.optedOut,
  CONSENT_MISSING: VENDOR_STATUS.noConsent,
  VOLUME_LIMITED: VENDOR_STATUS.limitReached,
  FREQUENCY_LIMITED: VENDOR_STATUS.limitReached,
  COUNTRY_NOT_OPEN: VENDOR_STATUS.countryNotOpen,
  NO_ROUTE: VENDOR_STATUS.noRoute,
  LINK_NOT_APPROVED: VENDOR_STATUS.linkRefused,
  LINK_NOT_USABLE: VENDOR_STATUS.linkRefused,
  APP_DISABLED: VENDOR_STATUS.applicationStopped,
  APP_PAUSED: VENDOR_STATUS.applicationStopped,
  CUSTOMER_SUSPENDED: VENDOR_STATUS.applicationStopped,
};

export const statusOf = (code: ErrorCode): number => STATUS_BY_CODE[code] ?? STATUS.ESME_RSYSERR;

/** A PDU is refused with this command_status. */
export class StatusError extends Error {
  override name = 'StatusError';
  readonly status: number;

  constructor(status: number) {
    super(`command_status ${status}`);
    this.status = status;
  }
}
