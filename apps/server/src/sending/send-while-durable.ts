/**
 * Sends only while the database keeps what it commits: a commit that a crash forgets is a message sent twice. Looks at the
 * start, and every few seconds, since settings can change and another server can take the address.
 *
 * A standby takes no writes, so with one nothing is submitted anyway: a sender does not begin with it, but one that runs
 * waits, because it still holds results that the server may take once it is promoted.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { sendingRefused } from '../metrics/sending-metrics.ts';
import type { Config } from '../process/config.ts';
import {
  type DatabaseRisk,
  findStoppingRisks,
  listDatabaseRisks,
  readDatabaseState,
} from '../process/database-risks.ts';

export interface SendWhileDurableOptions {
  readonly pool: Pool;
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir' | 'allowsUnsafeDatabase'>;
  readonly log: Logger;
  readonly start: () => Promise<{ stop(): Promise<void> }>;
  readonly everyMs?: number;
}

const EVERY_MS = 5_000;

export async function sendWhileDurable(options: SendWhileDurableOptions): Promise<{ stop(): Promise<void> }> {
  const { pool, config, log, start, everyMs = EVERY_MS } = options;
  const stopping = new AbortController();
  let sending: { stop(): Promise<void> } | null = null;
  let reported = '';
  let wasRefused = false;

  const report = (risks: readonly DatabaseRisk[], stops: readonly DatabaseRisk[]): void => {
    const lines = risks.map(({ line }) => line);
    const kinds = risks.map(({ kind }) => kind).join();
    if (kinds === reported) return;
    reported = kinds;
    if (stops.length > 0) log.error({ risks: lines }, 'sending refused, database may lose what it commits');
    else if (risks.length > 0) log.warn({ risks: lines }, 'database may lose what it committed');
  };

  const look = async (): Promise<void> => {
    const risks = await readRisks(pool, config);
    const stops = findStoppingRisks(risks, config).filter(({ kind }) => sending === null || kind !== 'standby');
    report(risks, stops);
    sendingRefused.set(stops.length > 0 ? 1 : 0);
    if (stops.length > 0) {
      await sending?.stop();
      sending = null;
    } else if (sending === null) {
      sending = await start();
      if (wasRefused) log.info('sending begins, the risks of the database are gone');
    }
    wasRefused = stops.length > 0;
  };

  await look();
  const looking = (async () => {
    while (!stopping.signal.aborted) {
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
      // Without the database nothing is sent, and what was begun goes on when it is back.
      if (!stopping.signal.aborted) await look().catch((err: unknown) => log.debug({ err }, 'database not examined'));
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await looking;
      await sending?.stop();
    },
  };
}

/** A connection keeps the settings that its role and database had when it began: one with a risk is closed. */
async function readRisks(pool: Pool, config: SendWhileDurableOptions['config']): Promise<DatabaseRisk[]> {
  const client = await pool.connect();
  let isUnsafe = true;
  try {
    const risks = listDatabaseRisks(await readDatabaseState(client, config));
    isUnsafe = findStoppingRisks(risks, config).length > 0;
    return risks;
  } finally {
    client.release(isUnsafe);
  }
}
