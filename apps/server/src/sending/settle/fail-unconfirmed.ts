/**
 * Ends a doubt that could not be cleared and that a user decided to send past: the old message ends as failed,
 * uncharged, with "unconfirmed" as its result, before another replaces it. Nothing leads to it any more, so an even
 * later receipt waits in the inbox for staff, and changes no count.
 */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { findBatchIds, lockMessages, resolveDoubts, writeOutcomes } from '@pahatid/db';
import { DealResult } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { Tally, toTallyMessage } from './tally.ts';

const GIVEN_UP = { sendStatus: SendStatus.Failed, clientStatus: ClientStatus.Rejected } as const;

/** Returns the messages that were in doubt until now; the others got a response meanwhile. */
export async function giveUpDoubts(
  tx: PoolClient,
  writer: number,
  customerId: string,
  messageIds: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  const at = new Date();
  const rows = (
    await lockMessages(
      tx,
      messageIds.map((messageId) => ({ customerId, messageId })),
    )
  ).filter((row) => row.sendStatus === SendStatus.Sending);
  if (rows.length === 0) return new Set();
  const batches = await findBatchIds(
    tx,
    rows.map((row) => row.messageId),
  );
  const tally = new Tally();
  const outcomes = rows.map((row) => ({
    customerId,
    messageId: row.messageId,
    before: {
      sendStatus: row.sendStatus,
      clientStatus: row.clientStatus,
      partsDelivered: row.partsDelivered,
    },
    after: GIVEN_UP,
    dealResult: DealResult.Unconfirmed,
    carrierCode: null,
    submittedMs: null,
    answeredMs: null,
    reportMs: null,
    partsDelivered: row.partsDelivered,
  }));
  const missed = await writeOutcomes(tx, outcomes);
  if (missed.length > 0) throw new Error('rows under lock were changed by another');
  for (const [index, row] of rows.entries()) {
    const { sendStatus, clientStatus } = outcomes[index]!.before;
    const before = { sendStatus: sendStatus as SendStatus, clientStatus: clientStatus as ClientStatus };
    tally.add(toTallyMessage(row, batches.get(row.messageId) ?? row.messageId), before, GIVEN_UP);
  }
  await resolveDoubts(tx, rows, 'resent', at);
  await tally.write(tx, writer, at);
  return new Set(rows.map((row) => row.messageId));
}
