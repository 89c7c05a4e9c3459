import { findTopUp } from '@pahatid/db/queries/top-ups';
import type { PoolClient } from 'pg';
import { type NotifyDeps, notify } from './notify.ts';

/** Notifies a customer's owners of the decision on a requested top-up, in the transaction that ends the request. */
export async function notifyTopUpDecided(tx: PoolClient, topUpId: string, deps: NotifyDeps): Promise<void> {
  const row = await findTopUp(tx, topUpId);
  if (row === null || (row.state !== 'approved' && row.state !== 'rejected')) return;
  const { customerId, state, amount, entered, reference, reason } = row;
  await notify(
    tx,
    {
      kind: 'topUpDecided',
      customerId,
      params: { topUpId, approved: state === 'approved', amount, entered, reference, reason },
      onceKey: `topUpDecided:${topUpId}`,
    },
    deps,
  );
}
