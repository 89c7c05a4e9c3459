/**
 * Data that must not be exposed: a phone number to users that see it masked, and a secret to anyone, over all routes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus, type Role, type RouteDefinition, routes, TaskStatus } from '@pahatid/contract';
import { buildFile, buildSender, buildTask, defaultPassword } from '@pahatid/db/builders';
import { pino } from 'pino';
import { encodeBlock } from '../files/blocks.ts';
import { makeTaskWorld } from '../http/testing/task-world.ts';
import { makeTestApi, type Who } from '../http/testing/test-api.ts';
import { apiFeatures } from './api.ts';

const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
const api = await makeTestApi({ features: apiFeatures, log });
const { customerId, appId } = api;
const { pool } = api.db;
const all = Object.entries<RouteDefinition>(routes);

const digits = '9175550123';
const msisdn = `63${digits}`;
const spelled = '0917 555-0123';
const world = await makeTaskWorld(pool, customerId, appId);
const fileId = await buildFile(pool, {
  customerId,
  columns: ['phone', spelled],
  rows: [{ msisdn, values: [spelled] }],
  rejects: [[3, `${spelled} x`, 'DUPLICATE']],
  encodeBlock,
});
const taskId = await buildTask(pool, {
  customerId,
  appId,
  taskStatus: TaskStatus.Completed,
  templateId: world.templateId,
  smsType: 2,
  fileId,
});
const messageId = String(
  await world.addBatch(taskId, [
    {
      msisdn,
      content: `Hello ${spelled}, your code is 123456.`,
      carrier: 'Globe',
      clientStatus: ClientStatus.Delivered,
      receiptAfterMs: 900,
    },
  ]),
);
const ids: Record<string, string> = {
  customerId,
  appId,
  taskId,
  fileId,
  messageId,
  templateId: world.templateId,
  id: await buildSender(pool, { customerId, appId, senderId: 'OTHERSHOP' }),
  supplierId: world.carriers.suppliers.Globe,
  routeId: world.carriers.routes.Globe,
  userId: api.users.viewer.userId,
  kind: 'templates',
};
/** If the walk has no id, a nonexistent one is enough: the route returns 404. */
const nobody = '01980000-0000-7000-8000-000000000000';
const fill = (key: string): string => key.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? nobody);
const holds = (text: string): boolean =>
  text
    .normalize('NFKC')
    .replaceAll(/[\s().+\-\\"]/g, '')
    .includes(digits);
const mayCall = ({ access }: RouteDefinition, role: Role): boolean =>
  access === 'session' || (Array.isArray(access) && access.includes(role));

const masked = ['viewer', 'reviewer', 'operator', 'admin'] as const;
/** Actions whose purpose is to show numbers, each of them audited. */
const unmasking = [
  'POST /records/:messageId/unmask',
  'POST /privacy/:customerId/find',
  'POST /privacy/:customerId/export',
];

test('S57 viewers and staff meet no whole number on any route that reads, in json or csv; owners and members do', async () => {
  const seen = new Map<Who, string[]>();
  for (const who of [...masked, 'owner', 'member'] as const) {
    for (const [key, definition] of all) {
      if (!key.startsWith('GET ') || definition.answer === 'events' || !mayCall(definition, who)) continue;
      for (const accept of definition.csv === true ? ['application/json', 'text/csv'] : ['application/json']) {
        const { status, text } = await api.ask(who, fill(key), { headers: { accept } });
        assert.ok(status < 500, `${key} ${status}`);
        if (!holds(text)) continue;
        seen.set(who, [...(seen.get(who) ?? []), `${key} ${accept}`]);
      }
    }
  }
  for (const who of masked) assert.deepEqual(seen.get(who) ?? [], [], who);
  for (const who of ['owner', 'member'] as const)
    for (const key of [
      'GET /records application/json',
      'GET /records text/csv',
      'GET /records/:messageId application/json',
      'GET /tasks/:taskId/details application/json',
      'GET /tasks/:taskId/details text/csv',
      'GET /files/:fileId application/json',
    ])
      assert.ok(seen.get(who)?.includes(key), `${who} reads ${key}: the walk would notice`);
  const shown = await api.ask('reviewer', `GET /records/${messageId}`);
  assert.deepEqual(
    [shown.body.phoneAddress, shown.body.fullMessage],
    ['63******0123', 'Hello *******0123, your code is ******.'],
  );
});

test('S57 searching finds no hidden digit, and event streams have no field for a number', async () => {
  for (const who of masked)
    for (const guess of [`6391755501`, `63917555012`]) {
      const [right, wrong] = await Promise.all(
        [guess, `${guess.slice(0, -1)}9`].map((phoneAddress) =>
          api.ask(who, 'GET /records', { query: { phoneAddress } }),
        ),
      );
      assert.deepEqual(right?.body.items.length, wrong?.body.items.length, `${who} ${guess}`);
    }
  for (const [key, { answer, response }] of all) {
    if (answer !== 'events') continue;
    const fields = Object.keys((response as unknown as { shape: object }).shape);
    assert.ok(!fields.some((field) => /phone|mobile|msisdn|content|message(?!Id)/i.test(field)), `${key}: ${fields}`);
  }
});

test('S57 staff reveal one number by a separate action, audited with its customer; a viewer never', async () => {
  assert.equal((await api.ask('viewer', `POST /records/${messageId}/unmask`)).status, 403);
  assert.equal((await api.ask('other', `POST /records/${messageId}/unmask`)).status, 404);
  const answers = await Promise.all([1, 2].map(() => api.ask('reviewer', `POST /records/${messageId}/unmask`)));
  for (const { status, body } of answers) assert.deepEqual([status, body.phoneAddress], [200, msisdn]);
  const { rows } = await pool.query(
    `select customer_id, account, subject_id, a::text as whole from audit_log a where action = 'unmask'`,
  );
  assert.equal(rows.length, 2);
  for (const row of rows) {
    assert.deepEqual(
      [row.customer_id, row.account, row.subject_id],
      [customerId, api.users.reviewer.account, messageId],
    );
    assert.ok(!holds(row.whole));
  }
});

test('S57 no route that accepts a number returns it to users that see it masked, nor do errors and logs', async () => {
  const body = { mobileNumber: `${msisdn}0000`, to: msisdn, phoneAddress: msisdn, search: msisdn };
  for (const who of [...masked, 'owner'] as const)
    for (const [key, definition] of all) {
      const isMine = mayCall(definition, who) && !unmasking.includes(key) && definition.multipart !== true;
      if (key.startsWith('GET ') || !isMine || key === 'DELETE /session' || key.startsWith('DELETE /account')) continue;
      const { text } = await api.ask(who, fill(key.replace('DELETE', 'POST')), { body });
      if (who !== 'owner') assert.ok(!holds(text), `${key} as ${who}: ${text}`);
    }
  await api.ask('owner', `POST /tasks/${taskId}/test`, { body: { mobileNumber: msisdn } });
  await api.ask('owner', 'GET /records', { query: { phoneAddress: msisdn, limit: 'x' } });
  assert.ok(lines.length > 50, `${lines.length} lines`);
  assert.deepEqual(lines.filter(holds), []);
});

test('S55 a dump of the whole database and all logs hold no secret that was given or made', async () => {
  const canaries = new Map<string, string>([['password', defaultPassword]]);
  const note = (name: string, secret: unknown): void => {
    assert.ok(typeof secret === 'string' && secret.length >= 8, `${name}: ${String(secret)}`);
    canaries.set(name, secret);
  };
  const app = (await api.ask('owner', 'POST /applications', { body: { appName: 'Canary', remarkInfo: 'x' } })).body;
  note('appSecret', app.appSecret);
  note('smppPassword', app.smppPassword);
  for (const [route, field] of [
    ['secret', 'appSecret'],
    ['smpp-password', 'smppPassword'],
  ] as const) {
    const body = { currentPassword: defaultPassword };
    note(
      `${field} renewed`,
      (await api.ask('owner', `POST /applications/${app.appId}/${route}`, { body })).body[field],
    );
  }
  const carrier = { supplierAccount: 'canary', host: 'localhost', port: 2775, systemId: 'canary' };
  note('carrier password', 'Cnry-8Qz');
  const supplier = await api.ask('admin', 'POST /suppliers', { body: { ...carrier, password: 'Cnry-8Qz' } });
  assert.equal(supplier.status, 201, supplier.text);
  const { body } = await api.ask('owner', 'POST /account/two-factor', { body: { currentPassword: defaultPassword } });
  note('totp seed', body.secret);
  note('session', api.users.owner.cookie.split('=')[1]);
  // Invalid in every field, so that errors are logged as well.
  await api.ask('admin', `PATCH /suppliers/${supplier.body.supplierId}`, { body: { password: 'Cnry-8Qz', port: -1 } });
  await api.ask(null, 'GET /messages/1', {
    headers: { authorization: `Basic ${btoa(`${app.appId}:${app.appSecret}`)}` },
  });

  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  assert.ok(tables.length >= 40);
  const texts = new Map<string, string>([['logs', lines.join('')]]);
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(`select t::text as text from ${name} t`);
    texts.set(name, rows.map(({ text }) => text).join('\n'));
  }
  for (const [what, secret] of canaries) {
    const bytes = Buffer.from(secret);
    // As it is, as bytes shown in hexadecimal, and as base64 of either alphabet without its padding.
    const forms = [
      secret,
      bytes.toString('hex'),
      bytes.toString('base64url'),
      bytes.toString('base64').replace(/=+$/, ''),
    ];
    for (const [name, text] of texts)
      for (const form of forms) assert.ok(!text.toLowerCase().includes(form.toLowerCase()), `${what} in ${name}`);
  }
});
