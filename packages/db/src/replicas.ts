/**
 * Standby servers that answer what is only read. One is used while it has all that the leader had a few seconds ago: this is
 * measured by positions in the WAL, at times of the leader's clock, so that neither clocks of other machines nor an idle
 * leader count. Otherwise, and for whatever a replica does not answer, the leader is asked.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { inScope, type Scope } from './scope.ts';
import { isPassing } from './with-transaction.ts';

/** A replica that is further behind is not used. */
export const REPLICA_LAG_MS = 5_000;
const LOOK_EVERY_MS = 1_000;
/** Looks that are kept: enough to date a replica that is a minute behind. */
const LOOKS_KEPT = 60;

interface Replica {
  readonly pool: pg.Pool;
  /** It has all that the leader had at this time of the leader's clock, milliseconds; null: not known, or it is no standby. */
  freshMs: number | null;
}

export interface ReplicasOptions {
  readonly lagMs?: number;
  readonly everyMs?: number;
}

export class Replicas {
  readonly #leader: pg.Pool;
  readonly #replicas: readonly Replica[];
  readonly #lagMs: number;
  readonly #everyMs: number;
  readonly #ending = new AbortController();
  readonly #looking: Promise<unknown>;
  #looks: { readonly atMs: number; readonly position: bigint }[] = [];
  /** The leader's clock at the last look. */
  #leaderMs = 0;
  #seenAt = 0;
  #turn = 0;

  constructor(leader: pg.Pool, pools: readonly pg.Pool[], options: ReplicasOptions = {}) {
    this.#leader = leader;
    this.#replicas = pools.map((pool) => ({ pool, freshMs: null }));
    this.#lagMs = options.lagMs ?? REPLICA_LAG_MS;
    this.#everyMs = options.everyMs ?? LOOK_EVERY_MS;
    // Side by side: one that does not answer holds up no other.
    const looks = [() => this.#lookAtLeader(), ...this.#replicas.map((each) => () => this.#lookAt(each))];
    this.#looking = Promise.all(looks.map((look) => this.#repeat(look)));
  }

  /** By how many milliseconds each is behind the leader; null: not known. */
  lags(): (number | null)[] {
    return this.#replicas.map(({ freshMs }) => (freshMs === null ? null : Math.max(0, this.#nowMs() - freshMs)));
  }

  /**
   * Runs a transaction that only reads: on a replica that is fresh enough, and has all that the leader had at `since`, else
   * on the leader.
   */
  async read<T>(scope: Scope, work: (tx: pg.PoolClient) => Promise<T>, since: Date | null = null): Promise<T> {
    const replica = this.#choose(since);
    if (replica === null) return inScope(this.#leader, scope, work);
    try {
      return await inScope(replica.pool, scope, work, { attempts: 1 });
    } catch (error) {
      if (!isPassing(error) && !isReplicas(error)) throw error;
      // Until the next look at it.
      replica.freshMs = null;
      return inScope(this.#leader, scope, work);
    }
  }

  /** Ends looking and closes the connections to replicas. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#looking;
    await Promise.all(this.#replicas.map(({ pool }) => pool.end()));
  }

  #choose(since: Date | null): Replica | null {
    const atLeast = Math.max(this.#nowMs() - this.#lagMs, since?.getTime() ?? 0);
    const fresh = this.#replicas.filter(({ freshMs }) => freshMs !== null && freshMs >= atLeast);
    this.#turn++;
    return fresh[this.#turn % fresh.length] ?? null;
  }

  /** The leader's clock now. */
  #nowMs(): number {
    return this.#leaderMs + (performance.now() - this.#seenAt);
  }

  async #lookAtLeader(): Promise<void> {
    const { rows } = await this.#leader.query<{ atMs: number; position: string }>(
      `select (extract(epoch from clock_timestamp()) * 1000)::float8 as "atMs",
         pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as position`,
    );
    const found = rows[0];
    if (found === undefined) return;
    this.#leaderMs = found.atMs;
    this.#seenAt = performance.now();
    this.#looks = [...this.#looks, { atMs: found.atMs, position: BigInt(found.position) }].slice(-LOOKS_KEPT);
  }

  async #lookAt(replica: Replica): Promise<void> {
    const { rows } = await replica.pool.query<{ position: string | null }>(
      `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text end as position`,
    );
    const position = rows[0]?.position ?? null;
    const has = position === null ? null : this.#looks.findLast((look) => look.position <= BigInt(position));
    replica.freshMs = has?.atMs ?? null;
  }

  async #repeat(look: () => Promise<void>): Promise<void> {
    while (!this.#ending.signal.aborted) {
      // What can't be seen grows old.
      await look().catch(() => {});
      await sleep(this.#everyMs, undefined, { signal: this.#ending.signal }).catch(() => {});
    }
  }
}

/** It took too long, or wrote. What is cancelled for the replay of the WAL (40001) is passing. */
const isReplicas = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '57014' || error.code === '25006');
