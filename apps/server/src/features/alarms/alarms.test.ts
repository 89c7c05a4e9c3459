/** Alarms for staff: each by what really leads to it, through the API, and as the overview, the log and the metric show it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus } from '@pahatid/contract/enums';
import { run, sql, uuidV7 } from '@pahatid/db';
import { buildKey, buildSupplier, buildUser, defaultPassword } from '@pahatid/db/builders';
import { insertApiCalls } from '@pahatid/db/queries/api-calls';
import { sweepAlarms } from '@pahatid/db/queries/staff-alarms';
import { pino } from 'pino';
import { makeTaskWorld } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { staffAlarms } from '../../metrics/job-metrics.ts';
import { registerRecords } from '../records/routes.ts';
import { registerSession } from '../sign-in/routes.ts';
import { registerTraffic } from '../traffic/routes.ts';
import { judgeFailures, judgeOwnerSignIn } from './judge-sign-ins.ts';
import { softwareFactor, unusualFactor } from './limits.ts';
import { watchExports, watchLookUps, watchReceipts, watchSignIns } from './raise-alarms.ts';

const alarms = { accounts: 5, lookUps: 3, exportedRows: 1_000 };
const proxy = '10.9.8.7';
const api = await makeTestApi({
  features: [registerSession, registerRecords, registerTraffic({ freshForMs: 0 })],
  config: { alarms, demo: false, trustProxy: [proxy], countryHeader: 'x-country' },
});
const { pool } = api.db;
const { customerId, appId } = api;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const lines: Record<string, unknown>[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
const job = (offsetMs = 0) => ({ pool, log, owner: uuidV7(), offsetMs });
const clear = async (kind: string): Promise<void> => {
  await run(pool, sql`delete from staff_alarm where kind = ${kind}`);
  lines.length = 0;
};
const shown = async (kind: string): Promise<Record<string, unknown>[]> => {
  const { status, body } = await api.ask('reviewer', 'GET /traffic');
  assert.equal(status, 200, JSON.stringify(body));
  return body.alerts.filter((alert: { kind: string }) => alert.kind === kind);
};
const countOf = async (kind: string): Promise<number> =>
  (await staffAlarms.get()).values.find(({ labels }) => labels.kind === kind)?.value ?? 0;
const signIn = (account: string, ip: string, input: { password?: string; country?: string } = {}) =>
  api.ask(null, 'POST /session', {
    ip: input.country === undefined ? ip : proxy,
    body: { account, password: input.password ?? defaultPassword },
    ...(input.country !== undefined && { headers: { 'x-country': input.country, 'x-forwarded-for': ip } }),
  });
/** The audit log can't be changed: what lies back is written so. */
const signedIn = (userId: string, ip: string, { agoMs = 0, country }: { agoMs?: number; country?: string } = {}) =>
  run(
    pool,
    sql`insert into audit_log (at, customer_id, user_id, account, role, ip, action, subject_type, subject_id, after)
        values (${new Date(Date.now() - agoMs)}, ${customerId}, ${userId}, 'owner-1', 'owner', ${ip}::inet, 'signIn',
          'session', ${userId}, ${JSON.stringify({ how: 'password', ...(country && { country }) })}::jsonb)`,
  );

test('passwords that are tried for many accounts from one network alarm staff, once an hour', async () => {
  const before = await countOf('passwordSpraying');
  for (let each = 1; each < alarms.accounts; each++)
    await signIn(`sprayed-${each}`, `203.0.113.${each}`, { password: 'Wrong@1' });
  // The same account again, and another network.
  await signIn('sprayed-1', '203.0.113.77', { password: 'Wrong@1' });
  await signIn('zz-elsewhere', '198.51.100.1', { password: 'Wrong@1' });
  assert.equal(await watchSignIns(job(), alarms), 0);
  const user = await buildUser(pool, { customerId, role: 'member' });
  await signIn(user.account, '203.0.113.200', { password: 'Wrong@1' });
  for (const name of ['aa', 'bb', 'cc', 'dd'])
    await signIn(`${name}-sprayed`, '203.0.113.201', { password: 'Wrong@1' });
  assert.equal(await watchSignIns(job(), alarms), 1);
  const [alert, ...more] = await shown('passwordSpraying');
  assert.deepEqual(more, []);
  assert.partialDeepStrictEqual(alert, { severity: 'danger', network: '203.0.113.0/24' });
  assert.ok(Number(alert?.['accounts']) >= alarms.accounts);
  assert.partialDeepStrictEqual(lines, [
    { level: 40, msg: 'sign-ins failed for many accounts within an hour', network: '203.0.113.0/24' },
  ]);
  assert.equal(await countOf('passwordSpraying'), before + 1);
  // By any process, and while it goes on.
  assert.equal(await watchSignIns(job(59 * minuteMs), alarms), 0);
  assert.equal((await shown('passwordSpraying')).length, 1);
  lines.length = 0;
});

