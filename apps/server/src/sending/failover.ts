/**
 * What waits for a supplier that fails takes the next route. A supplier fails when it is disabled, or when no sender that
 * lives has had a bind to it for some time; it counts as healthy again when one has been held for longer, so that a
 * line that comes and goes does not throw messages to and fro. What has moved does not move back.
 *
 * Of a ready batch the untouched rest moves, and so does what the carrier said it did not take: both are at no carrier.
 * Where the policy is to resend, what lies below the intent mark may be at the carrier and waits for its own supplier; so
 * does what was not taken of a batch whose messages would go different ways. Batches that a sender holds are handed back
 * first, within a second or two.
 *
 * Every sender runs this; the lock of the batch's row decides which of them cuts it.
 */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
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
  type BatchPart,
  type FailingBatch,
  lockFailingBatch,
  rerouteMessages,
  splitBatch,
} from '@pahatid/db/queries/batch-splitting';
import { notify, ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import { type HealthTimes, judgeSuppliers, listFailingSuppliers } from '@pahatid/db/queries/supplier-health';
import { cutIntoRuns, pickByWeight, type RouteRule } from '@pahatid/domain';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { RoutingTable } from './routing-table.ts';
import { doubtPolicyOf } from './send-store.ts';
import { rollupKeyOf } from './tally.ts';

export const HEALTH_TIMES: HealthTimes = { failAfterMs: 10_000, healAfterMs: 30_000 };

const BATCHES_A_TURN = 200;
const WAITING = { sendStatus: SendStatus.Waiting, clientStatus: ClientStatus.Accepted } as const;

export interface FailoverOptions {
  readonly pools: { readonly control: Pool; readonly data: Pool };
  readonly writer: WriterLease;
  readonly log: Logger;
  readonly times?: HealthTimes;
}

export class Failover {
  private readonly options: FailoverOptions;
  /** Batches that had no other way, as long as the routes and the suppliers' health stay as they were. */
  private readonly stuck = new Set<bigint>();
  private mark = '';

  constructor(options: FailoverOptions) {
    this.options = options;
  }

  /** Judges the suppliers and moves what must move; answers how many messages moved. */
  async step(): Promise<number> {
    const { pools, log, times = HEALTH_TIMES } = this.options;
    const changes = await judgeSuppliers(pools.control, times);
    for (const { supplierAccount: supplier, isFailing } of changes) {
      if (isFailing) log.error({ supplier }, 'no bind to the supplier: its messages take other routes');
      else log.info({ supplier }, 'the supplier is healthy again');
    }
    if (changes.length > 0) await notify(pools.control, ROUTING_CHANNEL, '');
    const failing = await listFailingSuppliers(pools.control);
    if (failing.length === 0) {
      this.stuck.clear();
      return 0;
    }
    return await this.moveBatches(failing);
  }

  private async moveBatches(failing: readonly string[]): Promise<number> {
    const { pools, log } = this.options;
    let routing: RoutingTable | null = this.stuck.size > 0 ? await this.loadRouting() : null;
    let moved = 0;
    for (let turn = 0; turn < BATCHES_A_TURN; turn++) {
      // Most of the time nothing waits there: the routes are read only when something does.
      const result = await withTransaction(pools.data, async (tx) => {
        const batch = await lockFailingBatch(tx, failing, [...this.stuck]);
        if (batch === null) return null;
        routing ??= await this.loadRouting();
        return { batchId: batch.batchId, messages: await this.moveBatch(tx, routing, batch) };
      });
      if (result === null) break;
      const { batchId, messages } = result;
      moved += messages;
      if (messages === 0) this.stuck.add(batchId);
      else log.info({ batchId: String(batchId), messages }, 'messages took another route');
    }
    return moved;
  }

  private async loadRouting(): Promise<RoutingTable> {
    const routing = await RoutingTable.load(this.options.pools.control);
    if (routing.routingMark !== this.mark) this.stuck.clear();
    this.mark = routing.routingMark;
    return routing;
  }

  /** Answers how many messages moved; 0 where none of them has another way. */
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
 * Where the batch is cut. Its head keeps every message that a carrier has taken or may have, because they are charged and
 * counted on it; what the carrier did not take in between goes by the head's next route. The rest, from the last of those
 * on, is cut where its way changes.
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
 * Below the intent mark only what is listed as not taken is at no carrier; under the policy to resend that list holds
 * what is in doubt too, and stays.
 */
function findHead(batch: FailingBatch, unsent: readonly Unsent[]): { headEnd: number; mayHeadMove: boolean } {
  const listed = new Set(batch.notTaken);
  const waiting = new Set(unsent.map(({ position }) => position));
  const isListed = unsent.every(({ position }) => position >= batch.intentMark || listed.has(position));
  const mayHeadMove = doubtPolicyOf(batch) === 'hold' && isListed;
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

/** A message is counted at the route it goes by: its request moves from the one row of the statistics to the other. */
class RollupMoves {
  readonly deltas = new Map<RollupKey, RollupDelta>();
  private readonly keys = new Map<string, RollupKey>();

  add(row: LockedMessage, routeId: string): void {
    this.count(row, -1);
    this.count({ ...row, routeId }, 1);
  }

  private count(row: LockedMessage, by: number): void {
    const key = rollupKeyOf(row);
    const name = JSON.stringify(key);
    const same = this.keys.get(name) ?? key;
    this.keys.set(name, same);
    const delta = this.deltas.get(same) ?? noRollup();
    this.deltas.set(same, { ...delta, reqTotal: delta.reqTotal + by });
  }
}
