/**
 * Carriers, as far as their customers' software can tell them apart. The three that are there by default write their
 * receipts in the three manners met most often; every detail can be set.
 */
import type { ReceiptDateFormat } from '@pahatid/smpp';
import { DEFAULT_MIX, type OutcomeMix } from './outcomes.ts';
import type { Span } from './random.ts';

export type IdFormat =
  /** Ten digits with leading zeros. */
  'decimal10' | 'decimal' | 'hex' | 'hexUpper' | 'uuid';

/** How the id is written in a receipt: as in the response, or the same number otherwise. */
export type ReceiptIdFormat = 'same' | 'decimal10' | 'decimal' | 'hex';

export type ReceiptProfile = {
  pdu: 'deliver_sm' | 'data_sm';
  /** `shuffled` has the fields of Appendix B in another order; `short` is `<id> <state>`; `none` leaves it to the TLVs. */
  text: 'appendix' | 'shuffled' | 'short' | 'none';
  textIn: 'short_message' | 'message_payload';
  textId: ReceiptIdFormat;
  tlvId: ReceiptIdFormat;
  tlvs: readonly ('receipted_message_id' | 'message_state' | 'network_error_code')[];
  /** `ascii` writes the three digits of err where type and code belong. */
  networkError: 'binary' | 'ascii';
  dateFormat: ReceiptDateFormat;
  /** Without `sub:` and `dlvrd:`. */
  withoutCounts: boolean;
  /** The quoted text: `text:`, `Text:`, without a label, or not at all. */
  quote: 'text:' | 'Text:' | 'bare' | 'none';
  /** Quoted octets of another alphabet than data_coding says. */
  foreignQuote: boolean;
  trailingNul: boolean;
  /** A last TLV whose length runs over the end of the PDU. */
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
  /** Until the response. */
  latency: Span;
  /** Share of responses held back up to 50 ms more, so that later ones overtake them. */
  reorder: number;
  outcomes: OutcomeMix;
  receiptDelay: Span;
  /** deliver_sm unanswered per bind. */
  receiptWindow: number;
  defaultAlphabet: 'gsm7' | 'latin1' | 'ascii';
  idFormat: IdFormat;
  receipt: ReceiptProfile;
};

const APPENDIX_RECEIPT: ReceiptProfile = {
  pdu: 'deliver_sm',
  text: 'appendix',
  textIn: 'short_message',
  textId: 'same',
  tlvId: 'same',
  tlvs: ['receipted_message_id', 'message_state', 'network_error_code'],
  networkError: 'binary',
  dateFormat: 'YYMMDDhhmm',
  withoutCounts: false,
  quote: 'text:',
  foreignQuote: false,
  trailingNul: false,
  brokenTlv: false,
};

const BASE: Omit<CarrierProfile, 'systemId' | 'password'> = {
  maxBinds: 50,
  tps: 0,
  window: 0,
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

/** What may be said of a carrier in a file or over HTTP; anything left out is as in `base`. */
export type CarrierChange = Partial<Omit<CarrierProfile, 'receipt'>> & { receipt?: Partial<ReceiptProfile> };

/** The profile after a change; throws on a name or type it does not know. */
export function changeProfile(base: CarrierProfile, change: CarrierChange): CarrierProfile {
  assertLike(base, change, '');
  if (change.receipt !== undefined) assertLike(base.receipt, change.receipt, 'receipt.');
  return { ...base, ...change, receipt: { ...base.receipt, ...change.receipt } };
}

/** A carrier besides the three; it needs `systemId` and `password`. */
export function makeProfile(change: CarrierChange): CarrierProfile {
  if (change.systemId === undefined || change.password === undefined)
    throw new Error('a carrier needs systemId and password');
  return changeProfile({ ...BASE, systemId: change.systemId, password: change.password }, change);
}

function assertLike(base: object, change: object, path: string): void {
  for (const [name, value] of Object.entries(change)) {
    const known = (base as Record<string, unknown>)[name];
    if (known === undefined) throw new Error(`no such setting: ${path}${name}`);
    if (typeof value !== typeof known || Array.isArray(value) !== Array.isArray(known)) {
      throw new Error(`${path}${name} must be like ${JSON.stringify(known)}`);
    }
  }
}
