import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { leaseWriter, one, sql, uuidV7 } from '@pahatid/db';
import { buildApplication, buildCustomer, buildDefaultPrice, buildSimulatedCarriers } from '@pahatid/db/builders';
import { testDatabase, until } from '@pahatid/testkit';
import { RoutingTable } from '../route/routing-table.ts';
import { AcceptBusyError, CallAcceptor } from './accept-calls.ts';
import type { SendCall } from './send-call.ts';

const { pool } = await testDatabase();
const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
let wakes = 0;
let callAcceptor: CallAcceptor;
let shop: { customerId: string; appId: string };
let bank: { customerId: string; appId: string };

const addCaller = async () => {
  const customerId = await buildCustomer(pool);
  return { customerId, appId: await buildApplication(pool, { customerId }) };
};

before(async () => {
  [shop, bank] = [await addCaller(), await addCaller()];
  await buildSimulatedCarriers(pool, { port: 1, secrets });
  await buildDefaultPrice(pool);
  const routing = await RoutingTable.load(pool);
  const { ids } = await leaseWriter(pool, uuidV7());
  callAcceptor = new CallAcceptor({
    control: pool,
    accept: async () => ({ ids, routing }),
    notifySenders: () => {
      wakes += 1;
    },
    longestWaitMs: 100,
  });
});

const callOf = (who: { customerId: string; appId: string }, msisdn: string, content = 'Your code is 123456.') =>
  ({
    ...who,
    key: null,
    messages: [{ smsType: 1, templateId: null, clientSid: 'SHOP', msisdn, areaCode: 'PH', content, pkgTotal: 1 }],
    answer: (results) => ({ status: 202, response: results[0] }),
  }) satisfies SendCall;
const countTo = async (msisdn: string) =>
  (await one<{ n: number }>(pool, sql`select count(*)::int as n from message where msisdn = ${msisdn}`)).n;

test('senders are woken when a group is durable, once for the group', async () => {
  const answered = await Promise.all([1, 2, 3].map((n) => callAcceptor.accept(callOf(shop, `63917000000${n}`))));
  assert.deepEqual(
    answered.map(({ kind }) => kind),
    ['answered', 'answered', 'answered'],
  );
  assert.equal(wakes, 1);
  assert.equal(await countTo('639170000002'), 1);
});

test('a call that can’t be stored fails alone; the others of its group are accepted', async () => {
  const bad = callOf(bank, '639170000010');
  const calls = [
    callOf(shop, '639170000011'),
    { ...bad, appId: bank.appId, messages: [{ ...bad.messages[0]!, smsType: 9 as 1 }] },
    callOf(shop, '639170000012'),
  ];
  const outcomes = await Promise.allSettled(calls.map((call) => callAcceptor.accept(call)));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal(await countTo('639170000011'), 1);
  assert.equal(await countTo('639170000010'), 0);
});

test('P15 with a slow database callers are rejected in time; rejected requests are never accepted, the rest are', async () => {
  const blocker = await pool.connect();
  await blocker.query('begin');
  await blocker.query('select 1 from customer where customer_id = $1 for update', [shop.customerId]);
  const first = callAcceptor.accept(callOf(shop, '639170000020'));
  await until(
    async () =>
      (
        await pool.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
      ).rowCount === 1,
  );
  const late = await Promise.allSettled([
    callAcceptor.accept(callOf(shop, '639170000021')),
    callAcceptor.accept(callOf(bank, '639170000022')),
  ]);
  for (const each of late) assert.ok(each.status === 'rejected' && each.reason instanceof AcceptBusyError);
  await blocker.query('rollback');
  blocker.release();
  assert.equal((await first).kind, 'answered');
  await callAcceptor.idle();
  assert.deepEqual(await Promise.all(['20', '21', '22'].map((n) => countTo(`6391700000${n}`))), [1, 0, 0]);
});
