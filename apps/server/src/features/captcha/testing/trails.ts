/** Trails for tests: of a hand that drags, and of one that holds a key. */
import { createHash } from 'node:crypto';
import type { CaptchaMove } from '@pahatid/contract';
import { step } from '../judge-trail.ts';

/** Starts slowly, accelerates, brakes; a browser reports it every 16 ms. */
export function dragTo(position: number, ms = 800): CaptchaMove[] {
  const moves: CaptchaMove[] = [];
  for (let t = 0; t < ms; t += 16) {
    const share = t / ms;
    moves.push([200 + t, Math.round(position * share * share * (3 - 2 * share)), false]);
  }
  return [...moves, [200 + ms, position, false]];
}

/** An arrow key held: a first wait, then some thirty steps a second. */
export function keyTo(position: number): CaptchaMove[] {
  const moves: CaptchaMove[] = [];
  for (let x = step, t = 300; x <= position; x += step) {
    moves.push([t, x, true]);
    t += x === step ? 500 : 33 + ((x * 7) % 3);
  }
  return moves;
}

export function findProof(prefix: string, bits: number): string {
  for (let n = 0; ; n++)
    if (Math.clz32(createHash('sha256').update(prefix).update(String(n)).digest().readUInt32BE(0)) >= bits)
      return String(n);
}
