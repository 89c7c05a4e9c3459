/** Ends the messages of a batch that were never handed over: not sent and not charged. */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { lockBatchMessages, writeOutcomes } from '@pahatid/db';
import type { PoolClient } from 'pg';
import { WAITING } from './message-states.ts';
import { type Tally, toTallyMessage } from './tally.ts';

const ENDED = { sendStatus: SendStatus.Failed, clientStatus: ClientStatus.Blocked } as const;

/**
 * Returns how many messages it ended with `dealResult`; what was handed to a carrier before keeps its outcome, or stays
 * in doubt. The batch is the caller's to return.
 */
export const endUnsent = async (
  tx: PoolClient,
  tally: Tally,
  batch: Parameters<typeof lockBatchMessages>[1] & { readonly batchId: bigint },
  dealResult: string,
): Promise<number> => {
  const rows = await lockBatchMessages(tx, batch, WAITING);
  await writeOutcomes(
    tx,
    rows.map((row) => ({
      ...row,
      before: { ...WAITING, partsDelivered: row.partsDelivered },
      after: ENDED,
      dealResult,
      carrierCode: null,
      submittedMs: null,
      answeredMs: null,
      reportMs: null,
    })),
  );
  for (const row of rows) tally.add(toTallyMessage(row, batch.batchId), WAITING, ENDED);
  return rows.length;
};
