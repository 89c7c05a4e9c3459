import type { Socket } from 'node:net';
import { encodePduInto, pduOctets } from '../codec/encode-pdu.ts';
import type { Pdu } from '../codec/field-specs.ts';

const SLAB_OCTETS = 65_536;

/**
 * Everything one connection sends. PDUs are encoded side by side into a slab of 64 KiB, and what one turn of the event
 * loop produced leaves in one write: a system call per PDU would cost more than the PDU.
 */
export class Outbox {
  private slab = Buffer.allocUnsafeSlow(SLAB_OCTETS);
  private start = 0;
  private end = 0;
  private scheduled = false;
  private readonly socket: Socket;
  private readonly onFlushed: () => void;

  constructor(socket: Socket, onFlushed: () => void) {
    this.socket = socket;
    this.onFlushed = onFlushed;
  }

  write(pdu: Pdu): void {
    const octets = pduOctets(pdu);
    const at = this.reserve(octets);
    try {
      encodePduInto(pdu, this.slab, at);
    } catch (error) {
      this.end = at;
      throw error;
    }
  }

  /** Copies an encoded PDU and gives the copy its sequence number. */
  writeEncoded(encoded: Buffer, sequence: number): void {
    const at = this.reserve(encoded.length);
    this.slab.set(encoded, at);
    this.slab.writeUInt32BE(sequence, at + 12);
  }

  /** Octets as they are, in their place between the PDUs. */
  writeOctets(octets: Buffer): void {
    this.slab.set(octets, this.reserve(octets.length));
  }

  flush(): void {
    this.scheduled = false;
    if (this.end === this.start || this.socket.destroyed) return;
    this.socket.write(this.slab.subarray(this.start, this.end));
    // The written part belongs to the socket now; the rest of the slab is still ours.
    this.start = this.end;
    this.onFlushed();
  }

  private reserve(octets: number): number {
    if (this.end + octets > this.slab.length) {
      this.flush();
      this.slab = Buffer.allocUnsafeSlow(Math.max(SLAB_OCTETS, octets));
      this.start = 0;
      this.end = 0;
    }
    const at = this.end;
    this.end += octets;
    if (!this.scheduled) {
      this.scheduled = true;
      setImmediate(() => {
        if (this.scheduled) this.flush();
      });
    }
    return at;
  }
}
