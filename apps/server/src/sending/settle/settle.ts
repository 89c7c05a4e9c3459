/**
 * The locked path for changing rows: under a lock, from their current state. For cases the fast path (rows as expected)
 * does not cover: receipts of messages that are not in memory, rows in doubt, commits of unknown outcome.
 */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import {
  findBatchIds,
  insertDoubts,
  insertMissingRoutes,
  type LockedMessage,
  type NewRoute,
  type OutcomeRow,
  resolveDoubts,
  writeOutcomes,
} from '@pahatid/db';
import { DealResult, raisesClientStatus } from '@pahatid/domain';
import { allPartsDelivered, type CarrierReceipt, mergeChange, partBit, type RowState } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import { LockedRows } from './locked-rows.ts';
import { type Tally, toTallyMessage } from './tally.ts';

/** A response of the carrier, or its absence. */
export interface AnswerEvent {
  readonly kind: 'answer';
  readonly customerId: string;
  readonly messageId: bigint;
  readonly wanted: RowState;
  readonly dealResult: string | null;
  readonly carrierCode: string | null;
  readonly submittedMs: number | null;
  readonly answeredMs: number | null;
  readonly reportMs: number | null;
  readonly partsDelivered: number;
  readonly routes: readonly NewRoute[];
}

export interface ReceiptEvent {
  readonly kind: 'receipt';
  readonly customerId: string;
  readonly messageId: bigint;
  readonly part: number;
  readonly receipt: Pick<
    CarrierReceipt,
    'clientStatus' | 'final' | 'dealResult' | 'carrierCode' | 'reportMs' | 'receivedMs'
  >;
}

export type RowEvent = AnswerEvent | ReceiptEvent;

interface Fold {
  readonly row: LockedMessage;
  state: RowState;
  bits: number;
  dealResult: string | null;
  carrierCode: string | null;
  submittedMs: number | null;
  answeredMs: number | null;
  reportMs: number | null;
  by: 'receipt' | 'response';
  readonly routes: NewRoute[];
}

/** Applies events in order. Rows are locked in order of their keys, except those that the caller has `locked`. */
export const settleRows = async (
  tx: PoolClient,
  tally: Tally,
  events: readonly RowEvent[],
  locked = new LockedRows(),
): Promise<void> => {
  if (events.length === 0) return;
  const folds = new Map((await locked.lock(tx, events)).map((row) => [row.messageId, foldOf(row)]));
  for (const event of events) {
    const fold = folds.get(event.messageId);
    if (fold === undefined) continue;
    if (event.kind === 'answer') foldAnswer(fold, event);
    else foldReceipt(fold, event);
  }
  await writeFolds(tx, tally, [...folds.values()]);
};

const foldOf = (row: LockedMessage): Fold => ({
  row,
  state: stateOf(row),
  bits: row.partsDelivered,
  dealResult: null,
  carrierCode: null,
  submittedMs: null,
  answeredMs: null,
  reportMs: null,
  by: 'response',
  routes: [],
});

const stateOf = (row: LockedMessage): RowState => ({
  sendStatus: row.sendStatus as SendStatus,
  clientStatus: row.clientStatus as ClientStatus,
});

function foldAnswer(fold: Fold, event: AnswerEvent): void {
  const next = mergeChange(fold.state, event.wanted);
  fold.routes.push(...event.routes);
  fold.bits |= event.partsDelivered;
  fold.submittedMs ??= event.submittedMs;
  foldMerged(fold, event, next);
  // Receipts of some parts were in the event, those of others in the row.
  const isWhole = event.partsDelivered !== 0 && allPartsDelivered(fold.bits, fold.row.pkgTotal);
  if (!isWhole || fold.state.sendStatus !== SendStatus.Successful) return;
  if (!raisesClientStatus(fold.state.clientStatus, ClientStatus.Delivered)) return;
  fold.state = { sendStatus: SendStatus.Successful, clientStatus: ClientStatus.Delivered };
  fold.dealResult = DealResult.Delivered;
  fold.reportMs = event.reportMs ?? Date.now();
}

