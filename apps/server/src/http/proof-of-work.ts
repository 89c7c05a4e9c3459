/** Work that a browser does before its request is accepted: negligible for a person, expensive for bulk abuse. */
import { createHash } from 'node:crypto';

/** Half a second of a laptop, two or three of a phone. */
const leastBits = 17;
const mostBits = 23;

/** `asked`: how often the same network was given work lately; each doubling doubles the work. */
export const workBits = (asked: number): number =>
  Math.min(mostBits, leastBits + Math.floor(Math.log2(Math.max(1, asked / 4))));

/** Whether SHA-256 of prefix and proof begins with so many zero bits. */
export function isWork(prefix: string, proof: string, bits: number): boolean {
  const digest = createHash('sha256').update(prefix).update(proof).digest();
  return Math.clz32(digest.readUInt32BE(0)) >= bits;
}
