/**
 * Moves messages waiting for a failed supplier to the next route. A supplier fails if it is disabled, if its breaker is
 * open, or if no running sender has had a bind to it for some time; it is healthy again once a bind has been held for longer, so that a
 * flapping line does not move messages back and forth. Moved messages do not move back. Its codes move much sooner.
 *
 * Of a ready batch the untouched rest moves, and so do messages the carrier did not accept: both are at no carrier. If
 * the policy is to resend, messages below the intent mark may be at the carrier and wait for their own supplier; so do
 * unaccepted messages of a batch that would take different routes. Batches held by a sender are handed back first,
 * within a second or two.
 *
 * Every sender runs this; the lock on the batch's row decides which of them splits it. A batch that no route is left for
 * is parked with a mark of the routing that it was looked at with, until that changes or its supplier can be reached
 * (decision 091).
 */
import { createHash } from 'node:crypto';
import {
  type LockedMessage,
  lockBatchMessages,
  moveRollups,
  noRollup,
  type RollupDelta,
  type RollupKey,
  type WriterLease,
  withTransaction,
} from '@pahatid/db';
import {
  listKeys,
  listUnreachable,
  parkForSupplier,
  toSupplierKey,
  wakeBatches,
} from '@pahatid/db/queries/batch-parking';
import {
  type BatchPart,
  type FailingBatch,
  lockFailingBatch,
  rerouteMessages,
  splitBatch,
} from '@pahatid/db/queries/batch-splitting';
import { notify, ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import {
  type FailingSupplier,
  type HealthTimes,
  judgeSuppliers,
  listFailingSuppliers,
} from '@pahatid/db/queries/supplier-health';
import { cutIntoRuns, ParkReason, pickByWeight, type RouteRule } from '@pahatid/domain';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { WAITING } from '../settle/message-states.ts';
import { toRollupKey } from '../settle/tally.ts';
import { getDoubtPolicy } from '../submit/send-store.ts';
import { judgeBreakers } from './judge-breakers.ts';
import { RoutingTable } from './routing-table.ts';

const HEALTH_TIMES: HealthTimes = {
  failAfterMs: 10_000,
  healAfterMs: 30_000,
  codesFailAfterMs: 1_000,
  codesHealAfterMs: 5_000,
};

const BATCHES_A_TURN = 200;
/** Of suppliers that fail and have a bind, batches remembered as having no other route: they go by that bind. */
const STUCK_AT_MOST = 1_000;

export interface FailoverOptions {
  readonly pools: { readonly control: Pool; readonly data: Pool };
  readonly writer: WriterLease;
  readonly log: Logger;
  readonly times?: HealthTimes;
}

export class Failover {
  private readonly options: FailoverOptions;
  /**
   * Ready batches without another route whose supplier has a bind, as long as the routes and the suppliers' health do not
   * change.
   */
  private readonly stuck = new Set<bigint>();
  private mark = '';

  constructor(options: FailoverOptions) {
    this.options = options;
  }

  /** Checks the suppliers and moves messages; returns the number of messages moved. */
  async step(): Promise<number> {
    const { pools, log, times = HEALTH_TIMES } = this.options;
    const changes = await judgeSuppliers(pools.control, times);
    for (const { supplierAccount: supplier, failing } of changes) {
      if (failing === 'all') log.error({ supplier }, 'supplier has no bind, messages take other routes');
      else if (failing === 'codes') log.warn({ supplier }, 'supplier has no bind, codes take other routes');
      else log.info({ supplier }, 'supplier recovered');
    }
    const hasMoved = await judgeBreakers(pools.control, log);
    if (changes.length > 0 || hasMoved) await notify(pools.control, ROUTING_CHANNEL, '');
    const failing = await listFailingSuppliers(pools.control);
    if (failing.length === 0) {
      this.stuck.clear();
      return 0;
    }
    return await this.moveBatches(failing);
  }

  private async moveBatches(failing: readonly FailingSupplier[]): Promise<number> {
    const { pools, log } = this.options;
    const lost = failing.filter(({ codesOnly }) => !codesOnly).map(({ supplierId }) => supplierId);
    const unreachable = new Set(await listUnreachable(pools.control, lost));
    let routing = await this.wakeForOthers(lost);
    let moved = 0;
    for (let turn = 0; turn < BATCHES_A_TURN && this.stuck.size < STUCK_AT_MOST; turn++) {
      // Most of the time nothing waits there: the routes are read only when something does.
      const result = await withTransaction(pools.data, async (tx) => {
        const batch = await lockFailingBatch(tx, failing, [...this.stuck]);
        if (batch === null) return null;
        routing ??= await this.loadRouting();
        const messages = await this.moveBatch(tx, routing, batch);
        const isParked = messages === 0 && unreachable.has(batch.supplierId);
        if (isParked) await parkForSupplier(tx, batch.batchId, toSupplierKey(batch.supplierId, this.mark));
        return { batchId: batch.batchId, messages, isParked };
      });
      if (result === null) break;
      const { batchId, messages, isParked } = result;
      moved += messages;
      if (messages > 0) log.info({ batchId: String(batchId), messages }, 'messages rerouted');
      else if (!isParked) this.stuck.add(batchId);
    }
    return moved;
  }

  /**
   * Wakes some of the batches that were parked under another routing than today's: they may have a route now. Returns
   * the routing, if it was read.
   */
  private async wakeForOthers(failing: readonly string[]): Promise<RoutingTable | null> {
    const { pools } = this.options;
    const parked = (await listKeys(pools.data, ParkReason.Supplier, '')).filter((key) =>
      failing.some((supplierId) => key.startsWith(supplierId)),
    );
    if (parked.length === 0 && this.stuck.size === 0) return null;
    const routing = await this.loadRouting();
    const isOld = (key: string): boolean => !key.endsWith(` ${this.mark}`);
    await wakeBatches(pools.data, ParkReason.Supplier, parked.filter(isOld), BATCHES_A_TURN);
    return routing;
  }

  private async loadRouting(): Promise<RoutingTable> {
    const routing = await RoutingTable.load(this.options.pools.control);
    const mark = createHash('sha256').update(routing.routingMark).digest('hex').slice(0, 16);
    if (mark !== this.mark) this.stuck.clear();
    this.mark = mark;
    return routing;
  }

  /** Returns the number of messages moved; 0 if none of them has another route. */
  private async moveBatch(tx: PoolClient, routing: RoutingTable, batch: FailingBatch): Promise<number> {
    const unsent = (await lockBatchMessages(tx, batch, WAITING)).map((row) => ({
      row,
      position: Number(row.messageId - batch.batchId),
      way: wayOf(routing, row),
    }));
    const parts = planParts(batch, unsent);
    if (!parts.some(({ moves }) => moves)) return 0;
    await splitBatch(tx, batch, parts, new Date());
    let moved = 0;
    const rollups = new RollupMoves();
    for (const part of parts.filter((each) => each.moves)) {
      moved += await rerouteMessages(tx, batch, part);
      for (const { row, position } of unsent) {
        if (position >= part.from && position < part.to) rollups.add(row, part.routeId);
      }
    }
    await moveRollups(tx, this.options.writer.writer, rollups.deltas);
    return moved;
  }
}

interface Unsent {
  readonly position: number;
  readonly way: Way | null;
}

interface Part extends BatchPart {
  readonly moves: boolean;
}

/**
 * Returns where to split the batch. Its head keeps every message that a carrier has accepted or may have, because they
 * are charged and counted on it; unaccepted ones in between take the head's next route. The rest, starting at the last
 * of those, is split where its route changes.
 */
function planParts(batch: FailingBatch, unsent: readonly Unsent[]): Part[] {
  const { headEnd, mayHeadMove } = findHead(batch, unsent);
  const end = batch.messageCount;
  const stay = { supplierId: batch.supplierId, routeId: batch.routeId };
  const partAt = (from: number, way: Way | null): Part => {
    const next = pickByWeight(way?.routes ?? [], String(batch.batchId + BigInt(from)));
    return next === null
      ? { ...stay, from, to: end, moves: false }
      : { supplierId: next.supplierId, routeId: next.routeId, from, to: end, moves: true };
  };
  const inHead = cutIntoRuns(unsent.slice(0, indexOf(unsent, headEnd)), isSame);
  const inRest = cutIntoRuns(unsent.slice(indexOf(unsent, headEnd)), isSame);
  const parts: Part[] = [];
  if (headEnd > 0 || (inRest[0]?.from ?? 0) > 0) {
    parts.push(partAt(0, mayHeadMove && inHead.length === 1 ? (inHead[0]?.way ?? null) : null));
  }
  for (const { from, way } of inRest) {
    const part = partAt(from, way);
    const last = parts.at(-1);
    if (last !== undefined && !last.moves && !part.moves) continue;
    if (last !== undefined) last.to = from;
    parts.push(part);
  }
  return parts;
}

const indexOf = (unsent: readonly Unsent[], position: number): number => {
  const index = unsent.findIndex((each) => each.position >= position);
  return index < 0 ? unsent.length : index;
};

/**
 * Below the intent mark only messages listed as not accepted are at no carrier; under the resend policy that list
 * includes those in doubt, and stays.
 */
function findHead(batch: FailingBatch, unsent: readonly Unsent[]): { headEnd: number; mayHeadMove: boolean } {
  const listed = new Set(batch.notTaken);
  const waiting = new Set(unsent.map(({ position }) => position));
  const isListed = unsent.every(({ position }) => position >= batch.intentMark || listed.has(position));
  const mayHeadMove = getDoubtPolicy(batch) === 'hold' && isListed;
  let headEnd = batch.intentMark;
  while (mayHeadMove && waiting.has(headEnd - 1)) headEnd -= 1;
  return { headEnd, mayHeadMove };
}

interface Way {
  /** Equal for equal choices. */
  readonly name: string;
  readonly routes: readonly RouteRule[];
}

const isSame = (a: Way | null, b: Way | null): boolean => a?.name === b?.name;

function wayOf(routing: RoutingTable, row: LockedMessage): Way | null {
  const { routes, isFailing } = routing.choose(row);
  if (isFailing || routes.length === 0) return null;
  return { name: routes.map(({ routeId }) => routeId).join(), routes };
}

/** Moves between statistics rows: a message is counted at its route, so its request moves from one row to the other. */
class RollupMoves {
  readonly deltas = new Map<RollupKey, RollupDelta>();
  private readonly keys = new Map<string, RollupKey>();

  add(row: LockedMessage, routeId: string): void {
    this.count(row, -1);
    this.count({ ...row, routeId }, 1);
  }

  private count(row: LockedMessage, by: number): void {
    const key = toRollupKey(row);
    const name = JSON.stringify(key);
    const same = this.keys.get(name) ?? key;
    this.keys.set(name, same);
    const delta = this.deltas.get(same) ?? noRollup();
    this.deltas.set(same, { ...delta, reqTotal: delta.reqTotal + by });
  }
}
