/**
 * Delivers receipts and phones' texts to the software that is bound to this process. An application is leased while
 * something is delivered to it, so that one process does, and a receipt is sent only once the one before of its message
 * was taken. A delivery is deleted after its deliver_sm_resp; until then it is sent again: when the session ends, when no
 * answer comes, or when the software is busy.
 */
import { uuidV7 } from '@pahatid/db';
import {
  type DueDelivery,
  deleteSmppDeliveries,
  type FailedDelivery,
  leaseSmppDeliveries,
  listDueApplications,
  listDueSmppDeliveries,
  releaseSmppDeliveries,
  saveFailedSmppDeliveries,
} from '@pahatid/db/queries/smpp-deliveries';
import { STATUS } from '@pahatid/smpp';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { smppDelivered } from '../metrics/smpp-metrics.ts';
import type { BoundApplication, LiveBind } from './bound-application.ts';
import { buildDeliver } from './build-deliver.ts';

const LEASE_MS = 15_000;
/** An application is looked at so often, and this often while something is delivered to it. */
const LOOK_MS = 500;
const BUSY_LOOK_MS = 50;
/** In memory of one application. */
const MOST_QUEUED = 500;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;

/** The receiver is busy or failed for a moment; any other status means that it does not want this one. */
const RETRIED: ReadonlySet<number> = new Set([
  STATUS.ESME_RSYSERR,
  STATUS.ESME_RMSGQFUL,
  STATUS.ESME_RTHROTTLED,
  STATUS.ESME_RX_T_APPN,
]);

interface Queued {
  readonly delivery: DueDelivery;
  readonly application: BoundApplication;
}

export interface DeliveriesOptions {
  readonly control: Pool;
  readonly log: Logger;
  readonly applications: ReadonlyMap<string, BoundApplication>;
  /** Moves the database's clock in tests. */
  readonly offsetMs?: number;
}

export class Deliveries {
  private readonly options: DeliveriesOptions;
  private readonly owner = uuidV7();
  /** Waiting for a window, by application. */
  private readonly queues = new Map<string, Queued[]>();
  /** Read and not settled. */
  private readonly underWay = new Map<string, Queued>();
  private readonly leased = new Map<string, number>();
  private taken: DueDelivery[] = [];
  private failed: FailedDelivery[] = [];
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(options: DeliveriesOptions) {
    this.options = options;
    this.schedule(LOOK_MS);
  }

  /** Sends what waits to a bind with room; called when windows become free too. */
  fill(application: BoundApplication): void {
    const queue = this.queues.get(application.account.appId);
    if (queue === undefined || queue.length === 0 || this.stopped) return;
    for (const bind of application.receivers())
      while (bind.session.writableSlots > 0 && queue.length > 0) this.send(bind, queue.shift()!);
  }

