/** Assembles the sender: engine, store, links, and their background work. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ensurePartitions, forgetBindStates, leaseWriter, listen, uuidV7, WRITER_RENEW_MS } from '@pahatid/db';
import { sweepAnswers } from '@pahatid/db/queries/supplier-breakers';
import type { HealthTimes } from '@pahatid/db/queries/supplier-health';
import { saveTraffic, TRAFFIC_SAVED_EVERY_MS } from '@pahatid/db/queries/traffic';
import { defaultSettings, type EngineSettings, type SendingEngine, systemClock } from '@pahatid/engine';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { MeteredEngine } from '../metrics/link-metrics.ts';
import { meterStore } from '../metrics/meter-store.ts';
import { lostBatches, recoveredBatches } from '../metrics/sending-metrics.ts';
import { limitReports } from '../process/limit-reports.ts';
import { reportChanges } from '../process/report-changes.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { BATCH_CHANNEL, makeNotifier } from './notifier.ts';
import { ReceiptSweeper } from './receipts/sweep-receipts.ts';
import { normalizeAddress } from './replies/reply-owner.ts';
import { followRouting } from './route/follow-routing.ts';
import { trafficCounts } from './settle/traffic-counts.ts';
import { BIND_LEASE_MS, BINDS_EVERY_MS } from './submit/bind-leases.ts';
import { SHARE_LEASE_MS, SHARES_EVERY_MS } from './submit/pace-shares.ts';
import { recoverLeases } from './submit/recover-leases.ts';
import { makeSendStore } from './submit/send-store.ts';
import { SupplierLinks } from './submit/supplier-links.ts';
import type { TestCarrierTimes } from './submit/test-carrier.ts';
import { ParkedWaker } from './submit/wake-parked.ts';

export interface SendingOptions {
  readonly pools: { readonly control: Pool; readonly data: Pool };
  readonly secrets: Pick<Secrets, 'open'>;
  readonly log: Logger;
  /** The number that customers share for opt-outs. */
  readonly sharedNumber?: string | null;
  readonly settings?: EngineSettings;
  /** Moves the database's clock in tests. */
  readonly clockOffsetMs?: number;
  /** A receipt unmatched for this long may belong to a message in doubt. */
  readonly doubtGraceMs?: number;
  /** After which times without and with a bind a supplier fails and is healthy again. */
  readonly healthTimes?: HealthTimes;
  /** Of the carrier of test mode. */
  readonly testTimes?: TestCarrierTimes;
}

export interface Sending {
  readonly owner: string;
  readonly engine: SendingEngine;
  /** Stops claiming, waits for pending responses, hands the rest back, unbinds: within 7 s. */
  stop(): Promise<void>;
}

const SHORTEST_SHARE_LEASE_MS = 2_500;
const SHORTEST_BIND_LEASE_MS = 4_000;
const SUPPLIERS_EVERY_MS = 5_000;
const RECOVER_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 2_000;
const WAKE_EVERY_MS = 500;
const QUERIES_EVERY_MS = 1_000;
const SWEEP_ANSWERS_EVERY_MS = 60_000;
const PARTITIONS_EVERY_MS = 3_600_000;
const DRAIN_MS = 4_500;
const UNBIND_MS = 500;
const FINISH_MS = 1_500;

