/** Codes for customers' software: sent as messages, entered once, guessed five times at most, and unreadable afterwards. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { many, one, run, sql, uuidV7 } from '@pahatid/db';
import {
  buildApplication,
  buildDefaultPrice,
  buildPrefixes,
  buildSender,
  buildSimulatedCarriers,
  buildTemplate,
} from '@pahatid/db/builders';
import { beginAlarm } from '@pahatid/db/queries/pumping-alarms';
import { deleteOldVerifications, eraseVerifications } from '@pahatid/db/queries/verifications';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerMessages } from '../messages/routes.ts';
import { registerRecords } from '../records/routes.ts';
import { registerVerifications } from './routes.ts';

const api = await makeTestApi({ features: [registerVerifications, registerMessages, registerRecords] });
const { db, appId, customerId } = api;

before(async () => {
  await buildSimulatedCarriers(db.pool, { port: 1, secrets: api.deps.secrets });
  await buildPrefixes(db.pool, [{ prefix: '63917', carrier: 'Globe' }]);
  await buildDefaultPrice(db.pool, 3_500);
  await buildSender(db.pool, { customerId, appId, senderId: 'SARISARI' });
});

interface Said {
  verificationId: string;
  status: string;
  messageId: string;
  attemptsLeft: number;
  sendCount: number;
  nextSendTime: string | null;
  isCorrect?: boolean;
  code?: string;
  params?: { retryAfterS: number };
}

const ask = async (route: string, body?: object, authorization = api.basic.app) => {
  const answer = await api.ask(null, route, { ...(body && { body }), headers: { authorization } });
  return { status: answer.status, body: answer.body as unknown as Said, text: answer.text };
};
let phones = 0;
const phone = (): string => {
  phones += 1;
  return `63917${String(phones).padStart(7, '0')}`;
};
const start = async (to: string, more: object = {}) => {
  const answer = await ask('POST /verifications', { to, ...more });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
/** As the phone reads it: the text that waits for the sender. */
const readCode = async (messageId: string): Promise<string> => {
  const row = await one<{ content: string }>(
    db.pool,
    sql`select content from message where message_id = ${messageId}::bigint`,
  );
  return /\d{4,}/.exec(row.content)?.[0] ?? assert.fail(row.content);
};
const check = (id: string, code: string, authorization?: string) =>
  ask(`POST /verifications/${id}/check`, { code }, authorization);
const wrong = (code: string): string => String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0');

test('a code is sent in the verification lane and is right once', async () => {
  const to = phone();
  const made = await start(to);
  assert.partialDeepStrictEqual(made, { status: 'pending', attemptsLeft: 5, sendCount: 1, phoneAddress: to });
  const code = await readCode(made.messageId);
  assert.match(code, /^\d{6}$/);
  const batch = await one<{ lane: number }>(
    db.pool,
    sql`select lane from batch where batch_id = ${made.messageId}::bigint`,
  );
  assert.equal(batch.lane, 1);
  const missed = await check(made.verificationId, wrong(code));
  assert.partialDeepStrictEqual(missed.body, { isCorrect: false, status: 'pending', attemptsLeft: 4 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => check(made.verificationId, code)));
  assert.deepEqual(answers.map(({ status, body }) => `${status} ${body.status} ${body.isCorrect}`).toSorted(), [
    '200 approved true',
    ...Array.from({ length: 9 }, () => '409 409 undefined'),
  ]);
  assert.equal((await ask(`GET /verifications/${made.verificationId}`)).body.status, 'approved');
  const entered = await many(
    db.pool,
    sql`select 1 from message_conversion where message_id = ${made.messageId}::bigint`,
  );
  assert.equal(entered.length, 1);
});

test('five wrong codes end it, however many come at once, and the right one is refused then', async () => {
  const made = await start(phone());
  const code = await readCode(made.messageId);
  const answers = await Promise.all(Array.from({ length: 40 }, () => check(made.verificationId, wrong(code))));
  assert.equal(answers.filter(({ status }) => status === 200).length, 5);
  assert.partialDeepStrictEqual(await check(made.verificationId, code), {
    status: 409,
    body: { code: 'VERIFICATION_ENDED' },
  });
  assert.equal((await ask(`GET /verifications/${made.verificationId}`)).body.status, 'failed');
  // Another begins again.
  assert.equal((await start(to(made))).sendCount, 1);
});
const to = (made: object): string => (made as unknown as { phoneAddress: string }).phoneAddress;

