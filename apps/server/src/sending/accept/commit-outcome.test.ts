import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { leaseWriter, type MessageIdSource, one, sql, uuidV7 } from '@pahatid/db';
import { buildApplication, buildCustomer, buildSimulatedCarriers } from '@pahatid/db/builders';
import { testDatabase } from '@pahatid/testkit';
import type { PoolClient } from 'pg';
import { RoutingTable } from '../route/routing-table.ts';
import { acceptMessages } from './accept.ts';
import { resolveCommitOutcome } from './commit-outcome.ts';

const { pool } = await testDatabase();
const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
let ids: MessageIdSource;
let routing: RoutingTable;
let who: { customerId: string; appId: string };

before(async () => {
  const customerId = await buildCustomer(pool);
  who = { customerId, appId: await buildApplication(pool, { customerId }) };
  await buildSimulatedCarriers(pool, { port: 1, secrets });
  routing = await RoutingTable.load(pool);
  ids = (await leaseWriter(pool, uuidV7())).ids;
});

/** A transaction with one message, open; `end` ends it. */
const begin = async () => {
  const client: PoolClient = await pool.connect();
  await client.query('begin');
  const { xid } = await one<{ xid: string }>(client, sql`select pg_current_xact_id()::text as xid`);
  const terms = { ...who, smsType: 1, clientSid: 'SHOP', chargeType: 'SenderPays', taskId: null, round: 0 } as const;
  const recipients = [{ msisdn: '639171234567', areaCode: 'PH', content: 'Hi', pkgTotal: 1 }];
  const { firstId } = await acceptMessages(client, { ids, routing }, { ...terms, notBefore: null, recipients });
  const end = async (how: 'commit' | 'rollback') => {
    await client.query(how);
    client.release();
  };
  return { mark: { xid, batchId: firstId! }, end };
};

test('P4 what was committed is found to be, what was not is found not to be', async () => {
  const kept = await begin();
  await kept.end('commit');
  const dropped = await begin();
  await dropped.end('rollback');
  assert.equal(await resolveCommitOutcome(pool, kept.mark), 'committed');
  assert.equal(await resolveCommitOutcome(pool, dropped.mark), 'aborted');
  assert.equal(await resolveCommitOutcome(pool, null), 'aborted');
});

test('P4 while the server still processes it, no outcome is returned', async () => {
  for (const how of ['commit', 'rollback'] as const) {
    const open = await begin();
    let said: string | null = null;
    const fate = resolveCommitOutcome(pool, open.mark).then((what) => {
      said = what;
      return what;
    });
    await sleep(150);
    assert.equal(said, null);
    await open.end(how);
    assert.equal(await fate, how === 'commit' ? 'committed' : 'aborted');
  }
});

test('P4 a number unknown to the server, or reused, is resolved by the row', async () => {
  const open = await begin();
  await open.end('commit');
  const { next } = await one<{ next: string }>(
    pool,
    sql`select (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000000)::text as next`,
  );
  assert.equal(await resolveCommitOutcome(pool, { ...open.mark, xid: next }), 'committed');
  assert.equal(await resolveCommitOutcome(pool, { xid: open.mark.xid, batchId: open.mark.batchId + 1n }), 'aborted');
  assert.equal(await resolveCommitOutcome(pool, { xid: next, batchId: 1n }), 'aborted');
});
