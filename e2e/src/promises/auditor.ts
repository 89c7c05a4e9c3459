/**
 * The auditor. After a fault run it compares three independent sources: the messages acknowledged to the test itself,
 * the rows, and the carriers' journal. It shares no code with the engine, or with `pahatid verify`.
 *
 * I1 every accepted recipient has exactly one row
 * I2 when idle no row is in a state that is not final; messages in doubt are recorded as such
 * I3 copies at the carriers: one (policy hold), or one and a further one for each doubt (resend)
 * I4 what a row records as accepted, a carrier received; what a carrier received, no row records as never sent
 * I5 every total is a recount of the rows
 */
import assert from 'node:assert/strict';
import type { AuditedRow, Pool } from './audited-row.ts';
import type { Submit } from './carrier-process.ts';
import { recount } from './recount.ts';

export interface Evidence {
  pool: Pool;
  submits: AsyncIterable<Submit>;
  /** Phones whose acceptance was acknowledged: each accepted once. */
  accepted: ReadonlySet<string>;
  /** Phones whose acceptance got no response: accepted at most once. */
  uncertain?: ReadonlySet<string>;
  policy?: 'hold' | 'resend';
  /** Receipts were withheld, so that rows stay at "submitted". */
  receiptsWithheld?: boolean;
  customerId: string;
  /** Others that messages were accepted for. */
  otherCustomerIds?: readonly string[];
}

export interface Verdict {
  rows: number;
  delivered: number;
  undelivered: number;
  unknown: number;
  submitted: number;
  failed: number;
  /** Still in doubt. */
  inDoubt: number;
  /** Ever in doubt, including those resolved since. */
  doubted: number;
  /** Copies beyond the first. */
  extraCopies: number;
  /** Accepted and in doubt, and no carrier saw all of it. */
  neverSeen: number;
}

/** Of a phone: copies of each part. */
type Copies = Map<string, number[]>;

const PAGE = 20_000;
const SHOWN = 5;

export async function auditEvidence(evidence: Evidence): Promise<Verdict> {
  const { pool } = evidence;
  const customerIds = [evidence.customerId, ...(evidence.otherCustomerIds ?? [])];
  const copies = await countCopies(evidence.submits);
  const doubts = await readDoubts(pool, customerIds);
  const left = new Set(evidence.accepted);
  const seenOnce = new Set<string>();
  const wrong: string[] = [];
  const verdict: Verdict = {
    rows: 0,
    delivered: 0,
    undelivered: 0,
    unknown: 0,
    submitted: 0,
    failed: 0,
    inDoubt: 0,
    doubted: doubts.size,
    extraCopies: 0,
    neverSeen: 0,
  };
  const sums = new Map(customerIds.map((customerId) => [customerId, recount.start()]));
  for (const [customerId, ofCustomer] of sums)
    for await (const row of readRows(pool, customerId)) {
      verdict.rows += 1;
      recount.add(ofCustomer, row);
      if (seenOnce.has(row.msisdn)) wrong.push(`I1 ${row.msisdn} has a second row`);
      seenOnce.add(row.msisdn);
      const isKnown = left.delete(row.msisdn) || (evidence.uncertain?.has(row.msisdn) ?? false);
      if (!isKnown) wrong.push(`I1 ${row.msisdn} was never asked for`);
      const parts = copies.get(row.msisdn) ?? [];
      const doubt = doubts.get(row.message_id);
      verdict.extraCopies += Math.max(0, Math.max(0, ...parts) - 1);
      countState(verdict, row);
      wrong.push(...checkRow(row, parts, doubt, evidence));
      if (row.send_status === 1 && !isWhole(row, parts)) verdict.neverSeen += 1;
      copies.delete(row.msisdn);
    }
  for (const msisdn of left) wrong.push(`I1 ${msisdn} was accepted and has no row`);
  for (const msisdn of copies.keys()) wrong.push(`I4 ${msisdn} is at a carrier and has no row`);
  assert.equal(wrong.length, 0, `${wrong.length} rows are wrong: ${wrong.slice(0, SHOWN).join('; ')}`);
  for (const [customerId, ofCustomer] of sums) await recount.compare(pool, customerId, ofCustomer);
  return verdict;
}

function checkRow(row: AuditedRow, parts: number[], doubt: Doubt | undefined, evidence: Evidence): string[] {
  const at = `${row.msisdn} (${row.send_status}/${row.client_status})`;
  const wrong: string[] = [];
  const isInDoubt = row.send_status === 1;
  if (row.send_status === 0) wrong.push(`I2 ${at} waits`);
  if (row.send_status === 3 && row.client_status < 2 && evidence.receiptsWithheld !== true)
    wrong.push(`I2 ${at} has no final state`);
  if (isInDoubt !== (doubt?.open ?? false))
    wrong.push(`I2 ${at} is ${isInDoubt ? '' : 'not '}in doubt, not so on record`);
  if (isInDoubt && isWhole(row, parts) && evidence.receiptsWithheld !== true)
    wrong.push(`I2 ${at} is at the carrier, and its receipt did not resolve it`);
  const most = Math.max(0, ...parts);
  const allowed = evidence.policy === 'resend' && doubt !== undefined ? Number.POSITIVE_INFINITY : 1;
  if (most > allowed) wrong.push(`I3 ${at} was sent ${most} times`);
  if (row.send_status === 3 && !isWhole(row, parts)) wrong.push(`I4 ${at} never came whole to a carrier`);
  if (row.send_status === 0 && most > 0) wrong.push(`I4 ${at} is at a carrier`);
  return wrong;
}

const isWhole = (row: AuditedRow, parts: readonly number[]): boolean =>
  Array.from({ length: row.pkg_total }, (_, part) => parts[part] ?? 0).every((count) => count > 0);

function countState(verdict: Verdict, row: AuditedRow): void {
  if (row.send_status === 1) verdict.inDoubt += 1;
  else if (row.send_status === 2) verdict.failed += 1;
  else if (row.client_status === 2) verdict.delivered += 1;
  else if (row.client_status === 6) verdict.unknown += 1;
  else if (row.client_status < 2) verdict.submitted += 1;
  else verdict.undelivered += 1;
}

/** Reads accepted submits only: a carrier does not have what it refused. */
async function countCopies(submits: AsyncIterable<Submit>): Promise<Copies> {
  const copies: Copies = new Map();
  for await (const { status, destination, part } of submits) {
    if (status !== 0) continue;
    const parts = copies.get(destination) ?? [];
    parts[part - 1] = (parts[part - 1] ?? 0) + 1;
    for (let i = 0; i < parts.length; i++) parts[i] ??= 0;
    copies.set(destination, parts);
  }
  return copies;
}

interface Doubt {
  open: boolean;
}

async function readDoubts(pool: Pool, customerIds: readonly string[]): Promise<Map<string, Doubt>> {
  const { rows } = await pool.query<{ message_id: string; open: boolean }>(
    'select message_id, resolved_at is null as open from in_doubt where customer_id = any($1::uuid[])',
    [customerIds],
  );
  return new Map(rows.map(({ message_id: id, open }) => [id, { open }]));
}

async function* readRows(pool: Pool, customerId: string): AsyncGenerator<AuditedRow> {
  for (let after = '0'; ; ) {
    const { rows } = await pool.query<AuditedRow>(
      `select message_id, msisdn, pkg_total, send_status, client_status, charge_type, price, task_id, superseded
       from message where customer_id = $1 and message_id > $2 order by message_id limit ${PAGE}`,
      [customerId, after],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.message_id;
  }
}
