import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { leaseWriter, one, sql, uuidV7 } from '@pahatid/db';
import { buildApplication, buildCustomer, buildDefaultPrice, buildSimulatedCarriers } from '@pahatid/db/builders';
import { testDatabase, until } from '@pahatid/testkit';
import type { PoolClient } from 'pg';
import { RoutingTable } from '../route/routing-table.ts';
import { AcceptBusyError, CallAcceptor } from './accept-calls.ts';
import type { SendCall } from './send-call.ts';

const { pool } = await testDatabase({ max: 12 });
const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
let wakes = 0;
let callAcceptor: CallAcceptor;
/** As in another api process. */
let otherAcceptor: CallAcceptor;
/** Refuses soon. */
let hastyAcceptor: CallAcceptor;
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
  const makeAcceptor = async (longestWaitMs = 60_000) => {
    const { ids } = await leaseWriter(pool, uuidV7());
    return new CallAcceptor({
      control: pool,
      accept: async () => ({ ids, routing }),
      notifySenders: () => {
        wakes += 1;
      },
      longestWaitMs,
    });
  };
  [callAcceptor, otherAcceptor] = [await makeAcceptor(), await makeAcceptor()];
  hastyAcceptor = await makeAcceptor(100);
});

const callOf = (who: { customerId: string; appId: string }, msisdn: string, content = 'Your code is 123456.') =>
  ({
    ...who,
    key: null,
    messages: [{ smsType: 1, templateId: null, clientSid: 'SHOP', msisdn, areaCode: 'PH', content, pkgTotal: 1 }],
    answer: (results) => ({ status: 202, response: results[0] }),
  }) satisfies SendCall;
const countOf = async ({ customerId }: { customerId: string }) =>
  (await one<{ n: number }>(pool, sql`select count(*)::int as n from message where customer_id = ${customerId}`)).n;
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

