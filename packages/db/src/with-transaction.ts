import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isDistributed } from './distributed.ts';
import { inOneWrite, setPipelined } from './pipelined.ts';

const ATTEMPTS = 8;
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 2000;

/**
 * Begins a transaction that finds its rows by their keys: none of its statements reads a whole table, or an index into
 * a bitmap, whatever the statistics indicate about its size (decision 044). Plans of prepared statements are made once
 * (decision 110).
 */
export const BY_KEY = { byKey: true } as const;

/** The same, pipelined: statements that are not awaited one by one are sent together (`pipelined.ts`). */
export const BY_KEY_PIPELINED = { byKey: true, pipelined: true } as const;

export interface TransactionOptions {
  /** How often it is tried at most. */
  readonly attempts?: number;
  readonly byKey?: boolean;
  readonly pipelined?: boolean;
  /** Nothing can be written. */
  readonly readOnly?: boolean;
}

/**
 * The connection was lost during COMMIT: it may or may not have taken effect. Never repeated blindly; the caller checks
 * (an idempotency key, a guarded state) and decides.
 */
export class CommitUnknownError extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during COMMIT: whether it happened is unknown', { cause });
    this.name = 'CommitUnknownError';
  }
}

/**
 * Runs `work` in a transaction, and repeats all of it (8 times, waiting longer each time) if the database reports that
 * nothing took effect: serialization failure, deadlock, an unavailable lock, lost connection, server shutting down, an
 * unreachable Citus node. So `work` must have no effect outside the transaction.
 */
export async function withTransaction<T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryOnce(pool, work, options);
    } catch (error) {
      if (attempt >= (options.attempts ?? ATTEMPTS) || !isPassing(error)) throw error;
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
      await sleep(wait * (0.5 + Math.random() / 2));
    }
  }
}

async function tryOnce<T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
  { byKey = false, pipelined = false, readOnly = false }: TransactionOptions,
): Promise<T> {
  const client = await pool.connect();
  // A client in our hands that loses its connection between two queries would throw past everyone.
  const onError = (): void => {};
  client.on('error', onError);
  let broken = false;
  let result: T;
  try {
    if (pipelined) setPipelined(client, true);
    const onCitus = await isDistributed(client);
    const beginKeyed = onCitus ? beginByKeyOnCitus : beginByKey;
    const begin = (): Promise<unknown> => (byKey ? beginKeyed(client) : client.query('begin'));
    if (pipelined) result = await runPipelined(client, begin, work);
    else {
      await begin();
      if (readOnly) await client.query('set transaction read only');
      result = await work(client);
    }
    await commit(client, onCitus && !readOnly ? COMMIT_ON_CITUS : 'commit');
    return result;
  } catch (error) {
    broken = error instanceof CommitUnknownError || isConnectionFailure(error);
    if (!broken) {
      await client.query('rollback').catch(() => {
        broken = true;
      });
    }
    throw error;
  } finally {
    client.removeListener('error', onError);
    if (pipelined) setPipelined(client, false);
    client.release(broken);
  }
}

/** The first statements follow BEGIN without waiting; if it fails, so do they. */
async function runPipelined<T>(
  client: pg.PoolClient,
  begin: () => Promise<unknown>,
  work: (tx: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const { begun, worked } = inOneWrite(client, () => {
    const started = begin();
    started.catch(() => {});
    return { begun: started, worked: work(client) };
  });
  const result = await worked;
  await begun;
  return result;
}

/**
 * Rows that are reached by key are mostly in memory. With that price of a page, PostgreSQL finds the plan of a prepared
 * statement for all values no more expensive than planning for the values at hand, and keeps it.
 */
const beginByKey = (client: pg.PoolClient): Promise<unknown> =>
  client.query(
    'begin; set local enable_seqscan = off; set local enable_bitmapscan = off; set local random_page_cost = 0.01',
  );

/** Citus would forward the text of all these as one; its other nodes plan with the values, and need no such settings. */
const beginByKeyOnCitus = async (client: pg.PoolClient): Promise<unknown> => {
  const begun = client.query('begin');
  const set = client.query(
    `select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
       set_config('random_page_cost', '0.01', true)`,
  );
  return await Promise.all([begun, set]);
};

/**
 * Citus commits what is on one other node before the coordinator does, unless a table that it knows here is written too:
 * then in two phases. So control tables and data are committed together (decision 172).
 */
const COMMIT_ON_CITUS = "select set_config('role', 'none', true); delete from two_phase_commit where id = 0; commit";

async function commit(client: pg.PoolClient, text: string): Promise<void> {
  try {
    await client.query(text);
  } catch (error) {
    throw isConnectionFailure(error) ? new CommitUnknownError(error) : error;
  }
}

/** Whether the same transaction may succeed when it is run again. */
export function isPassing(error: unknown): boolean {
  if (error instanceof CommitUnknownError) return false;
  const code = codeOf(error);
  return code === '40001' || code === '40P01' || code === '55P03' || isConnectionFailure(error);
}

/**
 * From here to the end of the transaction no statement waits longer than this for a lock. For statements that take
 * strong locks: readers queue behind a process waiting for one.
 */
export const setLockTimeout = async (tx: Pick<pg.ClientBase, 'query'>, timeoutMs: number): Promise<void> => {
  await tx.query("select set_config('lock_timeout', $1, true)", [String(timeoutMs)]);
};

export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

/**
 * Returns the SQLSTATE if the database rejects the given data, so that the same data will be rejected each time: a
 * value that its column can't hold, a constraint, two changes of one row in a statement, a value too long for its
 * index. Else null.
 */
export const refusedDataCode = (error: unknown): string | null =>
  /^(?:2[123][0-9A-Z]{3}|54000)$/.exec(codeOf(error))?.[0] ?? refusedCopyCode(error);

/** By the text of a refusal. */
const COPY_REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^index row (?:size|requires)/, '54000'],
  [/^value too long/, '22001'],
  [/out of range/, '22003'],
  [/^invalid byte sequence/, '22021'],
  [/^null value in column/, '23502'],
  [/^duplicate key value/, '23505'],
  [/violates check constraint/, '23514'],
];

/** Citus reports what another node refuses a COPY for as an internal error with the same text. */
function refusedCopyCode(error: unknown): string | null {
  if (!(error instanceof Error && 'routine' in error && error.routine === 'ReportCopyError')) return null;
  if (codeOf(error) !== 'XX000') return null;
  return COPY_REFUSALS.find(([text]) => text.test(error.message))?.[1] ?? null;
}

const SOCKET_ERRORS = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

function isConnectionFailure(error: unknown): boolean {
  const code = codeOf(error);
  if (code.startsWith('08') || /^57P0[1-5]$/.test(code) || SOCKET_ERRORS.has(code)) return true;
  const message = error instanceof Error ? error.message : '';
  // Citus reports an unreachable node as an internal error; the driver's own failures have no code.
  if (code === 'XX000') return /connection|could not connect|server closed/i.test(message);
  return (
    code === '' &&
    /Connection terminated|not queryable|Query read timeout|timeout exceeded when trying to connect/.test(message)
  );
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** The constraint's name without the shard number that Citus appends: `message_pkey_102008` is `message_pkey`. */
export function getConstraint(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('constraint' in error)) return null;
  return typeof error.constraint === 'string' ? error.constraint.replace(/_\d{6,}$/, '') : null;
}
