import { randomInt } from 'node:crypto';
import { codeDigits } from '@pahatid/contract';
import type { CodeKey } from '@pahatid/db';
import type { Secrets } from '../secrets/secrets.ts';

/** From the system's generator, uniformly distributed. */
export const makeCode = (): string => String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');

/** A code opens one thing, for one destination, in the browser that asked for it. */
export const hashCode = (secrets: Secrets, { purpose, destination }: CodeKey, visitorHash: Buffer, code: string) =>
  secrets.hashOneTimeCode([purpose, destination, visitorHash.toString('hex')], code);
