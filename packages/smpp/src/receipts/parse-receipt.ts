/**
 * Delivery receipts, SMPP 3.4 Appendix B: a text of labelled fields in a deliver_sm or data_sm, with TLVs of the same
 * content. The appendix calls the format vendor specific, and vendors differ: fields in any order, missing, or repeated
 * inside the quoted text; IDs and dates in several spellings; TLVs alone. Everything readable is read.
 */
import type { DataSm, DeliverSm } from '../codec/field-specs.ts';
import { findTlv, readIntegerTlv, readStringTlv, TLV, type Tlv } from '../codec/tlvs.ts';
import { type DefaultAlphabet, decodeText, readDataCoding } from '../text/data-coding.ts';
import { readUserData } from '../text/user-data.ts';
import { statOfState } from './message-states.ts';
import { parseReceiptDate } from './receipt-dates.ts';

/** The labelled fields of the text, each as it was written. */
export type ReceiptText = {
  id: string | undefined;
  sub: number | undefined;
  dlvrd: number | undefined;
  /** SMSC's local time, to the minute or second as given: `2010-05-23T20:39`, `2010-05-23T20:39:00`. */
  submitDate: string | undefined;
  doneDate: string | undefined;
  /** Upper case. */
  stat: string | undefined;
  /** One to three characters, not always digits: `000`, `21b`. */
  err: string | undefined;
  text: string | undefined;
};

export type Receipt = ReceiptText & {
  /** TLV 0x001E; the same number as `id` may be written otherwise there. */
  tlvId: string | undefined;
  /** TLV 0x0427. */
  messageState: number | undefined;
  /** TLV 0x0423: the octet of the network type as a number, and its error code. */
  networkError: { networkType: number; code: number } | undefined;
};

const ESM_CLASS_TYPE = 0x3c;
const ESM_CLASS_RECEIPT = 0x04;
const ESM_CLASS_INTERMEDIATE = 0x20;

/**
 * True for deliver_sm and data_sm whose esm_class indicates a receipt or intermediate notification (SMPP 3.4 §5.2.12).
 */
export function isReceipt(pdu: DeliverSm | DataSm): boolean {
  const type = pdu.esm_class & ESM_CLASS_TYPE;
  return type === ESM_CLASS_RECEIPT || type === ESM_CLASS_INTERMEDIATE;
}

/**
 * Returns the receipt in a PDU, or undefined if it contains neither an ID nor a state. `id` and `stat` come from the
 * text, or, if missing there, from the TLVs.
 */
export function readReceipt(pdu: DeliverSm | DataSm, defaultAlphabet: DefaultAlphabet = 'latin1'): Receipt | undefined {
  const { octets } = readUserData(pdu);
  const { alphabet } = readDataCoding(pdu.data_coding, defaultAlphabet);
  const fields = parseReceiptText(decodeText(octets, alphabet) ?? octets.toString('latin1'));
  const tlvId = pdu.tlvs.length === 0 ? undefined : readStringTlv(pdu.tlvs, 'receipted_message_id');
  const messageState = pdu.tlvs.length === 0 ? undefined : readIntegerTlv(pdu.tlvs, 'message_state');
  const id = fields.id ?? tlvId;
  const stat = fields.stat ?? (messageState === undefined ? undefined : statOfState(messageState));
  if (id === undefined && stat === undefined) return undefined;
  return { ...fields, id, stat, tlvId, messageState, networkError: readNetworkError(pdu.tlvs) };
}

type Label = 'id' | 'sub' | 'dlvrd' | 'submit date' | 'done date' | 'stat' | 'err' | 'text';

