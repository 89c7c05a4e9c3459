/** Nothing lost, nothing twice: the rows against the carriers' journal and the answers that callers were given. */
import { many, sql } from '@pahatid/db';
import type { Pool } from 'pg';
import type { Seen } from './carriers.ts';
import type { SentSingle } from './load.ts';

interface Row {
  msisdn: string;
  smsType: number;
  sendStatus: number;
}

export interface MarketCheck {
  rows: number;
  accepted: number;
  /** Submitted, and no answer: a connection ended. Shown to the customer, and settled by receipts. */
  inDoubt: number;
  failed: number;
  waiting: number;
}

const Waiting = 0;
const InDoubt = 1;
const Failed = 2;
const Accepted = 3;

/** Throws on anything lost, sent twice, or recorded otherwise than it is. */
export const checkMarket = async (
  pool: Pool,
  seen: ReadonlyMap<string, Seen>,
  expected: { campaigns: number; singles: readonly SentSingle[] },
): Promise<MarketCheck> => {
  const rows = await many<Row>(
    pool,
    sql`select msisdn, sms_type as "smsType", send_status as "sendStatus" from message`,
  );
  const byPhone = new Map(rows.map((row) => [row.msisdn, row]));
  const wrong: string[] = [];
  const total = expected.campaigns + expected.singles.length;
  if (rows.length !== total) wrong.push(`${rows.length} rows, ${total} messages were accepted`);
  for (const { msisdn } of expected.singles) if (!byPhone.has(msisdn)) wrong.push(`${msisdn} has no row`);
  for (const row of rows) wrong.push(...checkRow(row, seen.get(row.msisdn)?.copies ?? 0));
  for (const msisdn of seen.keys()) if (!byPhone.has(msisdn)) wrong.push(`${msisdn} is at a carrier and has no row`);
  if (wrong.length > 0) throw new Error(`${wrong.length} are wrong: ${wrong.slice(0, 20).join('; ')}`);
  const count = (status: number): number => rows.filter(({ sendStatus }) => sendStatus === status).length;
  return {
    rows: rows.length,
    accepted: count(Accepted),
    inDoubt: count(InDoubt),
    failed: count(Failed),
    waiting: count(Waiting),
  };
};

function checkRow({ msisdn, smsType, sendStatus }: Row, copies: number): string[] {
  const wrong: string[] = [];
  if (copies > 1) wrong.push(`${msisdn} was sent ${copies} times`);
  if (sendStatus === Accepted && copies === 0) wrong.push(`${msisdn} is recorded as sent, and at no carrier`);
  if ((sendStatus === Waiting || sendStatus === Failed) && copies > 0)
    wrong.push(`${msisdn} is at a carrier, its row says ${sendStatus}`);
  // Campaigns are cut short when the load ends; single messages are not.
  if (sendStatus === Waiting && smsType !== 3) wrong.push(`${msisdn} still waits`);
  return wrong;
}
