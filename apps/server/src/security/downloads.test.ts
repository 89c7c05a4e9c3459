/** Downloadable files: only for their own customer, only during retention, and under no guessable name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract/enums';
import { many, one, run, sql, uuidV7 } from '@pahatid/db';
import { buildFile } from '@pahatid/db/builders';
import { deleteExpired } from '../features/privacy/delete-expired.ts';
import { encodeBlock } from '../files/blocks.ts';
import { makeTaskWorld } from '../http/testing/task-world.ts';
import type { Who } from '../http/testing/test-api.ts';
import { allRoutes, makeSweep } from './testing/sweep.ts';

const sweep = await makeSweep();
const { api, ids, nobodys, own, fill, bodyOf, caller } = sweep;
const { customerId, appId } = api;
const { pool } = api.db;

const downloads = allRoutes.filter(([, { csv, answer }]) => csv === true || answer === 'csv');
const accept = { accept: 'text/csv' };

test('S7 every export and download belongs to its customer: ids of another one find nothing', async () => {
  assert.ok(downloads.length >= 18, `${downloads.length} downloads`);
  for (const [key, { access }] of downloads) {
    if (!key.includes(':')) continue;
    const ask = (who: Who, by: typeof ids) => api.ask(who, fill(key, by), { ...bodyOf(key), headers: accept });
    const theirs = await ask('other', ids);
    assert.equal(theirs.status, 404, `${key}: ${theirs.text}`);
    assert.equal(theirs.headers['content-disposition'], undefined, key);
    assert.equal((await ask('other', nobodys)).status, 404, key);
    assert.equal((await ask(null, ids)).status, 401, key);
    if (Array.isArray(access) && !access.includes('viewer')) assert.ok((await ask('viewer', ids)).status >= 403, key);
  }
});

test('S7 a list taken out holds the own rows alone', async () => {
  const strange = Object.entries(ids).filter(
    ([name, id]) => own[name] !== id && id.length > 10 && name !== 'subjectId',
  );
  for (const [key, { access }] of downloads) {
    if (key.includes(':') || caller(key) !== 'owner' || !key.startsWith('GET ')) continue;
    const query: Record<string, string> = key === 'GET /billing/statement' ? { month: '2026-01' } : {};
    const [who, headers] =
      access === 'application' ? [null, { ...accept, authorization: api.basic.otherApp }] : ['other' as const, accept];
    const { status, text } = await api.ask(who, key, { query, headers });
    assert.ok(status === 200 || status === 400, `${key}: ${status} ${text.slice(0, 200)}`);
    for (const [name, id] of strange) assert.ok(!text.includes(id), `${key} tells the ${name} of another customer`);
  }
});

test('S7 each download is audited, with its user', async () => {
  const count = async () =>
    (
      await one<{ n: number }>(
        pool,
        sql`select count(*)::int as n from audit_log where user_id = ${api.users.owner.userId}
              or (customer_id = ${customerId} and user_id is null and action = 'export')`,
      )
    ).n;
  for (const [key, { access }] of downloads) {
    if (caller(key) !== 'owner' || !key.startsWith('GET ')) continue;
    const before = await count();
    const query: Record<string, string> = key === 'GET /billing/statement' ? { month: '2026-01' } : {};
    const [who, headers] =
      access === 'application' ? [null, { ...accept, authorization: api.basic.app }] : ['owner' as const, accept];
    const { status, text } = await api.ask(who, fill(key, ids), { query, headers });
    if (status === 200) assert.equal(await count(), before + 1, key);
    else assert.ok(status === 400 || status === 404, `${key}: ${text.slice(0, 200)}`);
  }
});

test('S7 an expired file is deleted, for its own customer too', async () => {
  const world = await makeTaskWorld(pool, customerId, appId);
  const fileId = await buildFile(pool, {
    customerId,
    createdAt: new Date(Date.now() - 40 * 86_400_000),
    columns: ['phone'],
    rows: [{ msisdn: '639171112222', values: [] }],
    rejects: [[3, '0917 111 2222', 'DUPLICATE']],
    encodeBlock,
  });
  const taskId = await world.addTask({ taskStatus: TaskStatus.Completed, fileId });
  const take = () => api.ask('owner', `GET /files/${fileId}/rejects`, { headers: accept });
  const before = await take();
  assert.equal(before.status, 200, before.text);
  assert.ok(before.text.includes('DUPLICATE') || before.text.split('\r\n').length > 2, before.text);
  const context = await world.jobs();
  // The first step records whose turn it is.
  await deleteExpired(context, { rows: 1_000 });
  await run(pool, sql`update retention set due_at = now()`);
  for (let turn = 0; turn < 10; turn++) await deleteExpired(context, { rows: 1_000 });
  const after = await take();
  assert.ok(after.status >= 400 || !after.text.includes('639171112222'), after.text);
  for (const table of ['file_block', 'file_reject', 'file_chunk'])
    assert.deepEqual(await many(pool, sql`select 1 from ${sql.ref(table)} where file_id = ${fileId}`), [], table);
  assert.ok(taskId);
});

test('S7 no address opens a file without a session: ids are random, and give no access', async () => {
  const made = Array.from({ length: 5_000 }, () => uuidV7(0));
  const random = made.map((id) => BigInt(`0x${id.replaceAll('-', '')}`) & ((1n << 62n) - 1n));
  assert.equal(new Set(random).size, made.length);
  // Each of the bits that are chance is one in about half of the ids.
  for (let bit = 0n; bit < 62n; bit++) {
    const ones = random.filter((each) => (each >> bit) & 1n).length;
    assert.ok(ones > 2_200 && ones < 2_800, `bit ${bit}: ${ones}`);
  }
  // Tokens that grant access on their own are longer: an invitation's token has 256 bits.
  const { status, text } = await api.ask('owner', 'POST /members', {
    body: { email: 'token@shop.example', role: 'viewer' },
  });
  assert.equal(status, 201, text);
  const [mail] = await many<{ text: string }>(
    pool,
    sql`select body_text as text from mail order by created_at desc limit 1`,
  );
  const token = /[#=/]([A-Za-z0-9_-]{22,})/.exec(mail?.text ?? '')?.[1] ?? '';
  assert.ok(token.length * 6 >= 128, `${token.length} characters`);
});