test('a code can be repeated after a minute, five times, and the one before is void', async () => {
  const number = phone();
  const made = await start(number);
  const early = await ask('POST /verifications', { to: number });
  assert.equal(early.status, 429, early.text);
  assert.ok((early.body.params?.retryAfterS ?? 0) <= 60);
  const first = await readCode(made.messageId);
  for (let sends = 2; sends <= 5; sends++) {
    api.advance(61_000);
    const again = await start(number);
    assert.deepEqual([again.verificationId, again.sendCount], [made.verificationId, sends]);
  }
  api.advance(61_000);
  assert.equal((await ask('POST /verifications', { to: number })).status, 429);
  const { body } = await check(made.verificationId, first);
  // One of a million times the codes are equal.
  assert.equal(body.isCorrect, false);
});

test('of twenty concurrent calls for one phone one sends', async () => {
  const number = phone();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('POST /verifications', { to: number })));
  assert.deepEqual(
    [201, 429].map((status) => answers.filter((each) => each.status === status).length),
    [1, 19],
  );
  const rows = await many(db.pool, sql`select 1 from message where msisdn = ${number}`);
  assert.equal(rows.length, 1);
});

test('a code whose time is over, or that was cancelled, opens nothing', async () => {
  const made = await start(phone(), { validFor: 60 });
  const code = await readCode(made.messageId);
  api.advance(60_000);
  assert.equal((await check(made.verificationId, code)).status, 409);
  assert.equal((await ask(`GET /verifications/${made.verificationId}`)).body.status, 'expired');
  const other = await start(phone());
  const cancel = () => ask(`POST /verifications/${other.verificationId}/cancel`);
  assert.equal((await cancel()).body.status, 'cancelled');
  assert.equal((await cancel()).status, 409);
  assert.equal((await check(other.verificationId, await readCode(other.messageId))).status, 409);
});

test('a refused message leaves no verification, and a template must be one of codes with one variable', async () => {
  const own = { customerId, appId };
  const good = await buildTemplate(db.pool, { ...own, smsType: 1, content: 'SARI: {1} is your code.' });
  const notice = await buildTemplate(db.pool, { ...own, smsType: 2, content: 'Hi {1}.' });
  const two = await buildTemplate(db.pool, { ...own, smsType: 1, content: '{1} is the code for {2}.' });
  const pending = await buildTemplate(db.pool, { ...own, smsType: 1, content: '{1} is your code.', auditStatus: 0 });
  const number = phone();
  for (const [more, code] of [
    [{ to: '12' }, 'MOBILE_NUMBER_INVALID'],
    [{ senderId: 'STRANGER' }, 'SENDER_NOT_SENDABLE'],
    [{ templateId: notice }, 'TEMPLATE_TYPE_MISMATCH'],
    [{ templateId: two }, 'VALIDATION_FAILED'],
    [{ templateId: pending }, 'TEMPLATE_NOT_SENDABLE'],
    [{ codeLength: 3 }, 'VALIDATION_FAILED'],
    [{ validFor: 30 }, 'VALIDATION_FAILED'],
    [{ channel: 'voice' }, 'VALIDATION_FAILED'],
    [{ price: 0 }, 'VALIDATION_FAILED'],
  ] as const)
    assert.equal((await ask('POST /verifications', { to: number, ...more })).body.code, code, JSON.stringify(more));
  assert.deepEqual(await many(db.pool, sql`select 1 from verification where msisdn = ${number}`), []);
  await run(db.pool, sql`update customer set template_required = true where customer_id = ${customerId}`);
  assert.equal((await ask('POST /verifications', { to: number })).body.code, 'VALIDATION_FAILED');
  const made = await start(number, { templateId: good, codeLength: 8 });
  await run(db.pool, sql`update customer set template_required = null where customer_id = ${customerId}`);
  const row = await one<{ content: string }>(
    db.pool,
    sql`select content from message where message_id = ${made.messageId}::bigint`,
  );
  assert.match(row.content, /^SARI: \d{8} is your code\.$/);
});

