import { hash } from 'node:crypto';

/**
 * The place of a recipient in the random order of an A/B test, by the line of its row: the same whenever it is asked,
 * and unknown without the seed. Below 2 ** 48.
 */
export const placeRecipient = (seed: string, line: number): number =>
  hash('sha256', `${seed}:${line}`, 'buffer').readUIntBE(0, 6);
