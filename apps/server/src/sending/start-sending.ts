/** The sender put together: engine, store, links, and what goes on beside them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ensurePartitions, forgetBindStates, leaseWriter, uuidV7, WRITER_RENEW_MS } from '@pahatid/db';
import type { HealthTimes } from '@pahatid/db/queries/supplier-health';
import { saveTraffic } from '@pahatid/db/queries/traffic';
import { defaultSettings, type EngineSettings, type SendingEngine, systemClock } from '@pahatid/engine';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { MeteredEngine } from '../metrics/link-metrics.ts';
import { meterStore } from '../metrics/meter-store.ts';
import { lostBatches, recoveredBatches } from '../metrics/sending-metrics.ts';
import type { Secrets } from '../secrets.ts';
import { followRouting } from './follow-routing.ts';
import { listenBatches } from './listen-batches.ts';
import { makeNotifier } from './notifier.ts';
import { SHARE_LEASE_MS, SHARES_EVERY_MS } from './pace-shares.ts';
import { recoverLeases } from './recover-leases.ts';
import { normalizeAddress } from './reply-owner.ts';
import { makeSendStore } from './send-store.ts';
import { SupplierLinks } from './supplier-links.ts';
import { ReceiptSweeper } from './sweep-receipts.ts';
import { trafficCounts } from './traffic-counts.ts';

export interface SendingOptions {
  readonly pools: { readonly control: Pool; readonly data: Pool };
  readonly secrets: Pick<Secrets, 'open'>;
  readonly log: Logger;
  /** The number that customers share for opt-outs. */
  readonly sharedNumber?: string | null;
  readonly settings?: EngineSettings;
  /** Moves the database's clock in tests. */
  readonly clockOffsetMs?: number;
  /** A receipt that matches nothing for so long may be the word about a message in doubt. */
  readonly doubtGraceMs?: number;
  /** After which times without and with a bind a supplier fails and is healthy again. */
  readonly healthTimes?: HealthTimes;
}

export interface Sending {
  readonly owner: string;
  readonly engine: SendingEngine;
  /** Claims nothing more, waits for open answers, hands the rest back, unbinds: within 7 s. */
  stop(): Promise<void>;
}

const SHORTEST_SHARE_LEASE_MS = 2_500;
const SUPPLIERS_EVERY_MS = 5_000;
const RECOVER_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 2_000;
const TRAFFIC_EVERY_MS = 1_000;
const PARTITIONS_EVERY_MS = 3_600_000;
const DRAIN_MS = 4_500;
const UNBIND_MS = 500;
const FINISH_MS = 1_500;

export const startSending = async (options: SendingOptions): Promise<Sending> => {
  const { pools, secrets, log, settings = defaultSettings } = options;
  const owner = uuidV7();
  const writer = await leaseWriter(pools.control, owner);
  const notifier = makeNotifier(pools.control, (err) => log.warn({ err }, 'wake-up call not sent'));
  const tellTasks = (taskIds: Iterable<string>): void => {
    for (const taskId of taskIds) notifier.notifyTask(taskId);
  };
  const store = makeSendStore({
    pool: pools.data,
    owner,
    writer,
    leaseMs: settings.leaseMs,
    inbound: { sharedNumber: options.sharedNumber ? normalizeAddress(options.sharedNumber) : null, log },
    ...(options.clockOffsetMs === undefined ? {} : { clockOffsetMs: options.clockOffsetMs }),
  });
  const engine = new MeteredEngine(
    meterStore(store),
    systemClock,
    {
      onTasks: tellTasks,
      onError: (what, err) => log.warn({ err, what }, 'tried again'),
      onLost: (batchIds) => {
        lostBatches.inc(batchIds.length);
        log.warn({ batchIds: batchIds.map(String) }, 'batches taken over by another sender');
      },
    },
    settings,
  );
  const links = new SupplierLinks({
    control: pools.control,
    owner,
    secrets,
    log,
    engine,
    // As short as the leases of batches where those are shortened, but longer than the second that it must outlast.
    shareLeaseMs: Math.min(SHARE_LEASE_MS, Math.max(SHORTEST_SHARE_LEASE_MS, settings.leaseMs)),
  });
  const sweeper = new ReceiptSweeper(pools.data, writer, options.doubtGraceMs);

  const stopping = new AbortController();
  const loops: Promise<void>[] = [];
  const every = (ms: number, what: string, work: () => Promise<unknown>): void => {
    loops.push(repeat(ms, stopping.signal, work, (err) => log.warn({ err, what }, 'tried again')));
  };
  const recover = async (): Promise<void> => {
    const recovered = await recoverLeases(pools.data, writer, engine.batchIds);
    for (const { batchId, inDoubt, resent } of recovered) {
      log.warn({ batchId: String(batchId), inDoubt, resent }, 'batch of a dead sender taken back');
    }
    recoveredBatches.inc(recovered.length);
    tellTasks(recovered.flatMap(({ taskId }) => taskId ?? []));
    if (recovered.length > 0) engine.wake();
  };

  const saveCounts = async (): Promise<void> => {
    const rows = trafficCounts.take();
    try {
      await saveTraffic(pools.control, owner, rows);
    } catch (error) {
      trafficCounts.giveBack(rows);
      throw error;
    }
  };

  engine.start();
  await links.reload();
  await recover();
  const listener = listenBatches(pools.control, () => engine.wake(), stopping.signal);
  const follower = followRouting({
    pools,
    writer,
    log,
    links,
    onMoved: () => {
      engine.wake();
      notifier.notifySenders();
    },
    times: options.healthTimes,
  });
  every(SUPPLIERS_EVERY_MS, 'suppliers', () => links.reload());
  every(SHARES_EVERY_MS, 'pace', () => links.sharePace());
  every(WRITER_RENEW_MS, 'writer', () => writer.renew());
  every(RECOVER_EVERY_MS, 'recover', recover);
  every(SWEEP_EVERY_MS, 'sweep', async () => {
    const { taskIds, done } = await sweeper.sweep();
    engine.forgetReceipts(done);
    tellTasks(taskIds);
  });
  every(TRAFFIC_EVERY_MS, 'traffic', saveCounts);
  every(PARTITIONS_EVERY_MS, 'partitions', () => ensurePartitions(pools.control, 1));
  every(PARTITIONS_EVERY_MS, 'binds', () => forgetBindStates(pools.control, null));
  engine.wake();

  return {
    owner,
    engine,
    async stop() {
      const isDrained = await engine.drain(DRAIN_MS);
      if (!isDrained) log.warn('answers were still missing when the sender stopped');
      await links.stop(UNBIND_MS);
      const isClean = await engine.finish(FINISH_MS);
      if (!isClean) log.error('the last results could not be committed');
      stopping.abort();
      await Promise.all([...loops, listener, follower.stop()]);
      await saveCounts().catch((err: unknown) => log.warn({ err }, 'the last second of traffic is not shown'));
      await notifier.stop();
      await writer.release();
    },
  };
};

async function repeat(
  everyMs: number,
  signal: AbortSignal,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await sleep(everyMs, undefined, { signal });
    } catch {
      return;
    }
    try {
      await work();
    } catch (error) {
      onError(error);
    }
  }
}
