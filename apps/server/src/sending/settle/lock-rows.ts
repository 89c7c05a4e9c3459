/** Locks messages in the one order that all keep: by customer and id. */
import { type LockedMessage, lockMessages } from '@pahatid/db';
import type { PoolClient } from 'pg';

export const lockRows = async (
  tx: PoolClient,
  rows: readonly { customerId: string; messageId: bigint }[],
): Promise<LockedMessage[]> => {
  const byCustomer = Map.groupBy(rows, (row) => row.customerId);
  const locked: LockedMessage[] = [];
  for (const customerId of [...byCustomer.keys()].sort()) {
    const ids = [...new Set(byCustomer.get(customerId)!.map((row) => row.messageId))];
    locked.push(...(await lockMessages(tx, customerId, ids)));
  }
  return locked;
};
