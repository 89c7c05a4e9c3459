import type { MsisdnRefusal } from '../msisdn/msisdn-result.ts';

/** Why a row of a file is no recipient, found once its number is known to be good. */
export type RowRefusal =
  /** The same number occurred in an earlier row. */
  | 'DUPLICATE'
  /** The recipient has refused messages of this customer. */
  | 'OPTED_OUT'
  /** A value the template needs is empty. */
  | 'MISSING_VALUE'
  /** A value, or the text it makes, holds a link (specification §5: links may not be variables). */
  | 'VALUE_IS_LINK'
  /** A value is a formula, whose result can't be trusted. */
  | 'VALUE_IS_FORMULA'
  /** The text would take more segments than handsets put together. */
  | 'TEXT_TOO_LONG'
  /** The application may not send to the number's country. */
  | 'COUNTRY_NOT_OPEN';

/** Every reason for rejecting a row; the text for a reason is defined where it is shown. */
export type RejectReason = MsisdnRefusal | RowRefusal;

export const rejectReasons: readonly RejectReason[] = [
  'EMPTY',
  'FORMULA',
  'DAMAGED',
  'NOT_A_NUMBER',
  'TOO_SHORT',
  'TOO_LONG',
  'INVALID_NUMBER',
  'NEEDS_PLUS',
  'FIXED_LINE',
  'NOT_MOBILE',
  'DUPLICATE',
  'OPTED_OUT',
  'MISSING_VALUE',
  'VALUE_IS_LINK',
  'VALUE_IS_FORMULA',
  'TEXT_TOO_LONG',
  'COUNTRY_NOT_OPEN',
];
