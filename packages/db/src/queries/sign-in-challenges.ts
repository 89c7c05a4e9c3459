/** Pending steps of a sign-in or an enrolment. Each is answered once, by the browser that began it. */
import { type Db, maybe, run, sql } from '../sql.ts';

export type ChallengePurpose = 'secondFactor' | 'passkeySignIn' | 'passkeyAdd';

export interface NewChallenge {
  hash: Buffer;
  /** SHA-256 of the additional secret held by the browser that began the step. */
  browserHash: Buffer;
  purpose: ChallengePurpose;
  /** null: determined by the passkey. */
  userId: string | null;
  firstFactor: string | null;
  webauthnChallenge: string | null;
  now: Date;
  expiresAt: Date;
}

export interface Challenge {
  userId: string | null;
  firstFactor: string | null;
  webauthnChallenge: string | null;
}

/** Old ones are swept along. */
export const insertChallenge = async (db: Db, challenge: NewChallenge): Promise<void> => {
  await run(db, sql`delete from sign_in_challenge where expires_at < ${challenge.now}`);
  await run(
    db,
    sql`insert into sign_in_challenge (challenge_hash, browser_hash, purpose, user_id, first_factor, webauthn_challenge, expires_at)
        values (${challenge.hash}, ${challenge.browserHash}, ${challenge.purpose}, ${challenge.userId},
                ${challenge.firstFactor}, ${challenge.webauthnChallenge}, ${challenge.expiresAt})`,
  );
};

export interface AskedChallenge {
  hash: Buffer;
  browserHash: Buffer;
  purpose: ChallengePurpose;
  now: Date;
  /** Number of wrong responses after which it is invalid. */
  maxFailures: number;
}

const live = ({ hash, browserHash, purpose, now, maxFailures }: AskedChallenge) =>
  sql`challenge_hash = ${hash} and browser_hash = ${browserHash} and purpose = ${purpose} and expires_at > ${now}
      and failure_count < ${maxFailures}`;

const columns = sql`user_id as "userId", first_factor as "firstFactor", webauthn_challenge as "webauthnChallenge"`;

/**
 * Counts one more response before it is checked, so that of many concurrent ones at most `maxFailures` are compared;
 * the right one deletes the challenge. Returns null if it is unknown, old, used, tried too often, or another browser's.
 */
export const tryChallenge = (db: Db, asked: AskedChallenge): Promise<(Challenge & { triesLeft: number }) | null> =>
  maybe<Challenge & { triesLeft: number }>(
    db,
    sql`update sign_in_challenge set failure_count = failure_count + 1 where ${live(asked)}
        returning ${columns}, ${asked.maxFailures} - failure_count as "triesLeft"`,
  );

export const findChallenge = (db: Db, asked: AskedChallenge): Promise<Challenge | null> =>
  maybe<Challenge>(db, sql`select ${columns} from sign_in_challenge where ${live(asked)}`);

/** Stores what the authenticator must sign; returns false if the step is not live. */
export const setWebauthnChallenge = async (db: Db, asked: AskedChallenge, webauthn: string): Promise<boolean> =>
  (await run(db, sql`update sign_in_challenge set webauthn_challenge = ${webauthn} where ${live(asked)}`)) === 1;

/** Consumes it; returns false if another response did so first. */
export const endChallenge = async (db: Db, hash: Buffer): Promise<boolean> =>
  (await run(db, sql`delete from sign_in_challenge where challenge_hash = ${hash}`)) === 1;
