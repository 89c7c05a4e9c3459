/**
 * A repeated call acts once: after a double click, a lost response, a database connection lost during COMMIT. 40 lost
 * commits here, 1,000 with `PAHATID_SOAK=1`.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { CommitUnknownError, makePool, many, one, run, sql, withTransaction } from '@pahatid/db';
import { buildApplication, buildDefaultPrice, buildSender, buildSimulatedCarriers } from '@pahatid/db/builders';
import { sweepKeys } from '@pahatid/db/queries/idempotency';
import { TcpProxy } from '@pahatid/testkit';
import { pino } from 'pino';
import { makeApp } from '../../http/app.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerMessages } from './routes.ts';

const api = await makeTestApi({ features: [registerMessages] });
const { db, appId, customerId } = api;
const rounds = process.env['PAHATID_SOAK'] === '1' ? 1_000 : 40;

before(async () => {
  await buildSimulatedCarriers(db.pool, { port: 1, secrets: api.deps.secrets });
  await buildDefaultPrice(db.pool, 3_500);
  await buildSender(db.pool, { customerId, appId, senderId: 'SARISARI' });
  await run(db.pool, sql`insert into balance (customer_id, writer, amount) values (${customerId}, 254, 1000000000000)`);
});

const body = (msisdn: string) => ({ to: msisdn, smsType: 1, content: 'Your code is 123456.' });
const post = (given: unknown, key: string, authorization = api.basic.app) =>
  api.ask(null, 'POST /messages', { body: given, headers: { authorization, 'idempotency-key': key } });
const countTo = async (msisdn: string) =>
  (await one<{ n: number }>(db.pool, sql`select count(*)::int as n from message where msisdn = ${msisdn}`)).n;

test('S20 fifty identical concurrent calls make one message, and all get the same response', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(body('639170000001'), 'form-1')));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202]);
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal(await countTo('639170000001'), 1);
  const again = await post(body('639170000001'), 'form-1');
  assert.equal(again.text, answers[0]?.text);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.equal((await post(body('639170000001'), 'form-1-new')).headers['idempotent-replayed'], undefined);
  assert.equal(await countTo('639170000001'), 2);
});

test('the same holds between two processes', async () => {
  const other = await makeApp({ ...api.deps, log: pino({ level: 'silent' }) }, [registerMessages]);
  try {
    const inject = () =>
      other.inject({
        method: 'POST',
        url: '/api/v1/messages',
        headers: { authorization: api.basic.app, 'idempotency-key': 'form-2', 'content-type': 'application/json' },
        payload: JSON.stringify(body('639170000002')),
      });
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) =>
        n % 2 === 0 ? (await post(body('639170000002'), 'form-2')).text : (await inject()).payload,
      ),
    );
    assert.equal(new Set(answers).size, 1, answers[1]);
    assert.equal(await countTo('639170000002'), 1);
  } finally {
    await other.close();
  }
});

test('the same key for another call is rejected, immediately and later', async () => {
  const [one1, two] = await Promise.all([post(body('639170000003'), 'form-3'), post(body('639170000004'), 'form-3')]);
  assert.deepEqual([one1.status, two.status, two.body.code], [202, 422, 'IDEMPOTENCY_KEY_REUSED']);
  assert.equal((await post(body('639170000004'), 'form-3')).status, 422);
  // Even if it would now be refused for its content.
  assert.equal((await post({ ...body('639170000004'), senderId: 'STRANGER' }, 'form-3')).status, 422);
  assert.equal(await countTo('639170000004'), 0);
});

test('two applications may choose the same key', async () => {
  const sister = await buildApplication(db.pool, {
    customerId,
    credentials: { appSecret: 'sister', smppPassword: 'sistpass', secrets: api.deps.secrets },
  });
  await buildSender(db.pool, { customerId, appId: sister, senderId: 'SISTER' });
  const basic = `Basic ${Buffer.from(`${sister}:sister`).toString('base64')}`;
  const [mine, hers] = [await post(body('639170000005'), 'form-5'), await post(body('639170000006'), 'form-5', basic)];
  assert.deepEqual([mine.status, hers.status], [202, 202]);
});

test('a rejected call releases its key: corrected or retried, it succeeds', async () => {
  const stranger = { ...body('639170000007'), senderId: 'LATER' };
  assert.equal((await post(stranger, 'form-7')).status, 409);
  await run(
    db.pool,
    sql`insert into opt_out (customer_id, msisdn, source, created_at) values (${customerId}, '639170000007', 'reply', now())`,
  );
  const sale = { to: '639170000007', smsType: 3, content: 'Big sale. Reply T to unsubscribe' };
  assert.equal((await post(sale, 'form-8')).body.code, 'RECIPIENT_OPTED_OUT');
  await buildSender(db.pool, { customerId, appId, senderId: 'LATER' });
  await run(db.pool, sql`delete from opt_out where customer_id = ${customerId}`);
  assert.equal((await post(stranger, 'form-7')).status, 202);
  assert.equal((await post(sale, 'form-8')).status, 202);
});

test('an accepted call gets the same response again, whatever has changed since', async (t) => {
  // The age of cached application data is measured by this clock, however long the calls take.
  let nowMs = performance.now();
  t.mock.method(performance, 'now', () => nowMs);
  const named = { ...body('639170000010'), senderId: 'SARISARI' };
  const first = await post(named, 'form-10');
  await run(db.pool, sql`update sender set use_state = 0 where customer_id = ${customerId} and sender_id = 'SARISARI'`);
  assert.equal((await post(named, 'form-11')).status, 202, 'known for a second');
  nowMs += 1_001;
  assert.equal((await post(named, 'form-12')).body.code, 'SENDER_NOT_SENDABLE');
  assert.equal((await post(named, 'form-10')).text, first.text);
  await run(db.pool, sql`update sender set use_state = 1 where customer_id = ${customerId} and sender_id = 'SARISARI'`);
});

test('a key that can’t be one is refused', async () => {
  for (const key of ['', 'with space', 'x'.repeat(256), 'ü'])
    assert.equal((await post(body('639170000013'), key)).status, 400, key);
  assert.equal((await post(body('639170000013'), 'x'.repeat(255))).status, 202);
});

test('keys are kept for a day at least, and swept', async () => {
  const key = async () => (await many(db.pool, sql`select 1 from idempotency_key where key like 'messages:%'`)).length;
  const before = await key();
  assert.ok(before > 5);
  await sweepKeys(db.pool, 86_400_000);
  assert.equal(await key(), before);
  await run(db.pool, sql`update idempotency_key set created_at = now() - interval '3 days'`);
  await sweepKeys(db.pool, 2 * 86_400_000);
  assert.equal(await key(), 0);
});

test('P4 a connection lost after COMMIT was passed on: each call has one effect and one answer, with a key or without', async () => {
  const proxy = await TcpProxy.start({ port: Number(new URL(db.url).port) });
  const pool = makePool({ url: proxy.through(db.url), applicationName: 'pahatid through a proxy', max: 4 });
  const app = await makeApp({ ...api.deps, pools: { control: pool, data: pool } }, [registerMessages]);
  const send = async (msisdn: string, key: string | null) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/messages',
      headers: {
        authorization: api.basic.app,
        'content-type': 'application/json',
        ...(key !== null && { 'idempotency-key': key }),
      },
      payload: JSON.stringify(body(msisdn)),
    });
    return { status: answer.statusCode, text: answer.payload, headers: answer.headers };
  };
  try {
    assert.equal((await send('639171999999', null)).status, 202);
    // Verifies the proxy: a transaction through it ends as unknown.
    const lost = proxy.cutAfterPattern('toServer', 'commit\0');
    await assert.rejects(
      withTransaction(pool, (tx) => tx.query('select pg_current_xact_id()')),
      CommitUnknownError,
    );
    await lost;
    let cuts = 0;
    for (let round = 0; round < rounds; round += 1) {
      const cut = proxy.cutAfterPattern('toServer', 'commit\0').then(() => {
        cuts += 1;
      });
      const msisdn = (n: number) => `63917${String(1_000_000 + round * 4 + n)}`;
      const answers = await Promise.all(
        [0, 1, 2, 3].map((n) => send(msisdn(n), n % 2 === 0 ? `lost-${round}-${n}` : null)),
      );
      await cut;
      for (const [n, answer] of answers.entries()) {
        assert.equal(answer.status, 202, answer.text);
        assert.equal(await countTo(msisdn(n)), 1);
        if (n % 2 === 0) assert.equal((await send(msisdn(n), `lost-${round}-${n}`)).text, answer.text);
      }
    }
    assert.equal(cuts, rounds);
    const { n } = await one<{ n: number }>(
      db.pool,
      sql`select count(*)::int as n from message where msisdn between '639171000000' and '639171999998'`,
    );
    assert.equal(n, rounds * 4);
    const { held, rows } = await one<{ held: number; rows: number }>(
      db.pool,
      sql`select (select sum(cost)::float8 from batch) as held, (select count(*)::int from message) as rows`,
    );
    assert.equal(held, rows * 3_500, 'no batch without its messages, none held twice');
  } finally {
    await app.close();
    await pool.end();
    await proxy.close();
  }
});

test('P4 while the database is down callers get Retry-After; then the same key takes effect once', async () => {
  const proxy = await TcpProxy.start({ port: Number(new URL(db.url).port) });
  const pool = makePool({ url: proxy.through(db.url), applicationName: 'pahatid through a proxy', max: 4 });
  const app = await makeApp({ ...api.deps, pools: { control: pool, data: pool } }, [registerMessages]);
  const send = async (n: number) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/messages',
      headers: { authorization: api.basic.app, 'content-type': 'application/json', 'idempotency-key': `away-${n}` },
      payload: JSON.stringify(body(`63918${String(2_000_000 + n)}`)),
    });
    return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], text: answer.payload };
  };
  try {
    assert.equal((await send(0)).status, 202);
    proxy.refuse();
    proxy.cut();
    const away = await Promise.all([1, 2, 3].map(send));
    for (const answer of away) {
      assert.equal(answer.status, 503, answer.text);
      assert.ok(Number(answer.retryAfter) > 0);
    }
    proxy.heal();
    for (const n of [0, 1, 2, 3]) assert.equal((await send(n)).status, 202);
    for (const n of [0, 1, 2, 3]) assert.equal(await countTo(`63918${String(2_000_000 + n)}`), 1);
  } finally {
    await app.close();
    await pool.end();
    await proxy.close();
  }
});
