/**
 * Carrier profiles, as far as customers' software can distinguish them. The three default profiles write receipts in
 * the three most common formats; every detail can be set.
 */
import type { DefaultAlphabet, ReceiptDateFormat } from '@pahatid/smpp';
import { assertShapes, isMix, isNumber, isOneOf, isShare, isSpan, isText, listOf, type Shapes } from './check-shape.ts';
import { DEFAULT_MIX, type OutcomeMix } from './outcomes.ts';
import type { Span } from './random.ts';

const ID_FORMATS = ['decimal10', 'decimal', 'hex', 'hexUpper', 'hex32', 'uuid'] as const;
/** `decimal10` has leading zeros, `hex32` is 32 digits in upper case, a UUID without its hyphens. */
export type IdFormat = (typeof ID_FORMATS)[number];

const RECEIPT_ID_FORMATS = ['same', 'decimal10', 'decimal', 'hex'] as const;
/** How the id is written in a receipt: as in the response, or the same number otherwise. */
export type ReceiptIdFormat = (typeof RECEIPT_ID_FORMATS)[number];

/** In the order of SMPP 3.4 Appendix B, table B-1. */
export const RECEIPT_FIELDS = ['id', 'sub', 'dlvrd', 'submit date', 'done date', 'stat', 'err', 'text'] as const;
export type ReceiptField = (typeof RECEIPT_FIELDS)[number];

const RECEIPT_TLVS = ['receipted_message_id', 'message_state', 'network_error_code'] as const;

export type ReceiptProfile = {
  pdu: 'deliver_sm' | 'data_sm';
  /** `labelled` has the `fields` in their order; `short` is `<id> <state>`; `none` leaves it to the TLVs. */
  text: 'labelled' | 'short' | 'none';
  /** Labelled fields, in this order; Appendix B has all of them in the order of the default. */
  fields: readonly ReceiptField[];
  textIn: 'short_message' | 'message_payload';
  textId: ReceiptIdFormat;
  tlvId: ReceiptIdFormat;
  tlvs: readonly (typeof RECEIPT_TLVS)[number][];
  /** `ascii` writes the three digits of err in place of type and code. */
  networkError: 'binary' | 'ascii';
  dateFormat: ReceiptDateFormat;
  /** Whether sub, dlvrd and err keep their leading zeros. */
  numbers: 'padded' | 'bare';
  /** Label of the quoted text: `text:`, `Text:`, or none. */
  quote: 'text:' | 'Text:' | 'bare';
  /** Quotes octets of another alphabet than data_coding states. */
  foreignQuote: boolean;
  trailingNul: boolean;
  /** The last TLV's length exceeds the end of the PDU. */
  brokenTlv: boolean;
};

export type CarrierProfile = {
  systemId: string;
  /** At most 8 characters. */
  password: string;
  maxBinds: number;
  /** submit_sm accepted per second, over all binds; 0 unlimited. Beyond: ESME_RTHROTTLED. */
  tps: number;
  /** Unanswered submit_sm per bind; 0 unlimited. Beyond: ESME_RTHROTTLED. */
  window: number;
  /** Messages whose receipt is due or unacknowledged; 0 unlimited. Beyond: ESME_RMSGQFUL. */
  queueLimit: number;
  /** Until the response. */
  latency: Span;
  /** Share of responses delayed by up to 50 ms more, so that later ones overtake them. */
  reorder: number;
  outcomes: OutcomeMix;
  receiptDelay: Span;
  /** deliver_sm unanswered per bind. */
  receiptWindow: number;
  /** What data_coding 0 is. */
  defaultAlphabet: DefaultAlphabet;
  idFormat: IdFormat;
  receipt: ReceiptProfile;
};

const APPENDIX_RECEIPT: ReceiptProfile = {
  pdu: 'deliver_sm',
  text: 'labelled',
  fields: RECEIPT_FIELDS,
  textIn: 'short_message',
  textId: 'same',
  tlvId: 'same',
  tlvs: RECEIPT_TLVS,
  networkError: 'binary',
  dateFormat: 'YYMMDDhhmm',
  numbers: 'padded',
  quote: 'text:',
  foreignQuote: false,
  trailingNul: false,
  brokenTlv: false,
};

