/** A message as the submit_sm of its parts, in the manner of one carrier. */
import type { LoadedMessage } from '@pahatid/engine';
import {
  countSegments,
  DATA_CODING,
  decodeGsm7,
  ESM_CLASS_UDHI,
  encodeText,
  isGsm7,
  makePdu,
  type Segments,
  type SubmitSm,
  segmentText,
} from '@pahatid/smpp';
import type { LinkProfile } from '../link-profile.ts';

/** User data header of a part: 05 00 03, reference, total, number. */
const HEADER_OCTETS = 6;
/** Delivery receipt asked for, success and failure (SMPP 3.4 §5.2.17). */
const WITH_RECEIPT = 1;

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

  encode(message: LoadedMessage, messageId: bigint, part: number): SubmitSm {
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
      validity_period: profile.validityPeriod,
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

const ALPHANUMERIC = { ton: 5, npi: 0 } as const;
const SHORT_CODE = { ton: 3, npi: 0 } as const;
const INTERNATIONAL = { ton: 1, npi: 1 } as const;

/** Returns type and plan of a sender ID by its form (SMPP 3.4 §5.2.5), unless the carrier's profile sets them. */
const sourceAddress = (sender: string, profile: LinkProfile): { ton: number; npi: number } => {
  const byForm = !/^\d+$/.test(sender) ? ALPHANUMERIC : sender.length <= 8 ? SHORT_CODE : INTERNATIONAL;
  return { ton: profile.sourceTon ?? byForm.ton, npi: profile.sourceNpi ?? byForm.npi };
};
