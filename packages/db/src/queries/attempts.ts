/**
 * Rate limits on attempts: counted in the database, so that a limit holds across restarts and any number of processes.
 * A window begins with its first attempt; refused attempts are not counted. Keys are stored as SHA-256, because they
 * may be accounts or MSISDNs.
 *
 * Count on the pool, never in a transaction that a refusal will roll back: the attempt would be lost with it.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type Db, many, maybe, run, sql } from '../sql.ts';
import { withTransaction } from '../with-transaction.ts';

export interface AttemptKey {
  /** The action attempted, e.g. `signIn.account`. */
  readonly what: string;
  /** The subject of the count, e.g. an account or an address. */
  readonly key: string;
}

export interface AttemptLimit extends AttemptKey {
  /** Maximum attempts in a window. */
  readonly limit: number;
  readonly windowMs: number;
  readonly now: Date;
}

export interface AttemptCount {
  /** Whether this attempt is within the limit, and so counted. */
  readonly allowed: boolean;
  /** Attempts in this window, including this one if it is allowed. */
  readonly count: number;
  /** When the window ends and the count restarts. */
  readonly endsAt: Date;
}

const hashOf = ({ what, key }: AttemptKey): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([what, key]))
    .digest();

/**
 * Counts one attempt unless the limit is reached. Of many concurrent attempts, exactly as many are allowed as the limit
 * permits.
 */
export const countAttempt = async (db: Db, attempt: AttemptLimit): Promise<AttemptCount> => {
  const { what, limit, windowMs, now } = attempt;
  if (limit < 1) throw new RangeError('a limit lets one attempt through at least');
  const endsAt = new Date(now.getTime() + windowMs);
  const hash = hashOf(attempt);
  const counted = await maybe<{ count: number; endsAt: Date }>(
    db,
    sql`insert into attempt as a (what, key_hash, attempt_count, started_at, ends_at)
          values (${what}, ${hash}, 1, ${now}, ${endsAt})
        on conflict (what, key_hash) do update set
          attempt_count = case when a.ends_at <= ${now} then 1 else a.attempt_count + 1 end,
          started_at = case when a.ends_at <= ${now} then excluded.started_at else a.started_at end,
          ends_at = case when a.ends_at <= ${now} then excluded.ends_at else a.ends_at end
        where a.ends_at <= ${now} or a.attempt_count < ${limit}
        returning attempt_count as count, ends_at as "endsAt"`,
  );
  if (counted !== null) return { allowed: true, ...counted };
  // Refused. The row may have been deleted or ended since: then the window is effectively over.
  const { count, endsAt: end } = await readAttempt(db, attempt, now);
  return { allowed: false, count: Math.max(count, limit), endsAt: end ?? now };
};

/**
 * Counts all of these or none: returns null if all are within their limits, else the first that is not. Always in the
 * same order of kinds, so that two such calls can't deadlock.
 */
export const countAttempts = async (
  pool: pg.Pool,
  attempts: readonly AttemptLimit[],
): Promise<{ refused: AttemptLimit; endsAt: Date } | readonly AttemptCount[]> => {
  // A limit that is already reached, as in a flood, is found with one read.
  const full = await findFull(pool, attempts);
  if (full !== null) return full;
  try {
    return await withTransaction(pool, async (tx) => {
      const counts: AttemptCount[] = [];
      for (const attempt of attempts) {
        const count = await countAttempt(tx, attempt);
        if (!count.allowed) throw new RefusedAttempt(attempt, count.endsAt);
        counts.push(count);
      }
      return counts;
    });
  } catch (error) {
    if (error instanceof RefusedAttempt) return { refused: error.attempt, endsAt: error.endsAt };
    throw error;
  }
};

async function findFull(
  db: Db,
  attempts: readonly AttemptLimit[],
): Promise<{ refused: AttemptLimit; endsAt: Date } | null> {
  const found = await maybe<{ place: number; endsAt: Date }>(
    db,
    sql`select asked.place::int as place, a.ends_at as "endsAt"
        from unnest(${attempts.map(({ what }) => what)}::text[], ${attempts.map(hashOf)}::bytea[],
          ${attempts.map(({ limit }) => limit)}::int[], ${attempts.map(({ now }) => now)}::timestamptz[])
          with ordinality as asked (what, key_hash, at_most, now, place)
        join attempt a using (what, key_hash)
        where a.ends_at > asked.now and a.attempt_count >= asked.at_most
        order by asked.place limit 1`,
  );
  const refused = found === null ? undefined : attempts[found.place - 1];
  return found === null || refused === undefined ? null : { refused, endsAt: found.endsAt };
}

class RefusedAttempt extends Error {
  readonly attempt: AttemptLimit;
  readonly endsAt: Date;

  constructor(attempt: AttemptLimit, endsAt: Date) {
    super('an attempt past its limit');
    this.attempt = attempt;
    this.endsAt = endsAt;
  }
}

/** Attempts in the window that is open now; none: 0. */
export const readAttempt = async (
  db: Db,
  attempt: AttemptKey,
  now: Date,
): Promise<{ count: number; endsAt: Date | null }> =>
  (await maybe<{ count: number; endsAt: Date }>(
    db,
    sql`select attempt_count as count, ends_at as "endsAt" from attempt
        where what = ${attempt.what} and key_hash = ${hashOf(attempt)} and ends_at > ${now}`,
  )) ?? { count: 0, endsAt: null };

/** Returns those of the keys whose limit is reached: keys are stored only as hashes. */
export const listFullKeys = async (
  db: Db,
  { what, keys, limit, now }: { what: string; keys: readonly string[]; limit: number; now: Date },
): Promise<string[]> => {
  const rows = await many<{ key: string }>(
    db,
    sql`select asked.key
        from unnest(${keys}::text[], ${keys.map((key) => hashOf({ what, key }))}::bytea[]) as asked (key, key_hash)
        join attempt a on a.what = ${what} and a.key_hash = asked.key_hash
        where a.ends_at > ${now} and a.attempt_count >= ${limit}
        order by a.started_at, asked.key`,
  );
  return rows.map(({ key }) => key);
};

/** Takes one attempt back: it turned out right, or was never made. */
export const refundAttempt = (db: Db, attempt: AttemptKey): Promise<number> =>
  run(
    db,
    sql`update attempt set attempt_count = attempt_count - 1
        where what = ${attempt.what} and key_hash = ${hashOf(attempt)} and attempt_count > 0`,
  );

/** Restarts the count. */
export const clearAttempts = (db: Db, what: string, key: string): Promise<number> =>
  run(db, sql`delete from attempt where what = ${what} and key_hash = ${hashOf({ what, key })}`);

/** Removes windows that are over. */
export const sweepAttempts = (db: Db, now: Date): Promise<number> =>
  run(db, sql`delete from attempt where ends_at < ${now}`);
