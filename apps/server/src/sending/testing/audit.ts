/**
 * The auditor: compares the database with the carrier's own journal, and every sum with a recount of the rows. It
 * shares no code with the engine.
 */
import assert from 'node:assert/strict';
import type { JournalEntry } from '@pahatid/carrier-simulator';
import type { Pool, PoolClient } from 'pg';
import { findBrokenIn } from './invariants.ts';
import { onSnapshot } from './snapshot.ts';

export interface Audit {
  rows: number;
  waiting: number;
  inDoubt: number;
  failed: number;
  accepted: number;
  delivered: number;
  undelivered: number;
  /** Copies at the carriers beyond the first of each message. */
  sentTwice: number;
  /** Rows marked as accepted that no carrier received. */
  neverSeen: number;
}

interface Row {
  message_id: string;
  msisdn: string;
  content: string;
  pkg_total: number;
  send_status: number;
  client_status: number;
  charge_type: string;
  price: number;
}

/** `journal`: every submit the carriers got. Recipients of a test differ, so destination and text name a message. */
export const audit = (pool: Pool, journal: Iterable<JournalEntry>): Promise<Audit> =>
  onSnapshot(pool, (tx) => auditIn(tx, journal));

async function auditIn(tx: PoolClient, journal: Iterable<JournalEntry>): Promise<Audit> {
  const { rows } = await tx.query<Row>(
    'select message_id, msisdn, content, pkg_total, send_status, client_status, charge_type, price from message order by message_id',
  );
  const entries = [...journal];
  const copies = countCopies(entries);
  let sentTwice = 0;
  let neverSeen = 0;
  for (const row of rows) {
    const seen = copies.get(row.msisdn) ?? 0;
    sentTwice += Math.max(0, seen - 1);
    if (row.send_status === 3 && seen === 0) neverSeen += 1;
    if (seen > 0)
      assert.ok([1, 3].includes(row.send_status), `${row.msisdn} is at the carrier, its row says ${row.send_status}`);
  }
  // Copies and what no carrier saw are counted above, for the test to judge; every total must be right at any time.
  const broken = await findBrokenIn(tx, entries, { isUnderWay: true, policy: 'resend' });
  assert.deepEqual(
    broken.filter((line) => line.startsWith('I5') || line.endsWith('on record as in doubt')),
    [],
  );
  const count = (test: (row: Row) => boolean): number => rows.filter(test).length;
  return {
    rows: rows.length,
    waiting: count((row) => row.send_status === 0),
    inDoubt: count((row) => row.send_status === 1),
    failed: count((row) => row.send_status === 2),
    accepted: count((row) => row.send_status === 3),
    delivered: count((row) => row.send_status === 3 && row.client_status === 2),
    undelivered: count((row) => row.send_status === 3 && [3, 4, 5].includes(row.client_status)),
    sentTwice,
    neverSeen,
  };
}

/** Whole messages by destination: the least number of copies of any part. */
function countCopies(journal: Iterable<JournalEntry>): Map<string, number> {
  const parts = new Map<string, Map<number, number>>();
  for (const entry of journal) {
    if (entry.status !== 0) continue;
    const byPart = parts.get(entry.destination) ?? new Map<number, number>();
    byPart.set(entry.part, (byPart.get(entry.part) ?? 0) + 1);
    parts.set(entry.destination, byPart);
  }
  return new Map([...parts].map(([destination, byPart]) => [destination, Math.max(...byPart.values())]));
}