/** By the letter before the colon; `submitdate` and `submit_date` are met too. */
const SPELLINGS: ReadonlyMap<string, readonly (readonly [spelling: string, label: Label])[]> = new Map([
  ['b', [['sub', 'sub']]],
  [
    'd',
    [
      ['id', 'id'],
      ['dlvrd', 'dlvrd'],
    ],
  ],
  [
    'e',
    [
      ['submit date', 'submit date'],
      ['done date', 'done date'],
      ['submit_date', 'submit date'],
      ['done_date', 'done date'],
      ['submitdate', 'submit date'],
      ['donedate', 'done date'],
    ],
  ],
  ['r', [['err', 'err']]],
  [
    't',
    [
      ['stat', 'stat'],
      ['text', 'text'],
    ],
  ],
]);
/** "362d9701 2": an id and a message_state, nothing else. */
const BARE_PATTERN = /^\s*([0-9a-z-]{4,64})\s+([1-8])\s*$/i;

/**
 * Returns the fields of a receipt's text. If a field occurs twice the first counts: the second is in the quoted text.
 */
export function parseReceiptText(body: string): ReceiptText {
  // Some carriers pad the text with them; no ID or stat contains one.
  const text = body.includes('\0') ? body.replaceAll('\0', '') : body;
  const found = findLabels(text);
  if (found.length === 0) return parseBareText(text);
  const value = (label: Label) => {
    const index = found.findIndex((field) => field.label === label);
    const field = found[index];
    return field && text.slice(field.valueAt, found[index + 1]?.at ?? text.length);
  };
  return {
    id: firstWord(value('id')),
    sub: count(value('sub')),
    dlvrd: count(value('dlvrd')),
    submitDate: date(value('submit date')),
    doneDate: date(value('done date')),
    stat: firstWord(value('stat'))?.toUpperCase(),
    err: firstWord(value('err')),
    text: value('text')?.replace(/ $/, ''),
  };
}

type FoundLabel = { label: Label; at: number; valueAt: number };

function findLabels(text: string): FoundLabel[] {
  const found: FoundLabel[] = [];
  // Letter by letter: lower case of some letters is longer, and every place after them would be wrong.
  const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  for (let colon = lower.indexOf(':'); colon !== -1; colon = lower.indexOf(':', colon + 1)) {
    for (const [spelling, label] of SPELLINGS.get(lower[colon - 1] ?? '') ?? []) {
      if (!lower.endsWith(spelling, colon)) continue;
      const at = colon - spelling.length;
      const isWord = at > 0 && /[a-z0-9]/.test(lower.charAt(at - 1));
      if (!isWord && !found.some((field) => field.label === label)) found.push({ label, at, valueAt: colon + 1 });
      break;
    }
  }
  return found;
}

function parseBareText(text: string): ReceiptText {
  const match = BARE_PATTERN.exec(text);
  return {
    id: match?.[1],
    sub: undefined,
    dlvrd: undefined,
    submitDate: undefined,
    doneDate: undefined,
    stat: match === null ? undefined : statOfState(Number(match[2])),
    err: undefined,
    text: undefined,
  };
}

function firstWord(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const trimmed = value.trim();
  const end = trimmed.search(/\s/);
  if (end !== -1) return trimmed.slice(0, end);
  return trimmed === '' ? undefined : trimmed;
}

function count(value: string | undefined): number | undefined {
  const word = firstWord(value);
  return word !== undefined && /^\d{1,9}$/.test(word) ? Number(word) : undefined;
}

function date(value: string | undefined): string | undefined {
  const word = firstWord(value);
  return word === undefined ? undefined : parseReceiptDate(word);
}

/** Three octets: type, code. Some write the three ASCII digits of the err field instead (SMPP 3.4 §5.3.2.31). */
function readNetworkError(tlvs: readonly Tlv[]): Receipt['networkError'] {
  const value = findTlv(tlvs, TLV.network_error_code.tag)?.value;
  if (value === undefined || value.length !== 3) return undefined;
  const ascii = value.toString('latin1');
  if (/^\d{3}$/.test(ascii)) return { networkType: 0, code: Number(ascii) };
  return { networkType: value.readUInt8(0), code: value.readUInt16BE(1) };
}