const BASE: Omit<CarrierProfile, 'systemId' | 'password'> = {
  maxBinds: 50,
  tps: 0,
  window: 0,
  queueLimit: 0,
  latency: { fromMs: 0, toMs: 0 },
  reorder: 0,
  outcomes: DEFAULT_MIX,
  receiptDelay: { fromMs: 200, toMs: 3_000 },
  receiptWindow: 200,
  defaultAlphabet: 'gsm7',
  idFormat: 'decimal10',
  receipt: APPENDIX_RECEIPT,
};

export const DEFAULT_CARRIERS: readonly CarrierProfile[] = [
  { ...BASE, systemId: 'globe', password: 'globepw' },
  {
    ...BASE,
    systemId: 'smart',
    password: 'smartpw',
    idFormat: 'hex',
    receipt: { ...APPENDIX_RECEIPT, textId: 'decimal10', tlvs: [], dateFormat: 'YYMMDDhhmmss' },
  },
  {
    ...BASE,
    systemId: 'dito',
    password: 'ditopw',
    idFormat: 'uuid',
    receipt: { ...APPENDIX_RECEIPT, text: 'short' },
  },
];

const PROFILE_SHAPES: Shapes<Omit<CarrierProfile, 'receipt'>> = {
  systemId: isText(1, 15),
  password: isText(0, 8),
  maxBinds: isNumber,
  tps: isNumber,
  window: isNumber,
  queueLimit: isNumber,
  latency: isSpan,
  reorder: isShare,
  outcomes: isMix,
  receiptDelay: isSpan,
  receiptWindow: isNumber,
  defaultAlphabet: isOneOf('gsm7', 'latin1', 'ascii'),
  idFormat: isOneOf(...ID_FORMATS),
};

const isFlag = isOneOf(true, false);
const RECEIPT_SHAPES: Shapes<ReceiptProfile> = {
  pdu: isOneOf('deliver_sm', 'data_sm'),
  text: isOneOf('labelled', 'short', 'none'),
  fields: listOf(...RECEIPT_FIELDS),
  textIn: isOneOf('short_message', 'message_payload'),
  textId: isOneOf(...RECEIPT_ID_FORMATS),
  tlvId: isOneOf(...RECEIPT_ID_FORMATS),
  tlvs: listOf(...RECEIPT_TLVS),
  networkError: isOneOf('binary', 'ascii'),
  dateFormat: isOneOf('YYMMDDhhmm', 'YYMMDDhhmmss', 'YYYYMMDDhhmm', 'YYYYMMDDhhmmss'),
  numbers: isOneOf('padded', 'bare'),
  quote: isOneOf('text:', 'Text:', 'bare'),
  foreignQuote: isFlag,
  trailingNul: isFlag,
  brokenTlv: isFlag,
};

/** Settings of a carrier in a file or over HTTP; omitted ones are as in `base`. */
export type CarrierChange = Partial<Omit<CarrierProfile, 'receipt'>> & { receipt?: Partial<ReceiptProfile> };

/** The profile after a change; throws on a name it does not know and on a value it cannot be. */
export function changeProfile(base: CarrierProfile, change: CarrierChange): CarrierProfile {
  const { receipt = {}, ...rest } = change;
  if (typeof receipt !== 'object' || receipt === null) throw new Error('receipt must be an object');
  assertShapes('setting', PROFILE_SHAPES, rest);
  assertShapes('setting', RECEIPT_SHAPES, receipt, 'receipt.');
  return { ...base, ...rest, receipt: { ...base.receipt, ...receipt } };
}

/** Returns the profile of a carrier in addition to the three defaults; requires `systemId` and `password`. */
export function makeProfile(change: CarrierChange): CarrierProfile {
  if (change.systemId === undefined || change.password === undefined)
    throw new Error('a carrier needs systemId and password');
  return changeProfile({ ...BASE, systemId: change.systemId, password: change.password }, change);
}
