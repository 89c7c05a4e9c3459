/**
 * How long a selection takes to be counted, and how fast members are judged when a task is checked: so many members of one
 * group, each with ten messages within 180 days, on an embedded PostgreSQL. Prints one line of JSON.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { GroupCondition, GroupSelection } from '@pahatid/contract';
import { makePool, messageIdFloor, migrate, uuidV7, withTransaction } from '@pahatid/db';
import { buildCustomer, buildGroup } from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { archiveBlock } from '@pahatid/db/queries/archive-packing';
import { sampleMembers } from '@pahatid/db/queries/member-history';
import type { Pool } from 'pg';
import { countSelection } from '../count-selection.ts';
import { judgeMembers } from '../judge-members.ts';

const DAY_MS = 86_400_000;
const DAYS = 180;
const MESSAGES_EACH = 10;
const ROUNDS = 10;
/** Members that are judged together, as a task's check takes them. */
const PAGE = 10_000;
const JUDGED = 100_000;

const members = Number(process.argv[2] ?? 1_000_000);

const conditions = {
  value: [{ field: 'value', name: 'city', operator: 'is', value: 'Cebu' }],
  history: [
    { field: 'delivered', operator: 'notWithin', days: 30 },
    { field: 'written', operator: 'within', days: 180 },
  ],
} satisfies Record<string, GroupCondition[]>;

async function insertMembers(pool: Pool, customerId: string, groupId: string): Promise<void> {
  await pool.query(
    `insert into group_member (customer_id, group_id, msisdn, variables, range_holder, joined_at)
     select $1, $2, '639' || lpad(n::text, 9, '0'), array['Name ' || n, case n % 7 when 0 then 'Cebu' else 'Davao' end], 'Globe', now()
     from generate_series(1, $3::bigint) n`,
    [customerId, groupId, members],
  );
  await pool.query('update message_group set member_count = $2 where group_id = $1', [groupId, members]);
}

/** Each number gets one in each tenth of the time, four of five are delivered. */
async function insertMessages(pool: Pool, customerId: string): Promise<void> {
  const startMs = Date.now() - DAYS * DAY_MS;
  const supplierId = uuidV7();
  for (let day = 0; day <= DAYS; day += 7)
    await pool.query('select ensure_partition($1)', [new Date(startMs + day * DAY_MS)]);
  for (let tenth = 0; tenth < MESSAGES_EACH; tenth++) {
    const low = String(messageIdFloor(startMs + (tenth * DAYS * DAY_MS) / MESSAGES_EACH));
    await pool.query(
      `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, range_holder, carrier, client_sid,
         content, pkg_total, charge_type, price, route_id, supplier_id, send_status, client_status, deal_result)
       select $1, $2::bigint + ((n * $4::bigint / $3) << 18) + n % 1000, 'app', 3, '639' || lpad(n::text, 9, '0'), 'PH', 'Globe', 'Globe',
         'PAHATID', 'Sale today', 1, 'SenderPays', 3500, $5, $5, 3, case (n + $6) % 5 when 0 then 3 else 2 end, null
       from generate_series(1, $3::bigint) n`,
      [customerId, low, members, Math.floor((DAYS * DAY_MS) / MESSAGES_EACH) - 1_000, supplierId, tenth],
    );
  }
}

/** All that is older than 35 days; returns how many messages. */
async function archive(pool: Pool, customerId: string): Promise<number> {
  const today = Math.floor(Date.now() / DAY_MS);
  let moved = 0;
  for (let day = today - DAYS - 1; day < today - 35; day++) {
    const range = { low: messageIdFloor(day * DAY_MS), high: messageIdFloor((day + 1) * DAY_MS) };
    for (let n = 1; n > 0; moved += n) n = await withTransaction(pool, (tx) => archiveBlock(tx, customerId, range));
  }
  await pool.query('vacuum analyze message, message_archive');
  return moved;
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;

const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
const database = await startEmbedded({ dataDir });
const pool = makePool({ url: database.url, applicationName: 'pahatid bench', max: 2, statementTimeoutMs: 0 });
try {
  await migrate({ url: database.url });
  const customerId = await buildCustomer(pool, {});
  const groupId = await buildGroup(pool, { customerId, variableNames: ['name', 'city'] });
  await insertMembers(pool, customerId, groupId);
  await insertMessages(pool, customerId);
  await pool.query('vacuum analyze group_member, message');
  const selectionOf = (some: GroupCondition[]): GroupSelection => ({
    groupIds: [groupId],
    match: 'all',
    conditions: some,
  });
  const count = async (some: GroupCondition[]): Promise<number> => {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const startedMs = performance.now();
      await countSelection(pool, { customerId, selection: selectionOf(some) });
      took.push(performance.now() - startedMs);
    }
    return percentile(took, 0.95);
  };
  const byValue = await count(conditions.value);
  const byHistory = await count(conditions.history);
  const some = await sampleMembers(pool, { customerId, groupId, share: Math.max(1, Math.floor(members / JUDGED)) });
  const judge = async () => {
    const selecting = { customerId, selection: selectionOf(conditions.history), nowMs: Date.now() };
    const startedMs = performance.now();
    let found = 0;
    for (let at = 0; at < some.length; at += PAGE) {
      const page = some.slice(at, at + PAGE);
      found += (await judgeMembers(pool, selecting, { variableNames: ['name', 'city'] }, page)).length;
    }
    return { found, perSecond: some.length / ((performance.now() - startedMs) / 1_000) };
  };
  const rows = await judge();
  const archivedMessages = await archive(pool, customerId);
  const archivedCount = await count(conditions.history);
  const archived = await judge();
  console.log(
    JSON.stringify({
      ...{ byValue, byHistory, judged: rows.perSecond, found: rows.found, looked: some.length },
      ...{ archivedMessages, archivedCount, archivedJudged: archived.perSecond, archivedFound: archived.found },
    }),
  );
} finally {
  await pool.end();
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
