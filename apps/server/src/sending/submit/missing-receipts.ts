/**
 * Asks a carrier by query_sm for the receipts that it did not send. Every message is asked about in rounds, each at a
 * greater age, so the pauses grow and a message is asked about at most as often as there are rounds. The position of a
 * round moves in the database once all answers up to it are durable: after a crash at most the last step is repeated.
 */
import { BY_KEY, withTransaction } from '@pahatid/db';
import {
  listQueryBatches,
  type OpenPart,
  type QueryPosition,
  readOpenParts,
  readQueryPosition,
  saveQueryPosition,
} from '@pahatid/db/queries/query-positions';
import { partBit } from '@pahatid/engine';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { countQuery, countQueryAnswer } from '../../metrics/query-metrics.ts';
import type { QueryAnswer } from '../receipts/read-query-answer.ts';
import type { SupplierLink } from './supplier-link.ts';

/** Ages at which a message is asked about, as shares of the deadline: the pauses between them grow. */
const ROUNDS = [1 / 8, 1 / 4, 1 / 2, 15 / 16] as const;
/** Queries of an account in one step, so a second. */
const QUERIES_A_STEP = 10;
/** Batches are looked for in so many pieces in a step, most of which have nothing that is open. */
const LOOKS_A_STEP = 10;
/** Between two steps if there was nothing to ask about. */
const IDLE_MS = 10_000;
/** A carrier that refuses so many in a row, or does not answer one, is left for a time that doubles. */
const REFUSALS_AT_MOST = 10;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** What is asked about now. */
interface Piece {
  readonly round: number;
  /** Where the round continues. */
  readonly end: QueryPosition;
  readonly parts: OpenPart[];
  /** Asked, and the answer is not durable. */
  open: number;
}

export class MissingReceipts {
  private readonly pool: Pool;
  private readonly link: SupplierLink;
  private readonly log: Logger;
  private piece: Piece | null = null;
  private refusals = 0;
  private pauseMs = FIRST_PAUSE_MS;
  /** Monotonic milliseconds. */
  private nextAt = 0;

  constructor(pool: Pool, link: SupplierLink, log: Logger) {
    this.pool = pool;
    this.link = link;
    this.log = log;
  }

  /** To be called once a second. */
  async step(): Promise<void> {
    const deadlineMs = this.link.queryDeadlineMs;
    if (deadlineMs === null) {
      // Another process asks from here on, from the stored position.
      this.piece = null;
      return;
    }
    if (performance.now() < this.nextAt) return;
    this.piece ??= await this.findPiece(deadlineMs);
    const { piece } = this;
    if (piece === null) {
      this.nextAt = performance.now() + IDLE_MS;
      return;
    }
    this.ask(piece);
    if (piece.parts.length > 0 || piece.open > 0) return;
    await this.save(piece);
    this.piece = null;
  }

  /** The oldest messages first: they are the next to become unknown. */
  private async findPiece(deadlineMs: number): Promise<Piece | null> {
    let looks = 0;
    for (let round = ROUNDS.length - 1; round >= 0; round--) {
      for (;;) {
        const piece = await this.look(round, deadlineMs);
        if (piece === null) break;
        if (piece.parts.length > 0 || ++looks === LOOKS_A_STEP) return piece;
        await this.save(piece);
      }
    }
    return null;
  }

  /** The next batches of a round; null if there are none yet. */
  private async look(round: number, deadlineMs: number): Promise<Piece | null> {
    const { supplierId } = this.link;
    // Those that a later round asks about are not asked about twice in a row.
    const age = { fromMs: deadlineMs * ROUNDS[round]!, toMs: deadlineMs * (ROUNDS[round + 1] ?? 1) };
    return await withTransaction(
      this.pool,
      async (tx) => {
        const position = await readQueryPosition(tx, supplierId, round);
        const batches = await listQueryBatches(tx, supplierId, position, age);
        const end = batches.at(-1);
        if (end === undefined) return null;
        const parts = await readOpenParts(tx, supplierId, batches, deadlineMs * ROUNDS[0]);
        const open = parts.filter(({ part, partsDelivered }) => (partsDelivered & partBit(part)) === 0);
        return { round, end, parts: open, open: 0 };
      },
      BY_KEY,
    );
  }

  private async save({ round, end }: Piece): Promise<void> {
    await saveQueryPosition(this.pool, this.link.supplierId, round, end);
  }

  private ask(piece: Piece): void {
    const { supplierId, queriesAtMost } = this.link;
    for (let asked = 0; asked < QUERIES_A_STEP && piece.open < queriesAtMost; asked++) {
      // A pause may begin meanwhile.
      const part = performance.now() < this.nextAt ? undefined : piece.parts.shift();
      if (part === undefined) return;
      if (!this.link.queryPart(part, (answer) => this.take(piece, answer))) {
        piece.parts.unshift(part);
        return;
      }
      piece.open += 1;
      countQuery(supplierId);
    }
  }

  private take(piece: Piece, answer: QueryAnswer): void {
    countQueryAnswer(this.link.supplierId, answer.kind === 'state' ? answer.state.toLowerCase() : answer.kind);
    const done = () => {
      piece.open -= 1;
    };
    if (answer.kind !== 'state') {
      done();
      this.noteFailure(answer.kind === 'refused' ? answer.status : null);
      return;
    }
    this.refusals = 0;
    this.pauseMs = FIRST_PAUSE_MS;
    if (answer.receipt === null) done();
    else this.link.applyState(answer.receipt, done);
  }

  /** Such a message is asked about again in the next round, if there is one. `status`: null without an answer. */
  private noteFailure(status: number | null): void {
    this.refusals += 1;
    const isPaused = performance.now() < this.nextAt;
    if (isPaused || (status !== null && this.refusals < REFUSALS_AT_MOST)) return;
    const { pauseMs } = this;
    this.refusals = 0;
    this.nextAt = performance.now() + pauseMs;
    this.pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    this.log.warn({ status, pauseMs }, 'carrier does not answer query_sm, queries paused');
  }
}