export const startSending = async (options: SendingOptions): Promise<Sending> => {
  const { pools, secrets, log, settings = defaultSettings } = options;
  const owner = uuidV7();
  const writer = await leaseWriter(pools.control, owner);
  const notifier = makeNotifier(pools.control, (err) =>
    log.warn({ err }, 'notification of the sender failed, receivers poll'),
  );
  const notifyTasks = (taskIds: Iterable<string>): void => {
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
      onTasks: notifyTasks,
      onError: limitReports((what, err, count) => log.warn({ err, what, count }, 'sending step failed, will retry')),
      onLost: (batchIds) => {
        lostBatches.inc(batchIds.length);
        log.warn({ batchIds: batchIds.map(String) }, 'batches lost to another sender, lease expired');
      },
      onUnwritten: (messages) => log.warn({ messages }, 'messages in doubt stay unsent, lease expired before'),
    },
    settings,
  );
  const links = new SupplierLinks({
    control: pools.control,
    owner,
    secrets,
    log,
    engine,
    // As short as the batch leases if those are shortened, but longer than the second that it must outlast.
    shareLeaseMs: Math.min(SHARE_LEASE_MS, Math.max(SHORTEST_SHARE_LEASE_MS, settings.leaseMs)),
    bindLeaseMs: Math.min(BIND_LEASE_MS, Math.max(SHORTEST_BIND_LEASE_MS, settings.leaseMs)),
    testTimes: options.testTimes,
  });
  const sweeper = new ReceiptSweeper(pools.data, writer, options.doubtGraceMs);

  const stopping = new AbortController();
  const loops: Promise<void>[] = [];
  const every = (ms: number, what: string, work: () => Promise<unknown>): void => {
    loops.push(
      repeat(ms, stopping.signal, work, (err) => log.warn({ err, what }, 'sender background work failed, will retry')),
    );
  };
  const recover = async (): Promise<void> => {
    const recovered = await recoverLeases(pools.data, writer, engine.batchIds);
    for (const { batchId, inDoubt, resent } of recovered) {
      log.warn(
        { batchId: String(batchId), inDoubt, resent },
        'batch recovered by a sender, lease of its sender expired',
      );
    }
    recoveredBatches.inc(recovered.length);
    notifyTasks(recovered.flatMap(({ taskId }) => taskId ?? []));
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
  const wake = (): void => engine.wake();
  // Notifications between two connections were lost.
  const listener = listen(pools.control, BATCH_CHANNEL, wake, undefined, wake);
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
  every(BINDS_EVERY_MS, 'bind leases', () => links.shareBinds());
  every(WRITER_RENEW_MS, 'writer', () => writer.renew());
  every(RECOVER_EVERY_MS, 'recover', recover);
  const waker = new ParkedWaker(pools.control, options.clockOffsetMs);
  every(WAKE_EVERY_MS, 'wake', async () => {
    while (!stopping.signal.aborted && (await waker.step()) > 0) engine.wake();
  });
  every(SWEEP_EVERY_MS, 'sweep', async () => {
    const { taskIds, done } = await sweeper.sweep();
    engine.forgetReceipts(done);
    notifyTasks(taskIds);
  });
  every(TRAFFIC_SAVED_EVERY_MS, 'traffic', saveCounts);
  every(QUERIES_EVERY_MS, 'queries', () => links.queryStates());
  every(SWEEP_ANSWERS_EVERY_MS, 'answers', () => sweepAnswers(pools.control));
  every(PARTITIONS_EVERY_MS, 'partitions', () => ensurePartitions(pools.control, 1));
  every(PARTITIONS_EVERY_MS, 'binds', () => forgetBindStates(pools.control, null));
  engine.wake();

  return {
    owner,
    engine,
    async stop() {
      const isDrained = await engine.drain(DRAIN_MS);
      if (!isDrained) log.warn('sender stopped with unanswered submits, they are in doubt');
      await links.stop(UNBIND_MS);
      const isClean = await engine.finish(FINISH_MS);
      if (!isClean) log.error('last results not committed at stop, they are in doubt');
      stopping.abort();
      await Promise.all([...loops, listener.stop(), follower.stop()]);
      await saveCounts().catch((err: unknown) => log.warn({ err }, 'last traffic counts not saved'));
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
  const failures = reportChanges(onError);
  while (!signal.aborted) {
    try {
      await sleep(everyMs, undefined, { signal });
    } catch {
      return;
    }
    try {
      await work();
      failures.worked();
    } catch (error) {
      failures.failed(error);
    }
  }
}