test('failures over many networks are judged together; one network alone is named', () => {
  const failures = (count: number, network: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => ({ ip: network(at), account: `account-${at}` }));
  const spread = (at: number) => `10.${at}.0.1`;
  assert.deepEqual(judgeFailures(failures(49, spread), 5), []);
  assert.deepEqual(judgeFailures(failures(50, spread), 5), [
    { kind: 'passwordSpraying', subject: '*', facts: { network: null, accounts: 50 } },
  ]);
  const near = (at: number) => `2001:db8:7:${at}::1`;
  assert.deepEqual(judgeFailures(failures(5, near), 5), [
    { kind: 'passwordSpraying', subject: '2001:db8:7::/48', facts: { network: '2001:db8:7::/48', accounts: 5 } },
  ]);
  // Mapped addresses are those of IPv4, and not one network.
  assert.deepEqual(
    judgeFailures(
      failures(5, (at) => `::ffff:192.0.${at}.1`),
      5,
    ),
    [],
  );
});

test('a user that opens very many numbers, and a key that reads very many messages, alarm staff', async () => {
  const world = await makeTaskWorld(pool, customerId, appId);
  const taskId = await world.addTask({ taskStatus: 7 });
  const messages = Array.from({ length: 4 }, (_, at) => ({
    msisdn: `63917555000${at}`,
    content: 'Hello',
    carrier: 'Globe' as const,
    clientStatus: ClientStatus.Delivered,
    receiptAfterMs: 900,
  }));
  const first = BigInt(await world.addBatch(taskId, messages));
  const open = async (at: number) => {
    const { status, text } = await api.ask('operator', `POST /records/${first + BigInt(at)}/unmask`);
    assert.equal(status, 200, text);
  };
  for (const at of [0, 1, 1, 1]) await open(at);
  assert.equal(await watchLookUps(job(), alarms), 0);
  await open(2);
  assert.equal(await watchLookUps(job(), alarms), 1);
  const { account } = api.users.operator;
  assert.partialDeepStrictEqual(await shown('bulkLookUps'), [{ severity: 'warning', actor: account, numbers: 3 }]);
  assert.partialDeepStrictEqual(lines, [
    { msg: 'very many phone numbers opened within an hour', actor: account, numbers: 3 },
  ]);
  assert.equal(await watchLookUps(job(), alarms), 0);

  const key = await buildKey(pool, { customerId, appId });
  const call = (path: string, route: string, agoMs = 0, status = 200) => ({
    ...{ customerId, appId, keyId: key.keyId, requestId: 'r', method: 'GET', route, path, status, errorCode: null },
    ...{ callId: uuidV7(Date.now() - agoMs), durationMs: 1, ip: '192.0.2.1', requestBody: null, responseBody: null },
  });
  const one = (at: number, agoMs = 0, status = 200) =>
    call(`/messages/${first + BigInt(at)}`, '/messages/:messageId', agoMs, status);
  const least = alarms.lookUps * softwareFactor;
  // Repeated ones, those of another hour and those that found nothing do not count; a page of a list is twenty.
  const quiet = [
    ...Array.from({ length: least - 21 }, (_, at) => one(at)),
    one(0),
    one(998, 2 * hourMs),
    one(999, 0, 404),
  ];
  await insertApiCalls(pool, [...quiet, call('/messages', '/messages')]);
  assert.equal(await watchLookUps(job(), alarms), 0);
  await insertApiCalls(pool, [one(997)]);
  assert.equal(await watchLookUps(job(), alarms), 1);
  assert.equal((await shown('bulkLookUps')).find(({ actor }) => actor !== account)?.['numbers'], least);
  await clear('bulkLookUps');
});

