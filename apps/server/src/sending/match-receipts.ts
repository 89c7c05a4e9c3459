/** Receipts whose message is not in memory: found by the carrier's id, or kept waiting. */
import { findRoutes, type LockedMessage, lockMessages, messageIdMs, type RouteEntry } from '@pahatid/db';
import { type CarrierReceipt, namesPhone } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import type { ReceiptEvent } from './settle.ts';

export interface MatchedReceipt {
  readonly receipt: CarrierReceipt;
  readonly event: ReceiptEvent;
}

/** Receipts come within the deadline of 72 hours and a day: an id alone finds no older message, because ids wrap. */
const ID_ALONE_MS = 96 * 3_600_000;
/** Digits of a phone at the least; less is a short code, or the sender ID where the addresses are swapped. */
const PHONE_DIGITS = 9;

/**
 * Looks each receipt's message up by its ids, the likeliest form first. Ids wrap at carriers, so of several messages the
 * newest to the same phone is meant. An id that is unique is enough for a receipt that names no phone; `anyPhone`: also
 * for one that names another phone, once there was time for the response of its own message.
 */
export const matchReceipts = async (
  tx: PoolClient,
  receipts: readonly CarrierReceipt[],
  { anyPhone = false } = {},
): Promise<{ matched: MatchedReceipt[]; waiting: CarrierReceipt[] }> => {
  const matched: MatchedReceipt[] = [];
  const waiting: CarrierReceipt[] = [];
  for (const [supplierId, ofSupplier] of Map.groupBy(receipts, (receipt) => receipt.supplierId)) {
    const ids = [...new Set(ofSupplier.flatMap((receipt) => receipt.candidates))];
    const routes = Map.groupBy(await findRoutes(tx, supplierId, ids), (route) => route.carrierMessageId);
    const rows = await lockRouted(tx, [...routes.values()].flat());
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

/** Locks the rows, which will be changed anyway. */
async function lockRouted(tx: PoolClient, routes: readonly RouteEntry[]): Promise<Map<bigint, LockedMessage>> {
  const rows = new Map<bigint, LockedMessage>();
  const byCustomer = Map.groupBy(routes, (route) => route.customerId);
  for (const customerId of [...byCustomer.keys()].sort()) {
    const ids = [...new Set(byCustomer.get(customerId)!.map((route) => route.messageId))];
    for (const row of await lockMessages(tx, customerId, ids)) rows.set(row.messageId, row);
  }
  return rows;
}
