/** Octets that look like PDUs, for tests that feed them to the decoder and to an open port. */
import { WIRE_VECTORS, wireOctets } from './wire-vectors.ts';

/** A whole number from 0, below the given one. */
export type Random = (below: number) => number;

const SEEDS = WIRE_VECTORS.map(wireOctets);

/** mulberry32: the same numbers for the same seed. */
export function makeRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let hash = Math.imul(state ^ (state >>> 15), state | 1);
    hash ^= hash + Math.imul(hash ^ (hash >>> 7), hash | 61);
    return ((hash ^ (hash >>> 14)) >>> 0) % below;
  };
}

/** One or two PDUs with octets changed, taken out, put in, cut off, or with a length that lies. */
export function mutate(random: Random): Buffer {
  const bytes = Buffer.from(SEEDS[random(SEEDS.length)]!);
  for (let flips = random(4); flips > 0; flips--) bytes[random(bytes.length)] = random(256);
  switch (random(6)) {
    case 0:
      return Buffer.concat([bytes.subarray(0, random(bytes.length)), bytes.subarray(random(bytes.length))]);
    case 1:
      return bytes.subarray(0, random(bytes.length + 1));
    case 2: {
      const at = random(bytes.length);
      return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(random(40), random(256)), bytes.subarray(at)]);
    }
    case 3:
      bytes.writeUInt32BE(random(bytes.length * 2), 0);
      return bytes;
    case 4:
      return Buffer.concat([bytes, SEEDS[random(SEEDS.length)]!]);
    default:
      return bytes;
  }
}
