/**
 * Compares every count with the rows it was counted from. First, stretches of final days are compared and sealed, each on a
 * short snapshot. Then each customer is compared on one snapshot, sealed days by their fingerprints alone: no compared data
 * is shared by two customers. Routes and receipts are stored by supplier account; they have separate snapshots.
 */
import { messageIdFloor } from '@pahatid/db';
import { listTotalFaults } from '@pahatid/db/queries/hour-folding';
import { readKeptSince } from '@pahatid/db/queries/kept-since';
import { HOUR_MS } from '@pahatid/db/queries/report-figures';
import { ceilDay, dayMs, toDay } from '@pahatid/db/queries/verify/days';
import { canSeal, dropSeals } from '@pahatid/db/queries/verify/seals';
import { listVerifiedCustomers, readRecordsBefore, withSnapshot } from '@pahatid/db/queries/verify/snapshot';
import type { Pool } from 'pg';
import { checkAudit } from './check-audit.ts';
import { CustomerCheck } from './check-customer.ts';
import { checkHours } from './check-hours.ts';
import { checkReceipts } from './check-receipts.ts';
import { checkRoutes } from './check-routes.ts';
import { Findings } from './difference.ts';
import { sealDays } from './seal-days.ts';

export interface VerifyOptions {
  /** null: all. */
  readonly customerId: string | null;
  /** Messages accepted earlier are not checked: Unix milliseconds, the beginning of a minute. */
  readonly sinceMs: number;
  /** Differences stored per check; all are counted. */
  readonly keep: number;
  /** Sealed days are compared with their messages again. */
  readonly all?: boolean;
  /** Days that end later are not sealed: Unix milliseconds; a day ago by default. */
  readonly sealBeforeMs?: number;
  /** Messages compared on one snapshot to be sealed. */
  readonly sealMessages?: number;
  /** Batches read at a time. */
  readonly batches?: number;
  readonly onProgress?: (line: string) => void;
}

export const findDifferences = async (pool: Pool, options: VerifyOptions): Promise<Findings> => {
  const findings = new Findings(options.keep);
  const all = options.customerId === null ? await listVerifiedCustomers(pool) : [];
  const customers = options.customerId === null ? all.map((each) => each.customerId) : [options.customerId];
  for (const { customerId, isKnown } of all) {
    if (isKnown) continue;
    findings.add({
      check: 'balance',
      customerId,
      what: 'customer',
      kept: 'has counts or money',
      derived: 'does not exist',
    });
  }
  const sealBeforeMs = options.sealBeforeMs ?? Date.now() - dayMs;
  const end = (await canSeal(pool)) ? toDay(messageIdFloor(sealBeforeMs)) : null;
  const open = new Set<number>();
  for (const [index, customerId] of customers.entries()) {
    const where = `customer ${index + 1} of ${customers.length}`;
    for (const day of await verifyCustomer(pool, findings, { ...options, customerId, end, where })) open.add(day);
    findings.looked.customers += 1;
  }
  if (options.customerId === null) {
    const faults = await withSnapshot(pool, async (tx) => {
      const sinceMs = Math.max(Math.ceil(options.sinceMs / HOUR_MS) * HOUR_MS, await readKeptSince(tx, 'report_hour'));
      return await listTotalFaults(tx, new Date(sinceMs));
    });
    checkHours(findings, null, faults);
  }
  const { customerId, sinceMs, onProgress } = options;
  await checkRoutes(pool, findings, { customerId, sinceMs, end, open, all: options.all ?? false, onProgress });
  onProgress?.('receipts that waited');
  await withSnapshot(pool, (tx) => checkReceipts(tx, findings, customerId, sinceMs));
  onProgress?.('audit log');
  await withSnapshot(pool, (tx) => checkAudit(tx, findings, customerId));
  return findings;
};

interface CustomerOptions extends Omit<VerifyOptions, 'customerId'> {
  readonly customerId: string;
  /** The first day that is not sealed; null: none is. */
  readonly end: number | null;
  readonly where: string;
}

/** Returns the days that are not sealed. */
async function verifyCustomer(pool: Pool, findings: Findings, options: CustomerOptions): Promise<Iterable<number>> {
  const { customerId, sinceMs, batches, end, where } = options;
  const range = {
    batches,
    onProgress: (messages: number) => options.onProgress?.(`${where}: ${messages.toLocaleString('en-US')} messages`),
  };
  const first = ceilDay(Math.max(sinceMs, await readRecordsBefore(pool, customerId)));
  const all = options.all ?? false;
  const due = { customerId, first, end: end ?? first, all, messages: options.sealMessages };
  const sealed = await sealDays(pool, findings, { ...due, ...range });
  const check = await withSnapshot(pool, async (tx) => {
    const customer = new CustomerCheck(tx, findings, customerId, {
      sinceMs,
      all,
      trusted: all ? sealed : null,
      ...range,
    });
    await customer.run();
    return customer;
  });
  if (end !== null) await dropSeals(pool, customerId, check.unsealed);
  findings.days.skipped += check.skipped.filter((day) => !sealed.has(day)).length;
  findings.days.open += check.open.size;
  return check.open.keys();
}
