/** Pending sign-in steps: 256 random bits as id, single use, five minutes, five attempts. */
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '@pahatid/db';
import { type AskedChallenge, type ChallengePurpose, insertChallenge } from '@pahatid/db/queries/sign-in-challenges';

const lifeMs = 5 * 60_000;
const maxTries = 5;

const hashOf = (challenge: string): Buffer => createHash('sha256').update(challenge).digest();

export interface Beginning {
  readonly purpose: ChallengePurpose;
  /** SHA-256 of what only the browser that begins holds: its visitor's cookie, or its session. */
  readonly browserHash: Buffer;
  readonly userId?: string;
  readonly firstFactor?: string;
  readonly webauthn?: string;
}

/** Returns the id of the step. */
export async function beginChallenge(db: Db, now: Date, beginning: Beginning): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  const { purpose, browserHash, userId, firstFactor, webauthn } = beginning;
  await insertChallenge(db, {
    hash: hashOf(challenge),
    browserHash,
    purpose,
    userId: userId ?? null,
    firstFactor: firstFactor ?? null,
    webauthnChallenge: webauthn ?? null,
    now,
    expiresAt: new Date(now.getTime() + lifeMs),
  });
  return challenge;
}

/** How a step is looked for; a browser without its cookie finds none. */
export const askedChallenge = (
  purpose: ChallengePurpose,
  challenge: string,
  browserHash: Buffer | null,
  now: Date,
): AskedChallenge => ({
  hash: hashOf(challenge),
  browserHash: browserHash ?? Buffer.alloc(32),
  purpose,
  now,
  maxFailures: maxTries,
});