function foldMerged(fold: Fold, event: AnswerEvent, next: RowState): void {
  if (next === fold.state) return;
  if (next.sendStatus !== fold.state.sendStatus) fold.answeredMs = event.answeredMs;
  // The text belongs to the state it explains.
  if (next.sendStatus === event.wanted.sendStatus && next.clientStatus === event.wanted.clientStatus) {
    fold.dealResult = event.dealResult;
    fold.carrierCode = event.carrierCode;
    fold.reportMs = event.reportMs;
  }
  fold.state = next;
}

function foldReceipt(fold: Fold, { part, receipt }: ReceiptEvent): void {
  const { state } = fold;
  // What the carrier refused, or what we never sent, has no receipt.
  if (state.sendStatus === SendStatus.Failed) return;
  let next: ClientStatus = receipt.final ? receipt.clientStatus : ClientStatus.Submitted;
  if (next === ClientStatus.Delivered) {
    fold.bits |= partBit(part);
    if (!allPartsDelivered(fold.bits, fold.row.pkgTotal)) next = ClientStatus.Submitted;
  }
  if (state.sendStatus !== SendStatus.Successful) {
    // A receipt proves that the carrier has this part; the others are still unknown.
    if (next === ClientStatus.Submitted && fold.row.pkgTotal > 1) return;
    fold.by = 'receipt';
  }
  const rises = raisesClientStatus(state.clientStatus, next);
  fold.state = { sendStatus: SendStatus.Successful, clientStatus: rises ? next : state.clientStatus };
  if (!rises || next === ClientStatus.Submitted) return;
  fold.dealResult = receipt.dealResult;
  fold.carrierCode = receipt.carrierCode;
  fold.reportMs = receipt.reportMs ?? receipt.receivedMs;
}

async function writeFolds(tx: PoolClient, tally: Tally, folds: readonly Fold[]): Promise<void> {
  const changed = folds.filter(
    ({ row, state, bits, routes }) =>
      state.sendStatus !== row.sendStatus ||
      state.clientStatus !== row.clientStatus ||
      bits !== row.partsDelivered ||
      routes.length > 0,
  );
  if (changed.length === 0) return;
  const missed = await writeOutcomes(tx, changed.map(outcomeOf));
  if (missed.length > 0) throw new Error('rows under lock were changed by another');
  const moved = changed.filter(
    ({ row, state }) => state.sendStatus !== row.sendStatus || state.clientStatus !== row.clientStatus,
  );
  const batches = await findBatchIds(
    tx,
    moved.map(({ row }) => row.messageId),
  );
  for (const { row, state } of moved) {
    tally.add(toTallyMessage(row, batches.get(row.messageId) ?? row.messageId), stateOf(row), state);
  }
  await insertMissingRoutes(
    tx,
    changed.flatMap(({ routes }) => routes),
  );
  await moveDoubts(tx, moved);
}

async function moveDoubts(tx: PoolClient, moved: readonly Fold[]): Promise<void> {
  const at = new Date();
  const entered = moved.filter(
    ({ row, state }) => row.sendStatus === SendStatus.Waiting && state.sendStatus === SendStatus.Sending,
  );
  await insertDoubts(
    tx,
    entered.map(({ row }) => row),
    at,
    null,
  );
  const left = moved.filter(
    ({ row, state }) => row.sendStatus === SendStatus.Sending && state.sendStatus !== SendStatus.Sending,
  );
  for (const by of ['receipt', 'response'] as const) {
    const rows = left.filter((fold) => fold.by === by).map(({ row }) => row);
    await resolveDoubts(tx, rows, by, at);
  }
}

const outcomeOf = (fold: Fold): OutcomeRow => ({
  customerId: fold.row.customerId,
  messageId: fold.row.messageId,
  before: { ...stateOf(fold.row), partsDelivered: fold.row.partsDelivered },
  after: fold.state,
  dealResult: fold.dealResult,
  carrierCode: fold.carrierCode,
  submittedMs: fold.submittedMs,
  answeredMs: fold.answeredMs,
  reportMs: fold.reportMs,
  partsDelivered: fold.bits,
});