test('another application learns nothing of it', async () => {
  const made = await start(phone());
  const code = await readCode(made.messageId);
  const credentials = { appSecret: 'sister-secret', smppPassword: 'sisterpw', secrets: api.deps.secrets };
  const sister = await buildApplication(db.pool, { customerId, credentials });
  for (const authorization of [
    api.basic.otherApp,
    `Basic ${Buffer.from(`${sister}:sister-secret`).toString('base64')}`,
  ]) {
    assert.equal((await ask(`GET /verifications/${made.verificationId}`, undefined, authorization)).status, 404);
    assert.equal((await check(made.verificationId, code, authorization)).status, 404);
    assert.equal(
      (await ask(`POST /verifications/${made.verificationId}/cancel`, undefined, authorization)).status,
      404,
    );
  }
  assert.equal((await check(made.verificationId, code)).body.isCorrect, true);
});

test('S76 the code is stored as a keyed hash alone, and no answer, list or file has it', async () => {
  const number = phone();
  const made = await start(number, { codeLength: 10 });
  const code = await readCode(made.messageId);
  const headers = { authorization: api.basic.app };
  const answers = await Promise.all([
    api.ask(null, `GET /messages/${made.messageId}`, { headers }),
    api.ask(null, `GET /messages?phoneAddress=${number}`, { headers }),
    api.ask(null, `GET /messages?phoneAddress=${number}`, { headers: { ...headers, accept: 'text/csv' } }),
    api.ask('owner', `GET /records/${made.messageId}`),
    api.ask('owner', 'GET /records', { headers: { accept: 'text/csv' } }),
    api.ask('admin', 'GET /records'),
    api.ask('owner', `POST /records/${made.messageId}/unmask`),
    api.ask(null, `GET /verifications/${made.verificationId}`, { headers }),
  ]);
  for (const { status, text } of answers) {
    assert.equal(status, 200, text);
    assert.ok(!text.includes(code), text.slice(0, 300));
  }
  for (const table of [
    'verification',
    'verification_hour',
    'audit_log',
    'callback_event',
    'idempotency_key',
    'attempt',
  ]) {
    const rows = await many(db.pool, sql`select t::text as row from ${sql.ref(table)} t`);
    assert.ok(!JSON.stringify(rows).includes(code), table);
  }
});

test('statistics have what began, was sent and was entered, by country and prefix, of the own customer', async () => {
  const { status, body, text } = await api.ask('viewer', 'GET /statistics/verifications');
  assert.equal(status, 200, text);
  const [row] = body.items;
  assert.partialDeepStrictEqual(row, { areaCode: 'PH', prefix: '63917' });
  assert.ok(row.sentCount > row.startedCount && row.approvedCount === 2, text);
  assert.equal(row.conversionRate, row.approvedCount / row.startedCount);
  assert.deepEqual((await api.ask('other', 'GET /statistics/verifications')).body.items, []);
  const csv = await api.ask('owner', 'GET /statistics/verifications', { headers: { accept: 'text/csv' } });
  assert.match(csv.text, /areaCode,prefix,appId,appName,startedCount,sentCount,[\w,]+\r?\nPH,63917,,,/);
});

test('the figures are how each one ended: entered, wrong codes, ended by five of them or by a call, and the rest', async () => {
  const count = (condition: string) => `count(*) filter (where ${condition})::int`;
  const { rows } = await db.pool.query(
    `select count(*)::int as "startedCount", ${count("status = 'approved'")} as "approvedCount", sum(attempts)::int as "wrongCount",
       ${count("status in ('pending', 'expired')")} as "expiredCount" from verification`,
  );
  const { body, text } = await api.ask('owner', 'GET /statistics/verifications');
  assert.partialDeepStrictEqual(body.totals, rows[0], text);
  assert.partialDeepStrictEqual(body.items[0], rows[0]);
  assert.ok(rows[0].wrongCount >= 6 && rows[0].expiredCount > 0 && rows[0].expiredCount < rows[0].startedCount, text);
});

interface Figure {
  areaCode: string | null;
  prefix: string | null;
  appId: string | null;
  appName: string | null;
  startedCount: number;
  expiredCount: number;
}

