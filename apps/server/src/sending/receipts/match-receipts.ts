/** Receipts whose message is not in memory: matched by the carrier's id, or stored until they match. */
import { findRoutes, type LockedMessage, messageIdMs, type RouteEntry } from '@pahatid/db';
import { type CarrierReceipt, namesPhone } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import { LockedRows } from '../settle/locked-rows.ts';
import type { ReceiptEvent } from '../settle/settle.ts';

export interface MatchedReceipt {
  readonly receipt: CarrierReceipt;
  readonly event: ReceiptEvent;
}

/** Receipts come within the longest deadline, 72 hours, and a day: an id alone finds no older message, because ids wrap. */
const ID_ALONE_MS = 96 * 3_600_000;
/** Minimum digits of a phone; fewer are a short code, or the sender ID if the addresses are swapped. */
const PHONE_DIGITS = 9;

/** By supplier account. */
export type ReceiptRoutes = ReadonlyMap<string, readonly RouteEntry[]>;

interface MatchOptions {
  readonly anyPhone?: boolean;
  readonly routes?: ReceiptRoutes;
  readonly locked?: LockedRows;
}

/** All messages that these receipts may be about; locks nothing. */
export const findReceiptRoutes = async (
  tx: PoolClient,
  receipts: readonly CarrierReceipt[],
): Promise<ReceiptRoutes> => {
  const ids = new Map(
    receipts.flatMap(({ supplierId, candidates }) =>
      candidates.map((carrierMessageId) => [`${supplierId} ${carrierMessageId}`, { supplierId, carrierMessageId }]),
    ),
  );
  return Map.groupBy(await findRoutes(tx, [...ids.values()]), ({ supplierId }) => supplierId);
};

/**
 * Looks up each receipt's message by its ids, the likeliest form first. Ids wrap at carriers, so of several messages
 * the newest to the same phone is chosen. A unique id is enough for a receipt that contains no phone; `anyPhone`: also
 * for one that contains another phone, once there was time for its message's response. `locked`: rows that the
 * transaction has locked before.
 */
export const matchReceipts = async (
  tx: PoolClient,
  receipts: readonly CarrierReceipt[],
  { anyPhone = false, routes: known, locked = new LockedRows() }: MatchOptions = {},
): Promise<{ matched: MatchedReceipt[]; waiting: CarrierReceipt[] }> => {
  const matched: MatchedReceipt[] = [];
  const waiting: CarrierReceipt[] = [];
  const found = known ?? (await findReceiptRoutes(tx, receipts));
  // Locked, since they will be changed anyway.
  const rows = new Map((await locked.lock(tx, [...found.values()].flat())).map((row) => [row.messageId, row]));
  for (const [supplierId, ofSupplier] of Map.groupBy(receipts, (receipt) => receipt.supplierId)) {
    const routes = Map.groupBy(found.get(supplierId) ?? [], (route) => route.carrierMessageId);
    for (const receipt of ofSupplier) {
      const isIdEnough = !receipt.needsPhone && (anyPhone || receipt.msisdn.length < PHONE_DIGITS);
      const route = findByPhone(receipt, routes, rows) ?? (isIdEnough ? findById(receipt, routes, rows) : undefined);
      if (route === undefined) waiting.push(receipt);
      else matched.push({ receipt, event: receiptEvent(route, receipt) });
    }
  }
  return { matched, waiting };
};

type Routes = ReadonlyMap<string, readonly RouteEntry[]>;
type Rows = ReadonlyMap<bigint, LockedMessage>;

const findByPhone = (receipt: CarrierReceipt, routes: Routes, rows: Rows): RouteEntry | undefined =>
  receipt.candidates
    .flatMap((candidate) => routes.get(candidate) ?? [])
    .find(({ messageId }) => namesPhone(receipt, rows.get(messageId)?.msisdn ?? ''));

/** Only by the likeliest form of the id: read in another base it may well be that of another message. */
const findById = (receipt: CarrierReceipt, routes: Routes, rows: Rows): RouteEntry | undefined => {
  const since = receipt.receivedMs - ID_ALONE_MS;
  const recent = (routes.get(receipt.candidates[0] ?? '') ?? []).filter(({ messageId }) => {
    const row = rows.get(messageId);
    return row !== undefined && (row.submittedAt?.getTime() ?? messageIdMs(messageId)) >= since;
  });
  return new Set(recent.map(({ messageId }) => messageId)).size === 1 ? recent[0] : undefined;
};

export const receiptEvent = (
  route: Pick<RouteEntry, 'customerId' | 'messageId' | 'part'>,
  receipt: ReceiptEvent['receipt'],
): ReceiptEvent => ({
  kind: 'receipt',
  customerId: route.customerId,
  messageId: route.messageId,
  part: route.part,
  receipt,
});
