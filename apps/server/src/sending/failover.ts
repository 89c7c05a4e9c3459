/**
 * What waits for a supplier that fails takes the next route. A supplier fails when it is disabled, or when no sender that
 * lives has had a bind to it for some time; it counts as healthy again when one has been held for longer, so that a
 * line that comes and goes does not throw messages to and fro. What has moved does not move back.
 *
 * Of a ready batch the untouched rest moves, and so does what the carrier said it did not take: both are at no carrier.
 * Where the policy is to resend, what lies below the intent mark may be at the carrier and waits for its own supplier.
 * Batches that a sender holds are handed back first, within a second or two.
 *
 * Every sender runs this; the lock of the batch's row decides which of them cuts it.
 */
import { ClientStatus, SendStatus } from '@pahatid/contract';
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
    const waiting = await lockBatchMessages(tx, batch, WAITING);
    const positionOf = (row: LockedMessage): number => Number(row.messageId - batch.batchId);
    const first = firstMovable(batch, waiting.map(positionOf));
    const rows = waiting.filter((row) => positionOf(row) >= first);
    const unsent = rows.map((row) => ({ position: positionOf(row), way: wayOf(routing, row) }));
    const runs = cutIntoRuns(unsent, (a, b) => a?.name === b?.name);
    if (runs.every(({ way }) => way === null)) return 0;

    const stay = { supplierId: batch.supplierId, routeId: batch.routeId };
    const parts: (BatchPart & { moves: boolean })[] = [];
    if ((runs[0]?.from ?? 0) > 0) parts.push({ ...stay, from: 0, to: batch.messageCount, moves: false });
    for (const { from, way } of runs) {
      const next = pickByWeight(way?.routes ?? [], String(batch.batchId + BigInt(from)));
      const last = parts.at(-1);
      if (last !== undefined && next === null && !last.moves) continue;
      if (last !== undefined) last.to = from;
      parts.push({ ...(next ?? stay), from, to: batch.messageCount, moves: next !== null });
    }
    await splitBatch(tx, batch, parts, new Date());
    let moved = 0;
    const moves = new RollupMoves();
    for (const part of parts.filter((each) => each.moves)) {
      moved += await rerouteMessages(tx, batch, part);
      for (const row of rows) {
        const position = positionOf(row);
        if (position >= part.from && position < part.to) moves.add(row, part.routeId);
      }
    }
    await moveRollups(tx, this.options.writer.writer, moves.deltas);
    return moved;
  }
}

/**
 * The first position that may move. Below the intent mark only what is listed as not taken is at no carrier, and under
 * the policy to resend that list holds what is in doubt too.
 */
function firstMovable(batch: FailingBatch, waiting: readonly number[]): number {
  const listed = new Set(batch.notTaken);
  const below = waiting.filter((position) => position < batch.intentMark);
  const isSafe = doubtPolicyOf(batch) === 'hold' && below.every((position) => listed.has(position));
  return isSafe ? (waiting[0] ?? batch.messageCount) : batch.intentMark;
}

interface Way {
  /** Equal for equal choices. */
  readonly name: string;
  readonly routes: readonly RouteRule[];
}

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
