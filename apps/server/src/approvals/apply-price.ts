/** Changes of prices: one that differs too much from the price in force waits for another member of staff. */
import type { PriceRequest } from '@pahatid/contract';
import { findPriceInForce, hasPrice, type PricedScope, readApprovalLimits } from '@pahatid/db/queries/approvals';
import { notePriceChange, planPriceChange } from '@pahatid/db/queries/price-changes';
import { findPriceView, insertPrice, removePrice, updatePrice } from '@pahatid/db/queries/routing-admin';
import type { PoolClient } from 'pg';
import type { CallAudit } from '../http/call.ts';
import { ProblemError } from '../http/problem.ts';
import { DEFAULT_PRICE } from '../sending/route/routing-table.ts';

/** Constraints that are violated if the same price was set meanwhile. */
export const priceConflicts = {
  price_unique: 'PRICE_TAKEN',
  price_customer_id_fkey: 'CUSTOMER_NOT_FOUND',
  price_change_once: 'PRICE_TAKEN',
  price_change_customer_id_fkey: 'CUSTOMER_NOT_FOUND',
  approval_customer_id_fkey: 'CUSTOMER_NOT_FOUND',
} as const;

/** The price that these messages cost now, and by `exceptId` what they would cost without that row. */
export const priceInForce = async (
  tx: PoolClient,
  scope: PricedScope,
  exceptId: string | null = null,
): Promise<number> => (await findPriceInForce(tx, scope, exceptId)) ?? DEFAULT_PRICE;

export async function isPriceBeyond(tx: PoolClient, request: PriceRequest): Promise<boolean> {
  const { price: limit } = await readApprovalLimits(tx);
  const after = request.price ?? (await priceInForce(tx, request, request.id));
  if (Math.abs(after - request.before) <= limit) return false;
  // What could never be approved is refused now.
  if (request.action === 'add' && (await hasPrice(tx, request))) throw new ProblemError('PRICE_TAKEN');
  return true;
}

/** Makes the change; returns its entry of the audit log. */
export async function applyPrice(tx: PoolClient, request: PriceRequest, account: string): Promise<CallAudit> {
  const { action, id, version, price, before, effectiveTime } = request;
  const { areaCode, carrier, smsType, customerId } = request;
  const scope = { areaCode, carrier, smsType, customerId };
  const subject = { action, subjectType: 'price', subjectId: id };
  if (action === 'delete') {
    const row = await findPriceView(tx, id);
    // Changed or removed since it was requested.
    if (row === null || row.version !== version || !(await removePrice(tx, id))) throw new ProblemError('CONFLICT');
    await notePriceChange(tx, scope, null, account);
    return { ...subject, before: row };
  }
  if (price === null) throw new Error(`a price of action ${action} has an amount`);
  if (action === 'plan') {
    if (effectiveTime === null) throw new Error('a planned price has a time');
    await planPriceChange(tx, { ...scope, changeId: id, price, effectiveTime: new Date(effectiveTime), account });
    return { ...subject, after: { ...scope, price, effectiveTime } };
  }
  if (action === 'add') {
    await insertPrice(tx, { ...scope, priceId: id, price });
    await notePriceChange(tx, scope, price, account);
    return { ...subject, after: { ...scope, price } };
  }
  if (!(await updatePrice(tx, id, version ?? 0, price))) throw new ProblemError('CONFLICT');
  await notePriceChange(tx, scope, price, account);
  return { ...subject, before: { price: before }, after: { price } };
}