/** Another transaction that stands still with these locks. */
const standStill = async (t: TestContext, ...statements: [text: string, ...values: string[]][]) => {
  const blocker: PoolClient = await pool.connect();
  let isOver = false;
  const letGo = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await blocker.query('rollback');
    blocker.release();
  };
  t.after(letGo);
  await blocker.query('begin');
  for (const [text, ...values] of statements) await blocker.query(text, values);
  return letGo;
};
const lockFunds = 'select 1 from customer where customer_id = $1 for no key update';
const isWaitingForLock = async () =>
  (await pool.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`))
    .rowCount !== 0;
const addLimit = (who: { customerId: string }, limitAt = 1_000) =>
  pool.query(
    `insert into threshold (threshold_id, customer_id, kind, period, unit, limit_at) values ($1, $2, 'volume', 'day', 'messages', $3)`,
    [uuidV7(), who.customerId, limitAt],
  );

test('a customer whose funds are locked holds up no other, with limits or without; its own calls wait, then succeed', async (t) => {
  const [held, limited, free] = [await addCaller(), await addCaller(), await addCaller()];
  await addLimit(limited);
  for (const how of ['before anything is known of them', 'with what is known of them']) {
    const letGo = await standStill(t, [lockFunds, held.customerId]);
    const answered: string[] = [];
    const ask = (who: typeof held, name: string) =>
      callAcceptor.accept(callOf(who, '639170000030')).then(({ kind }) => answered.push(`${name} ${kind}`));
    // The first three are one group.
    const first = [ask(held, 'held'), ask(limited, 'limited'), ask(free, 'free')];
    await Promise.all(first.slice(1));
    await until(isWaitingForLock);
    const second = [ask(held, 'held'), ask(limited, 'limited'), ask(free, 'free')];
    await Promise.all(second.slice(1));
    assert.deepEqual(
      answered.toSorted(),
      ['free answered', 'free answered', 'limited answered', 'limited answered'],
      how,
    );
    await letGo();
    await Promise.all([...first, ...second]);
    assert.equal(answered.filter((each) => each === 'held answered').length, 2, how);
  }
});

test('however many customers’ funds are locked, the calls of another are answered', async (t) => {
  const held = await Promise.all(Array.from({ length: 12 }, addCaller));
  const letGo = await standStill(t, ...held.map(({ customerId }): [string, string] => [lockFunds, customerId]));
  let isAnyAnswered = false;
  const waiting = held.map((who) =>
    callAcceptor.accept(callOf(who, '639170000031')).finally(() => {
      isAnyAnswered = true;
    }),
  );
  await until(isWaitingForLock);
  for (let n = 0; n < 5; n += 1)
    assert.equal((await callAcceptor.accept(callOf(bank, '639170000032'))).kind, 'answered');
  assert.equal(isAnyAnswered, false);
  await letGo();
  for (const { kind } of await Promise.all(waiting)) assert.equal(kind, 'answered');
  assert.deepEqual([await countTo('639170000031'), await countTo('639170000032')], [12, 5]);
});

test('a key that another process is taking for a locked customer holds up no other; both get one answer', async (t) => {
  const held = await addCaller();
  const letGo = await standStill(t, [lockFunds, held.customerId]);
  const call = { ...callOf(held, '639170000033'), key: { key: 'messages:k', requestHash: Buffer.alloc(32) } };
  const mine = callAcceptor.accept(call);
  await until(isWaitingForLock);
  const theirs = otherAcceptor.accept(call);
  assert.equal((await otherAcceptor.accept(callOf(bank, '639170000034'))).kind, 'answered');
  await letGo();
  const outcomes = await Promise.all([mine, theirs]);
  assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['answered', 'kept']);
  assert.equal(await countTo('639170000033'), 1);
});

test('an application whose row is locked holds up no other customer; of its own each call is accepted once', async (t) => {
  const held = await addCaller();
  const sister = { ...held, appId: await buildApplication(pool, { customerId: held.customerId }) };
  const letGo = await standStill(
    t,
    ['select 1 from application where app_id = $1 for update', sister.appId],
    [lockFunds, held.customerId],
  );
  const waiting = [
    callAcceptor.accept(callOf(held, '639170000035')),
    callAcceptor.accept(callOf(sister, '639170000036')),
  ];
  await until(isWaitingForLock);
  assert.equal((await callAcceptor.accept(callOf(bank, '639170000037'))).kind, 'answered');
  await letGo();
  for (const { kind } of await Promise.all(waiting)) assert.equal(kind, 'answered');
  assert.deepEqual(await Promise.all(['35', '36', '37'].map((n) => countTo(`6391700000${n}`))), [1, 1, 1]);
});

test('an application that does not exist is refused', async () => {
  const outcome = await callAcceptor.accept(callOf({ ...shop, appId: 'nobody' }, '639170000038'));
  assert.deepEqual(outcome, { kind: 'refusedCall', refusal: { code: 'APP_DISABLED', params: { appId: 'nobody' } } });
});

test('of two processes neither takes a customer’s limit twice', async () => {
  const limited = await addCaller();
  await addLimit(limited, 10);
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      (n % 2 === 0 ? callAcceptor : otherAcceptor).accept(callOf(limited, `6391700001${String(n).padStart(2, '0')}`)),
    ),
  );
  assert.equal(await countOf(limited), 10);
});

test('P15 with a slow database callers are rejected in time; rejected requests are never accepted, the rest are', async (t) => {
  const letGo = await standStill(t, ['lock table batch in exclusive mode']);
  const first = hastyAcceptor.accept(callOf(shop, '639170000020'));
  await until(isWaitingForLock);
  const late = await Promise.allSettled([
    hastyAcceptor.accept(callOf(shop, '639170000021')),
    hastyAcceptor.accept(callOf(bank, '639170000022')),
  ]);
  for (const each of late) assert.ok(each.status === 'rejected' && each.reason instanceof AcceptBusyError);
  await letGo();
  assert.equal((await first).kind, 'answered');
  await hastyAcceptor.idle();
  assert.deepEqual(await Promise.all(['20', '21', '22'].map((n) => countTo(`6391700000${n}`))), [1, 0, 0]);
});

test('P15 a call that would be refused is known before it is validated, and another customer’s is not refused', async (t) => {
  const letGo = await standStill(t, ['lock table batch in exclusive mode']);
  const [message] = callOf(shop, '639170000025').messages;
  const bulk = { ...callOf(shop, '639170000025'), messages: new Array<typeof message>(1_000).fill(message) as [] };
  callAcceptor.assertRoom(shop.customerId, 1_000);
  const calls = [callAcceptor.accept(bulk)];
  await until(isWaitingForLock);
  for (let n = 0; n < 10; n++) calls.push(callAcceptor.accept(bulk));
  assert.throws(() => callAcceptor.assertRoom(shop.customerId, 1_000), AcceptBusyError);
  callAcceptor.assertRoom(bank.customerId, 1_000);
  // Codes and other small calls wait elsewhere.
  callAcceptor.assertRoom(shop.customerId, 1);
  await letGo();
  await Promise.all(calls);
  assert.equal(await countTo('639170000025'), calls.length * 1_000);
  callAcceptor.assertRoom(shop.customerId, 1_000);
});

test('P15 of a customer whose funds are locked late calls are rejected in time, and never accepted', async (t) => {
  const letGo = await standStill(t, [lockFunds, shop.customerId]);
  const first = hastyAcceptor.accept(callOf(shop, '639170000023'));
  await until(isWaitingForLock);
  await assert.rejects(hastyAcceptor.accept(callOf(shop, '639170000024')), AcceptBusyError);
  await letGo();
  assert.equal((await first).kind, 'answered');
  await hastyAcceptor.idle();
  assert.deepEqual(await Promise.all(['23', '24'].map((n) => countTo(`6391700000${n}`))), [1, 0]);
});
