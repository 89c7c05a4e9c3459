/** Top-ups and corrections: one that is beyond the limit waits for another admin. */
import type { LedgerRequest } from '@pahatid/contract';
import { getFunds } from '@pahatid/db';
import { readApprovalLimits, sumEntered } from '@pahatid/db/queries/approvals';
import { enterMoney } from '@pahatid/db/queries/ledger';
import { lockCustomerFunds } from '@pahatid/db/queries/reservations';
import type { PoolClient } from 'pg';

const dayMs = 86_400_000;

interface Entry {
  readonly customerId: string;
  /** The person that asked for it. */
  readonly userId: string;
  readonly now: Date;
  readonly request: LedgerRequest;
}

/**
 * Whether this user's entries for the customer within 24 hours exceed the limit, including this entry: many small
 * entries cannot bypass it. The caller holds the lock of the customer's funds, so that two concurrent ones are added
 * up.
 */
export async function isLedgerBeyond(tx: PoolClient, { customerId, userId, now, request }: Entry): Promise<boolean> {
  const { ledger } = await readApprovalLimits(tx);
  const entered = await sumEntered(tx, { customerId, userId, since: new Date(now.getTime() - dayMs) });
  return entered + Math.abs(request.amount) > ledger;
}

/** Enters it; returns the entry and the balance before and after. */
export async function applyLedger(
  tx: PoolClient,
  { customerId, userId, now, request }: Entry,
): Promise<{ entryId: string; before: number; balance: number }> {
  // One at a time, so that before and after in the audit log are consecutive.
  await lockCustomerFunds(tx, customerId);
  const before = await getFunds(tx, customerId);
  const { kind, amount, note } = request;
  const entryId = await enterMoney(tx, {
    customerId,
    kind,
    amount,
    note: note === '' ? null : note,
    userId,
    at: now,
  });
  const { balance } = await getFunds(tx, customerId);
  return { entryId, before: before.balance, balance };
}
