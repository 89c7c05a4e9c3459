/**
 * Connections. Type mapping: bigint (int8) is a string, because message IDs reach 10^18 and exceed what a number holds
 * exactly (2^53); money is bigint too (micro-units of the currency, always below 2^53), so its readers may use
 * `Number(…)`. A date stays the text `2026-11-21`: as a Date it would shift with the machine's time zone.
 */
import pg from 'pg';
import { splitHosts } from './leader/hosts.ts';
import { clientClassFor } from './leader/leader-client.ts';
import { makePooledClient } from './pooled-client.ts';

export interface ConnectOptions {
  /** Of one server, or of several, of which the one that takes writes is used: `postgres://user@db1,db2/pahatid`. */
  readonly url: string;
  /** Of a PgBouncer in transaction mode in front of it, through which a pool connects. */
  readonly poolerUrl?: string | null;
  /** Shown in pg_stat_activity, e.g. `pahatid sender`. */
  readonly applicationName: string;
  readonly max?: number;
  /**
   * So many stay open when nothing is asked of them: a connection has its plans and what it has read of the catalog, which
   * a new one takes tens of milliseconds of processor time to gather.
   */
  readonly kept?: number;
  /** How long an answer is waited for, of a server that may be frozen; 0: for ever. */
  readonly answerTimeoutMs?: number;
  /** 0: none. */
  readonly statementTimeoutMs?: number;
  /** A transaction idle for this long is terminated, which releases its locks. */
  readonly idleInTransactionTimeoutMs?: number;
  /** false: on Citus, settings of a transaction stay on the node that is connected to. */
  readonly forwardsSettings?: boolean;
  /** Called for a connection that broke while idle; the pool replaces it automatically. */
  readonly onError?: (error: Error) => void;
}

const DEFAULT_STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const DATE_OID = 1082;

/**
 * On Citus a transaction that touches several shards is 10 to 18 times slower without the first two; plain PostgreSQL
 * takes names with a dot for settings of an extension and accepts them.
 */
const SESSION_SETTINGS = {
  'citus.max_adaptive_executor_pool_size': '1',
  'citus.enable_deadlock_prevention': 'off',
};

/** Pools that connect through PgBouncer, with the address of what is behind it. */
const pooled = new WeakMap<pg.Pool, ConnectOptions>();

export function makePool(options: ConnectOptions): pg.Pool {
  const { url, poolerUrl = null, max = 10, kept = 0 } = options;
  const size = { max, min: kept };
  const pool = new pg.Pool(
    poolerUrl === null
      ? { ...connectionConfig(options), ...size, Client: clientClassFor(url) }
      : { ...pooledConfig(options, poolerUrl), ...size, Client: makePooledClient(settingsOf(options)) },
  );
  if (poolerUrl !== null) pooled.set(pool, options);
  pool.on('error', (error) => options.onError?.(error));
  // The events that a connection is ready and that it has ended may arrive together: then it has already been handed
  // out, and its user is not listening yet. The user gets the error from its next query.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** One connection, not yet opened: for LISTEN, for a lock held long, for migrations. */
export function makeClient(options: Omit<ConnectOptions, 'max' | 'kept'>): pg.Client {
  const client = new (clientClassFor(options.url))(connectionConfig(options));
  client.on('error', (error) => options.onError?.(error));
  return client;
}

/** For LISTEN: one connection to the server of a pool, never to a PgBouncer. `end` returns or closes it. */
export async function connectDirectly(pool: pg.Pool): Promise<{ client: pg.ClientBase; end: () => void }> {
  const options = pooled.get(pool);
  if (options === undefined) {
    const client = await pool.connect();
    return { client, end: () => client.release(true) };
  }
  const client = makeClient(options);
  await client.connect();
  return { client, end: () => void client.end().catch(() => {}) };
}

const settingsOf = (options: ConnectOptions): Record<string, string> => ({
  ...SESSION_SETTINGS,
  'citus.propagate_set_commands': options.forwardsSettings === false ? 'none' : 'local',
  timezone: 'UTC',
  statement_timeout: String(options.statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(options.idleInTransactionTimeoutMs ?? IDLE_IN_TRANSACTION_TIMEOUT_MS),
});

/** PgBouncer refuses settings at the start of a connection; those of a session would reach another's transaction. */
const pooledConfig = (options: ConnectOptions, poolerUrl: string) => {
  const { options: _, ...config } = connectionConfig(options);
  return {
    ...config,
    connectionString: poolerUrl,
    // PgBouncer notes the time zone of each of its clients, and sets it wherever their statements run.
    onConnect: (client: pg.ClientBase) => client.query("set timezone to 'UTC'"),
  };
};

function connectionConfig(options: ConnectOptions): pg.ClientConfig {
  return {
    connectionString: splitHosts(options.url)[0],
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: options.answerTimeoutMs ?? 0,
    keepAlive: true,
    options: Object.entries(settingsOf(options))
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === DATE_OID ? String : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}
