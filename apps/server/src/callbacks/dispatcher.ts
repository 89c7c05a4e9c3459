/**
 * Delivers waiting events to customers' endpoints. An endpoint is leased, served for a round and released; many are
 * served concurrently, so that one that does not respond delays none of the others. What was sent and not stored when a
 * process died is sent again under the same webhook-id.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { callbackBatch } from '@pahatid/contract';
import { withTransaction } from '@pahatid/db';
import {
  type DueEvent,
  type LeasedEndpoint,
  leaseEndpoints,
  listDueEvents,
  markFailing,
  releaseEndpoint,
  renewEndpoints,
} from '@pahatid/db/queries/callback-dispatch';
import { listCallbackSecrets } from '@pahatid/db/queries/callback-endpoints';
import { callbackTries } from '../metrics/job-metrics.ts';
import type { NotifyDeps } from '../notices/notify.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { JobContext } from '../sending/job-context.ts';
import { gather, sendBatches } from './batches.ts';
import { type HostGate, makeHostGate } from './host-gate.ts';
import type { Sent } from './judge-round.ts';
import type { Poster } from './post.ts';
import { saveRound } from './save-round.ts';
import { perHost, type Round, sendAll } from './send-round.ts';
import { writeBodies } from './write-bodies.ts';

/** A dead process's addresses are served by another after this. */
const leaseMs = 8_000;
const renewMs = 2_000;
/** Endpoints served concurrently. */
const servedAtOnce = 64;
/** Events read, sent and written down together: single ones, and in arrays. */
const eventsAtOnce = 50;
const batchedAtOnce = perHost.least * callbackBatch.events;
/** After a fault of our own. */
const faultPauseMs = 60_000;
/** Then other endpoints are served. */
const turnMs = 10_000;

export interface DispatcherDeps extends NotifyDeps {
  readonly secrets: Secrets;
  readonly poster: Poster;
}

export interface Dispatcher {
  /** Starts serving what is due; true: there may be more. */
  step(): Promise<boolean>;
  /** Resolves when nothing is being served. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export const makeDispatcher = (context: JobContext, deps: DispatcherDeps): Dispatcher =>
  new CallbackDispatcher(context, deps);

class CallbackDispatcher implements Dispatcher {
  private readonly context: JobContext;
  private readonly deps: DispatcherDeps;
  private readonly gate: HostGate = makeHostGate(perHost);
  private readonly served = new Map<string, Promise<void>>();
  private readonly renewing: NodeJS.Timeout;
  private readonly stopping = new AbortController();

  constructor(context: JobContext, deps: DispatcherDeps) {
    this.context = context;
    this.deps = deps;
    this.renewing = setInterval(() => void this.renew(), renewMs);
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  async step(): Promise<boolean> {
    const { pool, owner, offsetMs } = this.context;
    const room = servedAtOnce - this.served.size;
    if (this.stopped || room <= 0) return false;
    const leased = await leaseEndpoints(pool, { owner, limit: room, leaseMs, offsetMs });
    for (const endpoint of leased) {
      const { endpointId } = endpoint;
      const serving = this.serve(endpoint).finally(() => this.served.delete(endpointId));
      this.served.set(endpointId, serving);
    }
    return leased.length > 0;
  }

  async settle(): Promise<void> {
    while (this.served.size > 0) await Promise.all(this.served.values());
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    // Requests in progress end immediately; their responses are not counted, and the next process repeats them.
    this.deps.poster.close();
    await this.settle();
    clearInterval(this.renewing);
  }

  private async renew(): Promise<void> {
    const { pool, owner, offsetMs, log } = this.context;
    if (this.served.size === 0) return;
    const renewed = renewEndpoints(pool, { owner, endpointIds: [...this.served.keys()], leaseMs, offsetMs });
    await renewed.catch((error: unknown) =>
      log.warn({ err: error }, 'callback leases not renewed, another process may take them over'),
    );
  }

  private async serve(endpoint: LeasedEndpoint): Promise<void> {
    const { pool, owner, offsetMs, log } = this.context;
    const { endpointId } = endpoint;
    try {
      await this.takeTurn(endpoint);
    } catch (error) {
      log.error({ err: error, endpointId }, 'callbacks of an endpoint not sent, will retry');
      // An internal fault, not to be retried immediately; if the database is unavailable, the lease expires as well.
      const pause = { delayMs: faultPauseMs, counts: false };
      await markFailing(pool, endpoint, pause, offsetMs).catch(() => undefined);
    }
    this.gate.forget(new URL(endpoint.url).host);
    const released = releaseEndpoint(pool, { owner, endpointId, offsetMs });
    await released.catch((error: unknown) =>
      log.warn({ err: error, endpointId }, 'callback lease not released, it expires by itself'),
    );
  }

  private async takeTurn(endpoint: LeasedEndpoint): Promise<void> {
    const { pool, offsetMs } = this.context;
    const startedAt = performance.now();
    const secrets = await this.openSecrets(endpoint);
    const { isBatched } = endpoint;
    let { isFailing } = endpoint;
    let isAnswering = false;
    while (!this.stopped && performance.now() - startedAt < turnMs) {
      const limit = isBatched ? batchedAtOnce : eventsAtOnce;
      const events = await listDueEvents(pool, { ...endpoint, isFailing }, limit, offsetMs);
      if (events.length === 0) return;
      const { ready, waitMs } = isBatched && !isFailing ? gather(events) : { ready: events, waitMs: 0 };
      if (ready.length === 0) {
        await pause(waitMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
        continue;
      }
      const sent = await this.send(endpoint, ready, secrets, isAnswering);
      if (sent.length === 0) return;
      const verdict = await withTransaction(pool, (tx) => saveRound(tx, endpoint, sent, offsetMs, this.deps));
      for (const { error } of new Set(sent.map(({ posted }) => posted)))
        callbackTries.inc({ result: error ?? 'delivered' });
      if (verdict.kind !== 'answers') return;
      isFailing = false;
      isAnswering = true;
    }
  }

  private async send(
    endpoint: LeasedEndpoint,
    events: readonly DueEvent[],
    secrets: readonly string[],
    isAnswering: boolean,
  ): Promise<Sent[]> {
    const { pool } = this.context;
    const round: Round = {
      endpoint,
      isAnswering,
      secrets,
      bodies: await writeBodies(pool, endpoint, events),
      poster: this.deps.poster,
      gate: this.gate,
      hasStopped: () => this.stopped,
    };
    if (endpoint.isBatched) return await sendBatches(round, events);
    return await sendAll(
      round,
      events.map((event) => [event]),
    );
  }

  private async openSecrets({ endpointId }: LeasedEndpoint): Promise<string[]> {
    const { pool, offsetMs } = this.context;
    const rows = await listCallbackSecrets(pool, endpointId, new Date(Date.now() + offsetMs));
    return rows.map(({ sealed }) => this.deps.secrets.open('webhook-secret', sealed));
  }
}