test('exports that are far larger than on any earlier day alarm staff, those of a large customer’s every day do not', async () => {
  const { userId, account } = api.users.member;
  const exported = (rows: number, agoMs = 0, app = false) =>
    run(
      pool,
      sql`insert into export_job (export_id, customer_id, user_id, app_id, list, request, lang, masked, state, row_count, created_at)
          values (${uuidV7(Date.now() - agoMs)}, ${customerId}, ${app ? null : userId}, ${app ? appId : null}, 'records', '{}',
            'en-US', false, 'cancelled', ${rows}, ${new Date(Date.now() - agoMs)})`,
    );
  await exported(alarms.exportedRows, 3 * dayMs);
  await exported(alarms.exportedRows * unusualFactor);
  assert.equal(await watchExports(job(), alarms), 0);
  await exported(1, 5 * hourMs);
  assert.equal(await watchExports(job(), alarms), 1);
  const rows = alarms.exportedRows * unusualFactor + 1;
  assert.partialDeepStrictEqual(await shown('unusualExports'), [{ severity: 'warning', actor: account, rows }]);
  assert.partialDeepStrictEqual(lines, [
    { msg: 'exports of a day are unusually large', actor: account, rows, usualRows: alarms.exportedRows },
  ]);
  await exported(alarms.exportedRows, 0, true);
  assert.equal(await watchExports(job(), alarms), 1, 'software has its own sum');
  assert.equal(await watchExports(job(), alarms), 0);
  await clear('unusualExports');
  await run(pool, sql`delete from export_job`);

  const files = (count: number) =>
    run(
      pool,
      sql`insert into audit_log (customer_id, user_id, account, action, subject_type, subject_id)
          select ${customerId}, ${userId}, ${account}, 'export', 'records', '*' from generate_series(1, ${count}::int)`,
    );
  await files(49);
  assert.equal(await watchExports(job(), alarms), 0);
  await files(1);
  assert.equal(await watchExports(job(), alarms), 1);
  assert.partialDeepStrictEqual(await shown('unusualExports'), [{ actor: account, rows: 0, files: 50 }]);
  await clear('unusualExports');
});

test('an owner’s sign-in from a new network or country alarms staff, the first one and those of members do not', async () => {
  const owner = await buildUser(pool, { customerId, role: 'owner', account: 'owner-1' });
  const member = await buildUser(pool, { customerId, role: 'member' });
  assert.equal((await signIn(owner.account, '192.0.2.10')).status, 200);
  assert.equal((await signIn(owner.account, '192.0.2.99')).status, 200);
  for (const ip of ['192.0.2.10', '198.51.100.7']) assert.equal((await signIn(member.account, ip)).status, 200);
  assert.equal(await watchSignIns(job(), alarms), 0);
  assert.equal((await signIn(owner.account, '198.51.100.10')).status, 200);
  assert.equal(await watchSignIns(job(), alarms), 1);
  const facts = { actor: 'owner-1', network: '198.51.100.0/24', country: null, isNewCountry: false };
  assert.partialDeepStrictEqual(await shown('ownerSignIn'), [{ severity: 'warning', ...facts }]);
  assert.partialDeepStrictEqual(lines, [{ msg: 'owner signed in from a new network or country', ...facts }]);
  // It is looked at again each minute until it leaves the window, and then not any more.
  assert.equal(await watchSignIns(job(59 * minuteMs), alarms), 0);
  assert.equal(await watchSignIns(job(61 * minuteMs), alarms), 0);
  lines.length = 0;

  const abroad = await buildUser(pool, { customerId, role: 'owner', account: 'owner-2' });
  for (const country of ['PH', 'ph'])
    assert.equal((await signIn(abroad.account, '192.0.2.10', { country })).status, 200);
  assert.equal(await watchSignIns(job(), alarms), 0);
  assert.equal((await signIn(abroad.account, '192.0.2.11', { country: 'NL' })).status, 200);
  assert.equal(await watchSignIns(job(), alarms), 1);
  assert.partialDeepStrictEqual(
    (await shown('ownerSignIn')).filter(({ actor }) => actor === 'owner-2'),
    [{ severity: 'danger', country: 'NL', isNewCountry: true }],
  );
  lines.length = 0;
});