  settle(deliveryId: string, status: number | null): void {
    const queued = this.underWay.get(deliveryId);
    if (queued === undefined) return;
    this.underWay.delete(deliveryId);
    const { delivery } = queued;
    if (status === STATUS.ESME_ROK) {
      smppDelivered.inc({ result: 'taken' });
      this.taken.push(delivery);
      return;
    }
    const isRetried = status === null || RETRIED.has(status);
    smppDelivered.inc({ result: isRetried ? 'retried' : 'refused' });
    const retryMs = isRetried
      ? Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(delivery.attempts, 16))
      : null;
    // A lost session says nothing about the receiver's wish: it gets the delivery as soon as it is back.
    this.failed.push({ ...delivery, status, retryMs: status === null ? 0 : retryMs });
  }

  /** Stores what was settled and gives the leases back; what is unanswered is sent again by another process. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
    await this.save();
    await releaseSmppDeliveries(this.options.control, this.owner, [...this.leased.keys()]);
  }

  private schedule(delayMs: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.step()
        .catch((error: unknown) => {
          this.options.log.warn({ err: error }, 'receipts to bound software not read or stored, will retry');
          return LOOK_MS;
        })
        .then((nextMs) => this.schedule(nextMs));
    }, delayMs);
  }

  private async step(): Promise<number> {
    await this.save();
    const appIds = await this.lease();
    const hungry = appIds.filter((appId) => (this.queues.get(appId)?.length ?? 0) < MOST_QUEUED / 2);
    if (hungry.length > 0) await this.read(hungry);
    return appIds.length > 0 ? BUSY_LOOK_MS : LOOK_MS;
  }

  private async save(): Promise<void> {
    const [taken, failed] = [this.taken, this.failed];
    if (taken.length === 0 && failed.length === 0) return;
    this.taken = [];
    this.failed = [];
    try {
      await deleteSmppDeliveries(this.options.control, taken);
      await saveFailedSmppDeliveries(this.options.control, failed);
    } catch (error) {
      this.taken.push(...taken);
      this.failed.push(...failed);
      throw error;
    }
  }

  /** Leases the applications for which something is due; those without are given back when their lease is old. */
  private async lease(): Promise<string[]> {
    const { control, applications, offsetMs = 0 } = this.options;
    const bound = [...applications.values()].filter((each) => each.receivers().length > 0);
    const names = bound.map(({ account }) => account.appId);
    const due = new Set(names.length === 0 ? [] : await listDueApplications(control, names, offsetMs));
    for (const { application } of this.underWay.values()) due.add(application.account.appId);
    const now = performance.now();
    const idle = [...this.leased].filter(([appId, at]) => !due.has(appId) && now - at > LEASE_MS / 3);
    await this.release(idle.map(([appId]) => appId));
    const wanted = [...due].filter((appId) => now - (this.leased.get(appId) ?? -LEASE_MS) > LEASE_MS / 3);
    const got = await leaseSmppDeliveries(control, { owner: this.owner, appIds: wanted, leaseMs: LEASE_MS });
    for (const appId of wanted) {
      if (got.includes(appId)) this.leased.set(appId, now);
      else this.leased.delete(appId);
    }
    return [...due].filter((appId) => this.leased.has(appId));
  }

  private async release(appIds: readonly string[]): Promise<void> {
    if (appIds.length === 0) return;
    await releaseSmppDeliveries(this.options.control, this.owner, appIds);
    for (const appId of appIds) this.leased.delete(appId);
  }

  private async read(appIds: readonly string[]): Promise<void> {
    const { control, applications, offsetMs = 0 } = this.options;
    const settled = [...this.taken, ...this.failed].map(({ deliveryId }) => deliveryId);
    const due = await listDueSmppDeliveries(control, {
      appIds,
      underWay: [...this.underWay.keys(), ...settled],
      limit: MOST_QUEUED,
      offsetMs,
    });
    for (const delivery of due) {
      const application = applications.get(delivery.appId);
      // Answered while the rows were read.
      if (application === undefined || this.underWay.has(delivery.deliveryId) || this.isSettled(delivery)) continue;
      const queued = { delivery, application };
      this.underWay.set(delivery.deliveryId, queued);
      const queue = this.queues.get(delivery.appId) ?? [];
      this.queues.set(delivery.appId, queue);
      queue.push(queued);
    }
    for (const appId of appIds) {
      const application = applications.get(appId);
      if (application === undefined || application.receivers().length === 0) this.forget(appId);
      else this.fill(application);
    }
  }

  private isSettled({ deliveryId }: DueDelivery): boolean {
    return [...this.taken, ...this.failed].some((each) => each.deliveryId === deliveryId);
  }

  /** No receiver is bound any more: the rows stay for the next bind. */
  private forget(appId: string): void {
    for (const { delivery } of this.queues.get(appId) ?? []) this.underWay.delete(delivery.deliveryId);
    this.queues.delete(appId);
  }

  private send(bind: LiveBind, queued: Queued): void {
    const { delivery, application } = queued;
    const pdu = buildDeliver(delivery, application.account.zone);
    if (pdu === null) {
      this.underWay.delete(delivery.deliveryId);
      this.taken.push(delivery);
      return;
    }
    bind.session.send(pdu, delivery.deliveryId);
  }
}