test('figures are by country and prefix, by country, or by application, sorted by how many began', async () => {
  const at = api.deps.now();
  // As a release without the counts of ends wrote them.
  await run(
    db.pool,
    sql`insert into verification_hour (customer_id, hour, app_id, area_code, prefix, writer, started, sent, approved)
        select ${customerId}, date_trunc('hour', ${at}::timestamptz) - interval '1 hour', 'gone', 'PH', prefix, 0, started, started, 1
        from unnest(array['63918', '63919', '63920'], array[900, 900, 7]) as p (prefix, started)`,
  );
  const read = async (query: Record<string, string>) => {
    const items: Figure[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const asked: Record<string, string> = { limit: '1', ...query, ...(cursor !== '' && { cursor }) };
      const { status, body, text } = await api.ask('owner', 'GET /statistics/verifications', { query: asked });
      assert.equal(status, 200, text);
      items.push(...body.items);
      cursor = body.nextCursor as string | null;
    }
    return items;
  };
  const prefixes = async (sort: string) => (await read({ sort })).map(({ prefix }) => prefix);
  assert.deepEqual(await prefixes('areaCode'), ['63917', '63918', '63919', '63920']);
  assert.deepEqual(await prefixes('-areaCode'), ['63920', '63919', '63918', '63917']);
  const [first, second] = await prefixes('-startedCount');
  assert.deepEqual([first, second], ['63919', '63918']);
  assert.deepEqual((await prefixes('startedCount')).toReversed(), await prefixes('-startedCount'));
  const countries = await read({ by: 'areaCode' });
  assert.deepEqual(
    countries.map(({ areaCode, prefix, appId: app }) => [areaCode, prefix, app]),
    [['PH', null, null]],
  );
  const applications = await read({ by: 'appId', sort: '-startedCount' });
  assert.deepEqual(
    applications.map(({ appId: app }) => app),
    ['gone', appId],
  );
  const [gone, known] = applications;
  assert.partialDeepStrictEqual(gone, { appName: null, startedCount: 1_807, expiredCount: 1_804 });
  assert.equal(typeof known?.appName, 'string');
  const bad = await api.ask('owner', 'GET /statistics/verifications', { query: { by: 'carrier' } });
  assert.deepEqual([bad.status, bad.body.errors[0].field], [400, 'by']);
  await run(db.pool, sql`delete from verification_hour where app_id = 'gone'`);
});

test('a verification goes with its number, and when it is too old', async () => {
  const number = phone();
  const made = await start(number);
  await eraseVerifications(db.pool, customerId, number, api.deps.now());
  assert.partialDeepStrictEqual((await ask(`GET /verifications/${made.verificationId}`)).body, {
    status: 'cancelled',
    phoneAddress: '',
  });
  await deleteOldVerifications(db.pool, customerId, new Date(Date.now() + 60_000), 1_000);
  assert.equal((await ask(`GET /verifications/${made.verificationId}`)).status, 404);
});

test('an application that a rule slowed or paused starts no more verifications, and one that waits can be checked', async () => {
  const made = await start(phone());
  const thresholdId = uuidV7();
  await run(
    db.pool,
    sql`insert into threshold (threshold_id, customer_id, kind, min_volume, factor, slow_to, act)
        values (${thresholdId}, ${customerId}, 'pumping', 50, 5, 1, 'slow')`,
  );
  const facts = { appId, appName: null, signal: 'prefix', key: '63917', usual: null } as const;
  await beginAlarm(db.pool, { customerId, thresholdId, appId }, { facts, slowTo: 1, nowMs: Date.now() });
  const number = phone();
  const refusals = async () => {
    const answers = await Promise.all(Array.from({ length: 3 }, () => ask('POST /verifications', { to: phone() })));
    return answers.map(({ body }) => body.code ?? 'started').toSorted();
  };
  assert.deepEqual(await refusals(), ['VOLUME_LIMITED', 'VOLUME_LIMITED', 'started']);
  await run(db.pool, sql`update application set paused_by = ${thresholdId} where app_id = ${appId}`);
  assert.equal((await ask('POST /verifications', { to: number })).body.code, 'APP_PAUSED');
  assert.deepEqual(await many(db.pool, sql`select 1 from verification where msisdn = ${number}`), []);
  assert.equal((await check(made.verificationId, await readCode(made.messageId))).body.isCorrect, true);
  await run(db.pool, sql`delete from threshold where threshold_id = ${thresholdId}`);
});
