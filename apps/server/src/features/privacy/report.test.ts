/** The report that a regulator asks for: one csv of a period, of one customer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPassword } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { ask, customerId, otherCustomerId } = api;
const { pool } = api.db;

const period = { from: '2026-03-01T00:00:00Z', to: '2999-01-01T00:00:00Z' };
const report = (who: 'owner' | 'member' | 'other' | 'admin', more: object = {}, of = customerId) =>
  ask(who, `POST /privacy/${of}/report`, {
    body: { ...period, currentPassword: defaultPassword, ...more },
    headers: { accept: 'text/csv' },
  });
const linesOf = (text: string, section: string) =>
  text
    .trim()
    .split('\r\n')
    .filter((line) => line.startsWith(`${section},`));

const evidence = { source: 'paper', givenTime: '2026-03-01T02:00:00.000Z', wording: 'Yes, send me offers' };
await ask('member', 'POST /consents', { body: { mobileNumbers: ['09171234567', '09171234568'], ...evidence } });
await ask('other', 'POST /consents', { body: { mobileNumbers: ['09179999999'], ...evidence } });
await ask('member', 'POST /opt-outs', { body: { mobileNumbers: ['09171234568'], evidence: 'By telephone' } });
await pool.query(
  `insert into erasure (erasure_id, customer_id, shown_number, asked_at, tried_at, done_at, counts)
   values (gen_random_uuid(), $1, '63******4569', now(), now(), now(), '{"messageCount":2}')`,
  [customerId],
);
await pool.query(
  `insert into report_hour (customer_id, hour, app_id, area_code, carrier, client_sid, sms_type, route_id, req_success)
   values ($1, '2026-04-01T00:00:00Z', 'a', 'PH', 'Globe', 'SHOP', 3, gen_random_uuid(), 7)`,
  [customerId],
);

test('one file has retention, carriers, consents, opt-outs, erasures and the audit log of the period, of this customer alone', async () => {
  const { status, text, headers } = await report('owner');
  assert.equal(status, 200, text);
  assert.match(String(headers['content-type']), /text\/csv/);
  assert.equal(linesOf(text, 'retention').length, 2);
  assert.deepEqual(
    linesOf(text, 'carrier').map((line) => line.split(',').slice(2, 4)),
    [['Globe (PH)', '7 messages']],
  );
  const consents = linesOf(text, 'consent');
  assert.equal(consents.length, 2);
  assert.match(consents[0] ?? '', /639171234567,"?paper \/ Yes, send me offers"?,in force/);
  assert.match(consents[1] ?? '', /639171234568.*withdrawn/);
  assert.match(linesOf(text, 'optOut').join(), /639171234568,hand \/ By telephone/);
  assert.match(linesOf(text, 'erasure').join(), /63\*{6}4569.*done/);
  const actions = linesOf(text, 'audit').join('\n');
  for (const subject of ['consent ', 'optOut ', 'privacy ']) assert.ok(actions.includes(subject), subject);
  assert.ok(!text.includes('639179999999'));
});

test('what lies outside the period is left out', async () => {
  const { text } = await report('owner', { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' });
  assert.deepEqual(
    text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]),
    ['retention', 'retention'],
  );
});

test('only an owner gets it, with the password, and it is in the audit log', async () => {
  assert.equal((await report('member')).status, 404);
  assert.equal((await report('admin')).status, 403);
  assert.equal((await report('other')).status, 404);
  assert.equal((await report('other', {}, otherCustomerId)).status, 200);
  assert.equal((await report('owner', { currentPassword: 'not-mine' })).body.code, 'REAUTHENTICATE');
  assert.equal((await report('owner', { from: period.to, to: period.from })).status, 400);
  const { rows } = await pool.query(
    `select after from audit_log where action = 'export' and subject_type = 'privacy' and customer_id = $1 order by audit_id`,
    [customerId],
  );
  assert.deepEqual(rows[0]?.after, period);
});
