/** Receipts that waited: a matched one must have left its mark, and none may wait if its message is known. */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { routeAgeMs } from '@pahatid/db';
import { readKeptSince } from '@pahatid/db/queries/kept-since';
import {
  type KeptReceipt,
  type RoutedMessage,
  readKeptReceipts,
  readRoutedMessages,
} from '@pahatid/db/queries/verify/receipts';
import { clientStatusRank } from '@pahatid/domain';
import { namesPhone } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import { idForms } from '../sending/receipts/receipt-ids.ts';
import type { Findings } from './difference.ts';

/** A sender looks at all that wait every few seconds, in turns of some hundreds. */
const OPEN_GRACE_MS = 600_000;
/** Tried for so long, then left for staff to see. */
const ORPHAN_MS = 7 * 86_400_000;

export const checkReceipts = async (
  tx: PoolClient,
  findings: Findings,
  customerId: string | null,
  sinceMs: number,
): Promise<void> => {
  const since = new Date(Math.max(sinceMs, Date.now() - routeAgeMs));
  // An older receipt may be of a message whose route was dropped.
  const completeSinceMs = (await readKeptSince(tx, 'dlr_route')) + routeAgeMs;
  for await (const receipts of readKeptReceipts(tx, since)) {
    findings.looked.receipts += receipts.length;
    const asked = receipts.flatMap(({ supplierId, carrierMessageId }, index) =>
      idForms(carrierMessageId).map((form) => ({ index, supplierId, form })),
    );
    const messages = Map.groupBy(await readRoutedMessages(tx, asked), (message) => message.index);
    for (const [index, receipt] of receipts.entries()) {
      const routed = messages.get(index) ?? [];
      const ours = findOurs(receipt, routed);
      // It may have been for a message that is not there any more.
      if (ours.length === 0 && routed.some(({ isGone }) => isGone)) continue;
      if (ours.length === 0 && receipt.isMatched && Date.now() - receipt.ageMs < completeSinceMs) continue;
      if (customerId === null || ours.some((message) => message.customerId === customerId)) {
        checkReceipt(findings, receipt, ours);
      }
    }
  }
};

/** Returns the messages to its phone; without a phone, a matched receipt was matched by its id alone. */
function findOurs(receipt: KeptReceipt, routed: readonly RoutedMessage[]): RoutedMessage[] {
  const kept = routed.filter(({ isGone }) => !isGone);
  const ofPhone = kept.filter(({ msisdn }) => namesPhone(receipt, msisdn));
  if (ofPhone.length > 0 || !receipt.isMatched) return ofPhone;
  return kept.filter(({ carrierMessageId }) => carrierMessageId === receipt.carrierMessageId);
}

function checkReceipt(findings: Findings, receipt: KeptReceipt, messages: readonly RoutedMessage[]): void {
  const { supplierId, receiptId, clientStatus, final, isMatched, ageMs } = receipt;
  const [newest] = [...messages].sort((a, b) => (a.messageId > b.messageId ? -1 : 1));
  const fix = { how: 'reopenReceipt', supplierId, receiptId } as const;
  const isTried = ageMs < ORPHAN_MS;
  const said = final ? `receipt ${clientStatus}` : 'under way';
  if (newest === undefined) {
    if (!isMatched && !isTried) findings.orphans += 1;
    if (isMatched)
      findings.add({ check: 'receipt', customerId: null, what: receiptId, kept: 'matched', derived: 'no message' });
    return;
  }
  const { customerId, messageId } = newest;
  const at = { check: 'receipt', customerId, messageId, what: receiptId, ...(isTried ? { fix } : {}) } as const;
  if (!isMatched) {
    if (ageMs > OPEN_GRACE_MS) findings.add({ ...at, kept: 'waiting', derived: 'matched' });
    return;
  }
  if (messages.some((message) => hasLeftMark(receipt, message))) return;
  findings.add({ ...at, kept: `message ${newest.sendStatus}/${newest.clientStatus}`, derived: said });
}

function hasLeftMark({ clientStatus, final }: KeptReceipt, message: RoutedMessage): boolean {
  // What the carrier refused has no receipt.
  if (message.sendStatus === SendStatus.Failed) return true;
  const isPart = message.pkgTotal > 1 && clientStatus === ClientStatus.Delivered;
  if (isPart && message.partsDelivered !== 0) return true;
  if (message.sendStatus !== SendStatus.Successful) return !final && message.pkgTotal > 1;
  const wanted = final ? (clientStatus as ClientStatus) : ClientStatus.Submitted;
  return clientStatusRank(message.clientStatus as ClientStatus) >= clientStatusRank(wanted);
}
