import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertOwnSms, one, sql } from '@pahatid/db';
import { buildUser } from '@pahatid/db/builders';
import { findRecord } from '@pahatid/db/queries/records';
import { pino } from 'pino';
import { makeSecrets } from '../secrets/secrets.ts';
import { makeScene } from '../sending/testing/make-scene.ts';
import { answerCodeRequest } from './answer-requests.ts';
import { makeCodeHider } from './hide-sent-codes.ts';
import { sendOwnSms } from './send-own-sms.ts';

test('S76 a code goes out through the engine in the lane of codes, uncharged, under the internal customer, and leaves the records after', async (t) => {
  const scene = await makeScene(t);
  const { pool } = scene;
  const context = {
    pool,
    log: pino({ level: 'silent' }),
    owner: 'test',
    offsetMs: 0,
    writer: scene.writer,
    accept: async () => ({ ids: scene.writer.ids, routing: scene.routing }),
    notifyTask: () => undefined,
    notifySenders: () => undefined,
  };
  await buildUser(pool, { customerId: scene.customerId, msisdn: '639171234567' });
  await pool.query(
    `insert into one_time_code (purpose, destination, channel, visitor_hash, locale, requested_at)
     values ('resetPassword', '639171234567', 'sms', sha256('x'), 'en-US', now())`,
  );
  assert.equal(await answerCodeRequest(context, makeSecrets(Buffer.alloc(32, 1))), true);
  assert.equal(await sendOwnSms(context), true);
  assert.equal(await sendOwnSms(context), false);
  await scene.startSender();
  await scene.untilStates({ '3/2': 1 });

  const [submit, ...others] = [...scene.simulator!.journal.entries({ destination: '639171234567' })];
  assert.equal(others.length, 0);
  assert.match(submit?.text ?? '', /^Pahatid: \d{6} is your code/);
  assert.equal(submit?.source, 'PAHATID');
  const row = await one<Record<string, unknown>>(
    pool,
    sql`select c.internal, m.price, m.task_id, b.lane, b.cost::int as cost,
               (select count(*)::int from ledger l where l.customer_id = c.customer_id and l.amount <> 0) as charged
        from message m join customer c using (customer_id) join batch b on b.batch_id = m.message_id
        where m.msisdn = '639171234567'`,
  );
  assert.deepEqual({ ...row }, { internal: true, price: 0, task_id: null, lane: 1, cost: 0, charged: 0 });

  const { id, customerId } = await one<{ id: string; customerId: string }>(
    pool,
    sql`select message_id::text as id, customer_id as "customerId" from message where msisdn = '639171234567'`,
  );
  const shown = await findRecord(pool, [customerId], id);
  assert.match(shown?.content ?? '', /^Pahatid: \*{6} is your code/, 'staff who read records read no code');

  const hideSentCodes = makeCodeHider();
  assert.equal(await hideSentCodes(context), 0, 'not while it works');
  assert.equal(await hideSentCodes({ ...context, offsetMs: 11 * 60_000 }), 1);
  const { content } = await one<{ content: string }>(
    pool,
    sql`select content from message where msisdn = '639171234567'`,
  );
  assert.match(content, /^Pahatid: \*{6} is your code/);
});

test('what waited for too long is not sent any more', async (t) => {
  const scene = await makeScene(t);
  const { pool } = scene;
  await insertOwnSms(pool, { msisdn: '639171234568', content: 'late' });
  await pool.query(`update own_sms set created_at = now() - interval '6 minutes'`);
  const context = {
    pool,
    log: pino({ level: 'silent' }),
    owner: 'test',
    offsetMs: 0,
    writer: scene.writer,
    accept: async () => ({ ids: scene.writer.ids, routing: scene.routing }),
    notifyTask: () => undefined,
    notifySenders: () => undefined,
  };
  assert.equal(await sendOwnSms(context), false);
  const { n } = await one<{ n: number }>(
    pool,
    sql`select (select count(*) from own_sms)::int + (select count(*) from message)::int as n`,
  );
  assert.equal(n, 0);
});
