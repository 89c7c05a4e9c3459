/** A message as the submit_sm of its parts, in the manner of one carrier. */
import type { LoadedMessage, Submission } from '@pahatid/engine';
import {
  countSegments,
  DATA_CODING,
  decodeGsm7,
  ESM_CLASS_UDHI,
  encodeText,
  isGsm7,
  makePdu,
  type PduOf,
  type Segments,
  type SubmitSm,
  segmentText,
} from '@pahatid/smpp';
import type { LinkProfile } from '../link-profile.ts';

/** User data header of a part: 05 00 03, reference, total, number. */
const HEADER_OCTETS = 6;
/** Delivery receipt asked for, success and failure (SMPP 3.4 §5.2.17). */
const WITH_RECEIPT = 1;

type Submitted = Pick<Submission, 'part' | 'validForMs'>;

export class MessageEncoder {
  private readonly profile: LinkProfile;
  /** Parts of one message are sent in sequence: the last one split is the next one needed. */
  private last: { messageId: bigint; segments: Segments } | null = null;

  constructor(profile: LinkProfile) {
    this.profile = profile;
  }

  countParts(content: string): number {
    if (this.profile.alphabet === 'gsm7' || !isGsm7(content)) return countSegments(content);
    return this.cut(content, 0).parts.length;
  }

  encode(message: LoadedMessage, messageId: bigint, { part, validForMs }: Submitted): SubmitSm {
    const { profile } = this;
    const segments = this.segmentsOf(message.content, messageId);
    const source = sourceAddress(message.key.clientSid, profile);
    return makePdu('submit_sm', {
      service_type: profile.serviceType,
      source_addr_ton: source.ton,
      source_addr_npi: source.npi,
      source_addr: message.key.clientSid,
      dest_addr_ton: profile.destinationTon,
      dest_addr_npi: profile.destinationNpi,
      destination_addr: message.msisdn,
      esm_class: segments.esm_class,
      validity_period: toValidityPeriod(validForMs, profile.validityPeriod),
      registered_delivery: WITH_RECEIPT,
      data_coding: segments.data_coding,
      short_message: segments.parts[part - 1]!,
    });
  }

  private segmentsOf(content: string, messageId: bigint): Segments {
    if (this.last?.messageId === messageId) return this.last.segments;
    const segments = this.cut(content, Number(messageId & 0xffn));
    if (segments.parts.length > 1) this.last = { messageId, segments };
    return segments;
  }

  /** Encodes as data_coding 0 in the carrier's own alphabet if that has all characters, otherwise UCS-2. */
  private cut(content: string, reference: number): Segments {
    const segments = segmentText(content, reference);
    const { alphabet } = this.profile;
    if (alphabet === 'gsm7' || segments.alphabet !== 'gsm7') return segments;
    const last = alphabet === 'ascii' ? '\u007f' : '\u00ff';
    if (Array.from(content).some((character) => character > last)) return segmentText(content, reference, 'ucs2');
    const header = (segments.esm_class & ESM_CLASS_UDHI) === 0 ? 0 : HEADER_OCTETS;
    const parts = segments.parts.map((octets) =>
      Buffer.concat([octets.subarray(0, header), encodeText(decodeGsm7(octets.subarray(header)), alphabet)]),
    );
    return { ...segments, data_coding: DATA_CODING.default, parts };
  }
}

/** Years, months, days, hours, minutes and seconds of a relative time, of 365 and 30 days. */
const UNITS_S = [31_536_000, 2_592_000, 86_400, 3_600, 60, 1] as const;

/**
 * Returns what is left of a message's life as a relative time (SMPP 3.4 §7.1.1.2), at most the carrier's own period. Begun
 * seconds are not counted, but a carrier takes none as no period at all.
 */
const toValidityPeriod = (validForMs: number | null, longest: string): string => {
  if (validForMs === null) return longest;
  const seconds = Math.max(1, Math.floor(validForMs / 1_000));
  if (longest !== '' && toSeconds(longest) <= seconds) return longest;
  const twoDigits = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const parts = [seconds / 86_400, (seconds / 3_600) % 24, (seconds / 60) % 60, seconds % 60];
  return `0000${parts.map(twoDigits).join('')}000R`;
};

const toSeconds = (period: string): number =>
  UNITS_S.reduce((sum, unit, index) => sum + unit * Number(period.slice(2 * index, 2 * index + 2)), 0);

const ALPHANUMERIC = { ton: 5, npi: 0 } as const;
const SHORT_CODE = { ton: 3, npi: 0 } as const;
const INTERNATIONAL = { ton: 1, npi: 1 } as const;

/** The query_sm for a part; its source address must be that of the submit_sm (SMPP 3.4 §4.8.1). */
export const encodeQuery = (of: { issuedId: string; clientSid: string }, profile: LinkProfile): PduOf<'query_sm'> => {
  const source = sourceAddress(of.clientSid, profile);
  return makePdu('query_sm', {
    message_id: of.issuedId,
    source_addr_ton: source.ton,
    source_addr_npi: source.npi,
    source_addr: of.clientSid,
  });
};

/** Returns type and plan of a sender ID by its form (SMPP 3.4 §5.2.5), unless the carrier's profile sets them. */
const sourceAddress = (sender: string, profile: LinkProfile): { ton: number; npi: number } => {
  const byForm = !/^\d+$/.test(sender) ? ALPHANUMERIC : sender.length <= 8 ? SHORT_CODE : INTERNATIONAL;
  return { ton: profile.sourceTon ?? byForm.ton, npi: profile.sourceNpi ?? byForm.npi };
};
