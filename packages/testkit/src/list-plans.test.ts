/**
 * A page of a list that grows without end reads about a page of rows, in both directions and wherever it begins, at the
 * versions of PostgreSQL that are supported. With statistics of the planner: without any it takes a customer for a small
 * one, and sorts its rows.
 */
import assert from 'node:assert/strict';
import { uuidV7, withTransaction } from '@pahatid/db';
import { listAudit } from '@pahatid/db/queries/audit-log';
import { listCallbacks } from '@pahatid/db/queries/callback-log';
import { listMembers } from '@pahatid/db/queries/group-members';
import { listInbound } from '@pahatid/db/queries/inbound';
import { listLedger } from '@pahatid/db/queries/ledger';
import { listClicks } from '@pahatid/db/queries/link-clicks';
import { listOptOuts } from '@pahatid/db/queries/opt-outs';
import type pg from 'pg';
import { explaining } from './explained.ts';
import { testPlans } from './test-plans.ts';

const ROWS = 6_000;
const LIMIT = 20;
/** Each row of a page is met by a scan, a sort of its ties, the limit and joins; far fewer than half of the rows. */
const MOST_ROWS = 30 * LIMIT;

const tables = ['opt_out', 'inbound', 'callback_event', 'link_click', 'ledger', 'group_member', 'audit_log'] as const;

/** Ids in the order of time, of a group and a link too: n, from 1, in the last twelve digits. */
const ids = `('01980000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const at = `timestamptz '2026-01-01 00:00+00' + n * interval '1 minute'`;

/** As many rows for another customer, in between. */
const fill = async (pool: pg.Pool, customers: readonly string[], groupId: string, linkId: string): Promise<void> => {
  const rows = `from generate_series(1, ${2 * ROWS}) n, unnest($1::uuid[]) with ordinality c(id, k) where n % 2 = k - 1`;
  const inserts = [
    `insert into opt_out (customer_id, msisdn, source, created_at) select c.id, '639' || lpad(n::text, 9, '0'), 'api', ${at} ${rows}`,
    `insert into inbound (customer_id, inbound_id, supplier_id, msisdn, destination, content, received_at)
       select c.id, ${ids}, ${ids}, '639', 'SHOP', '', ${at} ${rows}`,
    `insert into callback_event (event_id, customer_id, endpoint_id, type, facts, at, next_at)
       select ${ids}, c.id, c.id, 'test', '{}', ${at}, ${at} ${rows}`,
    `insert into link_click (code, click_id, customer_id, link_id, at, os, browser, device)
       select n::text, ${ids}, c.id, '${linkId}', ${at}, '', '', '' ${rows}`,
    `insert into ledger (customer_id, entry_id, at, kind, amount, segments, app_id, batch_id)
       select c.id, ${ids}, ${at}, 'charge', -1, 1, 'app', n ${rows}`,
    `insert into group_member (customer_id, group_id, msisdn, variables, joined_at)
       select c.id, '${groupId}', '639' || lpad(n::text, 9, '0'), '{}', ${at} ${rows}`,
    `insert into audit_log (at, customer_id, action, subject_type, subject_id)
       select ${at}, c.id, 'edit', 'task', '' ${rows}`,
  ];
  for (const insert of inserts) await pool.query(insert, [customers]);
  // Endpoints of customers that have no row here.
  const endpoints = customers.map((id) => `('${id}', '${id}', 'alert', 'https://shop.example')`).join();
  await pool.query(
    `begin; set local session_replication_role = replica;
     insert into callback_endpoint (endpoint_id, customer_id, kind, url) values ${endpoints}; commit`,
  );
};

const idOf = (n: number): string => `01980000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const timeOf = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
const phoneOf = (n: number): string => `639${String(n).padStart(9, '0')}`;

await testPlans(
  { says: 'a page of a long list reads about a page of rows, either way', name: 'list_plans' },
  { current: true },
  async (pool) => {
    const [customerId, groupId, linkId] = [uuidV7(), uuidV7(), uuidV7()];
    await fill(pool, [customerId, uuidV7()], groupId, linkId);
    await pool.query(`vacuum (analyze) ${tables.join(', ')}`);
    const seen: string[] = [];
    const report = (read: number, text: string): void => {
      if (read > MOST_ROWS) seen.push(`${read} rows read by ${text.trim().slice(0, 160)}`);
    };
    await withTransaction(pool, async (tx) => {
      const db = explaining(tx, report);
      const middle = ROWS;
      for (const isReversed of [false, true])
        for (const n of [null, middle]) {
          const key = <const K extends readonly string[]>(...parts: K): K | null => (n === null ? null : parts);
          const way = { isReversed, limit: LIMIT };
          const page = { isDescending: !isReversed, limit: LIMIT };
          const [byId, byTime] = [key(idOf(middle)), key(timeOf(middle), idOf(middle))];
          const found = [
            await listOptOuts(db, { customerId, salt: null, after: key(timeOf(middle), phoneOf(middle)), ...way }),
            await listInbound(db, { customerId, after: byId, ...way }),
            await listCallbacks(db, { customerId }, { after: byId, ...page }),
            await listClicks(db, { customerId, linkId, human: false, after: byId, ...page }),
            await listLedger(db, { customerId, after: byTime, ...way }),
            (await listMembers(db, { customerId, groupId, salt: null, after: key(phoneOf(middle)), ...way })).rows,
            await listAudit(db, customerId, { actor: undefined }, { after: key(String(middle)), ...page }),
          ];
          assert.deepEqual(
            found.map((rows) => rows.length),
            found.map(() => LIMIT),
          );
        }
    });
    assert.deepEqual(seen, []);
  },
);
