/**
 * A cursor over one PDU's body. A fault is stored, not thrown: after the first one every read returns a neutral value,
 * and the caller checks `fault` once, at the end. One reader serves a whole stream, so decoding allocates nothing but
 * the PDU.
 */
import { STATUS } from './statuses.ts';
import { hasStandardLength, NO_TLVS, type Tlv } from './tlvs.ts';

export type BodyFault = {
  /** Status to respond with: ESME_RINVMSGLEN (sm_length), ESME_RINVPARLEN (a field) or ESME_RINVOPTPARSTREAM (TLVs). */
  status: number;
  detail: string;
  /** The mandatory fields before it are whole. */
  inTlvs: boolean;
};

export const NO_PROBLEMS: readonly string[] = [];
const NO_OCTETS = Buffer.alloc(0);

export class BodyReader {
  fault: BodyFault | undefined = undefined;
  problems: string[] | undefined = undefined;
  private bytes: Buffer = NO_OCTETS;
  private position = 0;
  private end = 0;

  open(bytes: Buffer, start: number, end: number): void {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
    this.fault = undefined;
    this.problems = undefined;
  }

  isAtEnd(): boolean {
    return this.position >= this.end;
  }

  integer(name: string): number {
    if (this.position >= this.end) {
      this.fail(STATUS.ESME_RINVPARLEN, `${name}: missing`);
      return 0;
    }
    return this.bytes[this.position++]!;
  }

  integer32(name: string): number {
    if (this.end - this.position < 4) {
      this.fail(STATUS.ESME_RINVPARLEN, `${name}: missing`);
      return 0;
    }
    this.position += 4;
    return this.bytes.readUInt32BE(this.position - 4);
  }

  /** Reads up to the NUL. One longer than the standard allows is taken and noted: real peers send them. */
  cstring(name: string, max: number): string {
    const { bytes, end } = this;
    const start = this.position;
    if (start < end && bytes[start] === 0) {
      this.position = start + 1;
      return '';
    }
    let at = start;
    while (at < end && bytes[at] !== 0) at++;
    if (at >= end) {
      this.fail(STATUS.ESME_RINVPARLEN, `${name}: ${start >= end ? 'missing' : 'not terminated'}`);
      return '';
    }
    this.position = at + 1;
    if (at - start >= max) this.note(`${name}: longer than ${max - 1} octets`);
    return bytes.toString('latin1', start, at);
  }

  shortMessage(): Buffer {
    const length = this.integer('sm_length');
    if (this.fault !== undefined || length === 0) return NO_OCTETS;
    const start = this.position;
    if (length > this.end - start) {
      this.fail(STATUS.ESME_RINVMSGLEN, `short_message: sm_length ${length} but ${this.end - start} octets left`);
      return NO_OCTETS;
    }
    if (length > 254) this.note(`sm_length ${length} exceeds 254`);
    this.position = start + length;
    return this.bytes.subarray(start, this.position);
  }

  /**
   * Reads everything to the end of the PDU as TLVs. One to three excess octets cannot be a TLV: they are recorded and
   * skipped. An integer of a wrong length is a fault on a strict stream and otherwise kept, recorded and read as
   * absent.
   */
  tlvs(strict: boolean): readonly Tlv[] {
    if (this.position >= this.end) return NO_TLVS;
    const tlvs: Tlv[] = [];
    while (this.end - this.position >= 4) {
      const tag = this.bytes.readUInt16BE(this.position);
      const length = this.bytes.readUInt16BE(this.position + 2);
      const start = this.position + 4;
      if (length > this.end - start) {
        const left = this.end - start;
        this.failTlv(
          STATUS.ESME_RINVOPTPARSTREAM,
          `TLV 0x${tag.toString(16)}: length ${length} but ${left} octets left`,
        );
        return tlvs;
      }
      this.position = start + length;
      const tlv = { tag, value: this.bytes.subarray(start, this.position) };
      if (!hasStandardLength(tlv)) {
        const detail = `TLV 0x${tag.toString(16)}: length ${length}`;
        if (strict) this.failTlv(STATUS.ESME_RINVPARLEN, detail);
        else this.note(detail);
      }
      tlvs.push(tlv);
    }
    if (this.position < this.end) this.note(`${this.end - this.position} stray octets after the body`);
    return tlvs;
  }

  fail(status: number, detail: string): void {
    this.fault ??= { status, detail, inTlvs: false };
    this.position = this.end;
  }

  private failTlv(status: number, detail: string): void {
    this.fault ??= { status, detail, inTlvs: true };
    this.position = this.end;
  }

  private note(problem: string): void {
    this.problems ??= [];
    this.problems.push(problem);
  }
}