test('a country that a visitor claims itself is not believed, and a network is known for 90 days', async () => {
  const owner = await buildUser(pool, { customerId, role: 'owner', account: 'owner-3' });
  await signedIn(owner.userId, '192.0.2.1', { agoMs: dayMs, country: 'PH' });
  const answer = await api.ask(null, 'POST /session', {
    ip: '192.0.2.5',
    body: { account: owner.account, password: defaultPassword },
    headers: { 'x-country': 'NL' },
  });
  assert.equal(answer.status, 200);
  assert.equal(await watchSignIns(job(), alarms), 0);

  const away = await buildUser(pool, { customerId, role: 'owner', account: 'owner-4' });
  await signedIn(away.userId, '192.0.2.1', { agoMs: 91 * dayMs });
  await signedIn(away.userId, '198.51.100.1', { agoMs: 80 * dayMs });
  await signedIn(away.userId, '192.0.2.1');
  assert.equal(await watchSignIns(job(), alarms), 1);
  lines.length = 0;
});

test('no alarm where nothing is known to compare with', () => {
  const signIn = { auditId: '1', userId: 'u', account: 'a', ip: '192.0.2.1', country: 'NL', at: new Date() };
  assert.equal(judgeOwnerSignIn(signIn, []), null);
  // Earlier sign-ins came before the proxy named countries.
  assert.equal(judgeOwnerSignIn(signIn, [{ ip: '192.0.2.200', country: null }]), null);
  const known = [{ ip: '192.0.2.200', country: 'PH' }];
  assert.equal(judgeOwnerSignIn({ ...signIn, country: null }, known), null);
  assert.equal(judgeOwnerSignIn(signIn, known)?.subject, 'u NL');
});

test('receipts that match no message are logged and counted once an hour for each account', async () => {
  const supplierId = await buildSupplier(pool, {
    ...{ supplierAccount: 'unmatched-1', carrier: 'Globe', port: 2776, systemId: 'x', password: 'x' },
    secrets: api.deps.secrets,
  });
  const receipt = (agoMs: number) =>
    run(
      pool,
      sql`insert into receipt_inbox (supplier_id, receipt_id, carrier_message_id, msisdn, client_sid, client_status, final, received_at)
          values (${supplierId}, ${uuidV7()}, 'nobody-has-it', '', '', 4, true, ${new Date(Date.now() - agoMs)})`,
    );
  await receipt(minuteMs);
  assert.equal(await watchReceipts(job(), alarms), 0);
  await receipt(11 * minuteMs);
  assert.equal(await watchReceipts(job(), alarms), 1);
  assert.equal(await watchReceipts(job(), alarms), 0);
  assert.partialDeepStrictEqual(lines, [
    { msg: 'receipts match no message', supplierAccount: 'unmatched-1', count: 1 },
  ]);
  assert.equal((await shown('receiptsUnmatched')).length, 1, 'shown once, from its own rows');
  await clear('receiptsUnmatched');
});

test('two processes raise an alarm once; it leaves the overview after a day, and the table when it is old', async () => {
  for (const each of ['a1', 'b2', 'c3', 'd4', 'e5'])
    await signIn(`${each}-again`, `2001:db8:1:${each}::5`, { password: 'Wrong@1' });
  const raised = await Promise.all([watchSignIns(job(), alarms), watchSignIns(job(), alarms)]);
  assert.ok(raised[0] + raised[1] >= 1);
  assert.equal(lines.length, raised[0] + raised[1]);
  const subjects = lines.map((line) => line['network'] ?? line['actor']);
  assert.equal(new Set(subjects).size, subjects.length, JSON.stringify(lines));
  await run(pool, sql`update staff_alarm set raised_at = raised_at - interval '25 hours'`);
  assert.deepEqual(await shown('passwordSpraying'), []);
  assert.ok((await sweepAlarms(pool, new Date(Date.now() - dayMs), 100)) >= 1);
});
