/**
 * Which of several servers is the leader: the one that takes writes. All connections of a process to the same servers
 * share what was found. It is looked for when it is first needed, after a connection to it failed, and when it stops
 * answering without closing its connections (frozen, or behind a broken network).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A leader that has not answered for so long is given up if another server is the leader. */
const ANSWER_MS = 3_000;
const LOOK_EVERY_MS = 2_000;

/** SQLSTATE “cannot connect now”: what failed with it may be repeated. */
export class NoLeaderError extends Error {
  readonly code = '57P03';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NoLeaderError';
  }
}

/** A connection that can be closed without the server's answer. */
export interface Follower {
  /** Address of the server that it is connected to. */
  readonly server: string | null;
  destroy(): void;
}

export class Leader {
  readonly servers: readonly string[];
  readonly #followers = new Set<Follower>();
  #found: string | null = null;
  #finding: Promise<string> | null = null;
  #isWatching = false;

  constructor(servers: readonly string[]) {
    this.servers = servers;
  }

  /** Throws NoLeaderError if no server takes writes. */
  find(): Promise<string> {
    if (this.#found !== null) return Promise.resolve(this.#found);
    this.#finding ??= this.#look().finally(() => {
      this.#finding = null;
    });
    return this.#finding;
  }

  /** A connection to it failed, or it takes no writes. */
  forget(server: string): void {
    if (this.#found === server) this.#found = null;
  }

  follow(follower: Follower): void {
    this.#followers.add(follower);
    if (!this.#isWatching) void this.#watch();
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower);
  }

  async #look(): Promise<string> {
    try {
      this.#found = await Promise.any(this.servers.map(confirmLeader));
      return this.#found;
    } catch (error) {
      throw new NoLeaderError(`none of ${this.servers.length} database servers takes writes`, error);
    }
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    while (this.#followers.size > 0) {
      await sleep(LOOK_EVERY_MS, undefined, { ref: false });
      const followed = this.#found;
      if (followed !== null && (await confirmLeader(followed).catch(() => null)) === null) this.forget(followed);
      const leader = await this.find().catch(() => null);
      if (leader === null) continue;
      for (const each of this.#followers) if (each.server !== null && each.server !== leader) each.destroy();
    }
    this.#isWatching = false;
  }
}

/** Throws NoLeaderError if the server is a standby. */
export async function assertTakesWrites(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
  if (rows[0]?.isStandby !== false) throw new NoLeaderError('the server is a standby');
}

/** Returns the address if the server takes writes. */
async function confirmLeader(server: string): Promise<string> {
  const client = new pg.Client({
    connectionString: server,
    application_name: 'pahatid leader',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await assertTakesWrites(client);
    return server;
  } finally {
    // Not awaited: a frozen server does not answer to a goodbye.
    client.end().catch(() => {});
  }
}
