/** A submit_sm or data_sm as a message: its text, addresses, times and what its sender wants to know. */
import type { SmsType } from '@pahatid/contract';
import { SmsType as SmsTypes } from '@pahatid/contract/enums';
import {
  type Concatenation,
  type DataSm,
  decodeText,
  ESM_CLASS_UDHI,
  findTlv,
  parseSmppTime,
  readDataCoding,
  readUserData,
  resolveSmppTime,
  STATUS,
  type SubmitSm,
  TLV,
} from '@pahatid/smpp';
import { StatusError, VENDOR_STATUS } from './statuses.ts';

export interface Submitted {
  readonly smsType: SmsType;
  readonly sourceTon: number;
  readonly sourceNpi: number;
  readonly source: string;
  readonly destinationTon: number;
  readonly destinationNpi: number;
  readonly destination: string;
  readonly registeredDelivery: number;
  readonly dataCoding: number;
  /** Without the user data header. */
  readonly octets: Buffer;
  /** Which part of a longer text it is; null: a whole one. */
  readonly part: Concatenation | null;
  /** Not sent before; null: immediately. */
  readonly notBefore: Date | null;
  /** Seconds from then, or from now; null: as long as the application allows. */
  readonly validFor: number | null;
  /** Octets of its user_message_reference (SMPP 3.4 §5.3.2.17), hexadecimal; null: it has none. */
  readonly reference: string | null;
}

/** Longest wait of a message for its time. */
const LONGEST_DELAY_MS = 7 * 86_400_000;

/** Throws a `StatusError` for what the standard's fields may not contain here. */
export function readSubmit(
  pdu: SubmitSm | DataSm,
  serviceTypes: Readonly<Record<string, number>> | null,
  now: Date,
): Submitted {
  checkFlags(pdu);
  const { octets, part } = readOctets(pdu);
  const times = pdu.command === 'submit_sm' ? readTimes(pdu, now) : readDataTimes(pdu);
  return {
    smsType: toSmsType(pdu.service_type, serviceTypes),
    sourceTon: pdu.source_addr_ton,
    sourceNpi: pdu.source_addr_npi,
    source: pdu.source_addr,
    destinationTon: pdu.dest_addr_ton,
    destinationNpi: pdu.dest_addr_npi,
    destination: readDestination(pdu.destination_addr),
    registeredDelivery: pdu.registered_delivery & 0x13,
    dataCoding: pdu.data_coding,
    octets,
    part,
    ...times,
    reference: findTlv(pdu.tlvs, TLV.user_message_reference.tag)?.value.toString('hex') ?? null,
  };
}

const toSmsType = (serviceType: string, map: Readonly<Record<string, number>> | null): SmsType =>
  (map?.[serviceType] ?? SmsTypes.Notification) as SmsType;

/** What this server does not do is refused, not ignored. */
function checkFlags(pdu: SubmitSm | DataSm): void {
  const mode = pdu.esm_class & 0x03;
  // Datagrams and transactions are answered after delivery; a type other than a plain message is for receipts.
  if (mode === 1 || mode === 2 || (pdu.esm_class & 0x3c) !== 0) throw new StatusError(STATUS.ESME_RINVESMCLASS);
  if (pdu.command === 'data_sm') return;
  if (pdu.replace_if_present_flag !== 0) throw new StatusError(STATUS.ESME_RINVREPFLAG);
  if (pdu.sm_default_msg_id !== 0) throw new StatusError(STATUS.ESME_RINVDFTMSGID);
}

function readOctets(pdu: SubmitSm | DataSm): Pick<Submitted, 'octets' | 'part'> {
  const payload = findTlv(pdu.tlvs, TLV.message_payload.tag);
  if (pdu.command === 'submit_sm' && pdu.short_message.length > 0 && payload !== undefined)
    throw new StatusError(STATUS.ESME_ROPTPARNOTALLWD);
  const { octets, concatenation } = readUserData(pdu);
  // A header that joins nothing addresses a port, or shifts the alphabet: no text for a person.
  if ((pdu.esm_class & ESM_CLASS_UDHI) !== 0 && concatenation === undefined)
    throw new StatusError(STATUS.ESME_RINVESMCLASS);
  if (octets.length === 0) throw new StatusError(STATUS.ESME_RINVMSGLEN);
  const part = concatenation === undefined || concatenation.total === 1 ? null : concatenation;
  return { octets, part };
}

/** Throws unless the octets are text in an alphabet that is known. */
export function readText({ octets, dataCoding }: Pick<Submitted, 'octets' | 'dataCoding'>): string {
  const text = decodeText(octets, readDataCoding(dataCoding).alphabet);
  if (text === undefined) throw new StatusError(VENDOR_STATUS.notText);
  return text;
}

/** Digits alone: what the rest of the world writes between them has no place in an address. */
function readDestination(destination: string): string {
  if (!/^\+?\d{3,20}$/.test(destination)) throw new StatusError(STATUS.ESME_RINVDSTADR);
  return destination;
}

/** Type of number 1 says that the digits begin with a country's code. */
export const toDialled = (destination: string, ton: number): string =>
  ton === 1 ? `+${destination.replace(/^\+/, '')}` : destination;

type Times = Pick<Submitted, 'notBefore' | 'validFor'>;

function readTimes(pdu: SubmitSm, now: Date): Times {
  const scheduled = resolve(pdu.schedule_delivery_time, now, STATUS.ESME_RINVSCHED);
  const expires = resolve(pdu.validity_period, now, STATUS.ESME_RINVEXPIRY);
  if (scheduled !== null) {
    const delayMs = scheduled.getTime() - now.getTime();
    if (delayMs < -60_000 || delayMs > LONGEST_DELAY_MS) throw new StatusError(STATUS.ESME_RINVSCHED);
  }
  if (expires === null) return { notBefore: scheduled, validFor: null };
  const lifeMs = expires.getTime() - Math.max(now.getTime(), scheduled?.getTime() ?? 0);
  if (lifeMs <= 0) throw new StatusError(STATUS.ESME_RINVEXPIRY);
  return { notBefore: scheduled, validFor: Math.ceil(lifeMs / 1_000) };
}

function resolve(given: string, now: Date, status: number): Date | null {
  if (given === '') return null;
  const time = parseSmppTime(given);
  if (time === undefined) throw new StatusError(status);
  return resolveSmppTime(time, now);
}

/** data_sm has its life as a TLV, in seconds (SMPP 3.4 §5.3.2.6). */
function readDataTimes(pdu: DataSm): Times {
  const value = findTlv(pdu.tlvs, TLV.qos_time_to_live.tag)?.value;
  if (value === undefined) return { notBefore: null, validFor: null };
  const seconds = value.length === 4 ? value.readUInt32BE(0) : 0;
  if (seconds === 0) throw new StatusError(STATUS.ESME_RINVEXPIRY);
  return { notBefore: null, validFor: seconds };
}
