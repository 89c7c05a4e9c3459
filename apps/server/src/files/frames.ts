/**
 * Protocol between the server and its parser process: four bytes of length, one byte of kind, then the payload. It runs
 * over a pipe, so the slower side applies backpressure.
 */
export const frameKind = {
  /** Parser to server. */
  read: 1,
  progress: 2,
  block: 3,
  rejects: 4,
  done: 5,
  problem: 6,
  /** Server to parser. */
  start: 16,
  data: 17,
} as const;

export type FrameKind = (typeof frameKind)[keyof typeof frameKind];

export interface Frame {
  readonly kind: number;
  readonly payload: Buffer;
}

/** A block of 1,000 rows is some 10 kB; nothing that is sent comes near this. */
const maxPayloadBytes = 64 * 1024 * 1024;
const headerBytes = 5;

export function makeFrame(kind: FrameKind, payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(headerBytes + payload.length);
  frame.writeUInt32LE(payload.length, 0);
  frame.writeUInt8(kind, 4);
  payload.copy(frame, headerBytes);
  return frame;
}

export function makeJsonFrame(kind: FrameKind, value: unknown): Buffer {
  return makeFrame(kind, Buffer.from(JSON.stringify(value)));
}

/** Collects frames out of pieces of any size. */
export class FrameDecoder {
  private parts: Buffer[] = [];
  private held = 0;
  private wanted = headerBytes;

  /** Yields the frames completed by this piece, in order. Throws if the other side sends an invalid frame. */
  *push(piece: Buffer): Generator<Frame> {
    this.parts.push(piece);
    this.held += piece.length;
    while (this.held >= this.wanted) {
      const bytes = this.parts.length === 1 && this.parts[0] ? this.parts[0] : Buffer.concat(this.parts);
      const length = bytes.readUInt32LE(0);
      if (length > maxPayloadBytes) throw new Error('frame longer than any we send');
      const end = headerBytes + length;
      const complete = bytes.length >= end;
      const rest = complete ? bytes.subarray(end) : bytes;
      this.parts = rest.length === 0 ? [] : [rest];
      this.held = rest.length;
      this.wanted = complete ? headerBytes : end;
      if (complete) yield { kind: bytes.readUInt8(4), payload: bytes.subarray(headerBytes, end) };
    }
  }
}
