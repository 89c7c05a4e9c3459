/** Receipts whose message is not in memory: found by the carrier's id, or kept waiting. */
import { findRoutes, lockMessages, type RouteEntry } from '@pahatid/db';
import { type CarrierReceipt, isSamePhone } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import type { ReceiptEvent } from './settle.ts';

export interface MatchedReceipt {
  readonly receipt: CarrierReceipt;
  readonly event: ReceiptEvent;
}

/**
 * Looks each receipt's message up by its ids, the likeliest form first. Ids wrap at carriers, so of several messages the
 * newest to the same phone is meant.
 */
export const matchReceipts = async (
  tx: PoolClient,
  receipts: readonly CarrierReceipt[],
): Promise<{ matched: MatchedReceipt[]; waiting: CarrierReceipt[] }> => {
  const matched: MatchedReceipt[] = [];
  const waiting: CarrierReceipt[] = [];
  for (const [supplierId, ofSupplier] of Map.groupBy(receipts, (receipt) => receipt.supplierId)) {
    const ids = [...new Set(ofSupplier.flatMap((receipt) => receipt.candidates))];
    const routes = Map.groupBy(await findRoutes(tx, supplierId, ids), (route) => route.carrierMessageId);
    const phones = await findPhones(tx, [...routes.values()].flat());
    for (const receipt of ofSupplier) {
      const route = receipt.candidates
        .flatMap((candidate) => routes.get(candidate) ?? [])
        .find((each) => isSamePhone(phones.get(each.messageId) ?? '', receipt.msisdn));
      if (route === undefined) waiting.push(receipt);
      else matched.push({ receipt, event: receiptEvent(route, receipt) });
    }
  }
  return { matched, waiting };
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
async function findPhones(tx: PoolClient, routes: readonly RouteEntry[]): Promise<Map<bigint, string>> {
  const phones = new Map<bigint, string>();
  const byCustomer = Map.groupBy(routes, (route) => route.customerId);
  for (const customerId of [...byCustomer.keys()].sort()) {
    const ids = [...new Set(byCustomer.get(customerId)!.map((route) => route.messageId))];
    for (const row of await lockMessages(tx, customerId, ids)) phones.set(row.messageId, row.msisdn);
  }
  return phones;
}
