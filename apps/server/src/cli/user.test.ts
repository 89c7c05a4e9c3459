import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { many, run, sql } from '@pahatid/db';
import { buildCustomer, buildUser } from '@pahatid/db/builders';
import { testDatabase } from '@pahatid/testkit';

const main = path.join(import.meta.dirname, '..', 'main.ts');

test('S21 `user add` refuses a password that is common, contains the account or breaks the rule, before any database', () => {
  const words = ['user', 'add', '--account', 'root.admin', '--email', 'root@pahatid.test', '--role', 'admin'];
  for (const [password, code] of [
    ['Password1!', 'PASSWORD_COMMON'],
    ['Root.admin1!', 'PASSWORD_CONTEXT'],
    ['short', 'PASSWORD_TOO_SHORT'],
  ] as const) {
    const { status, stderr } = spawnSync(process.execPath, [main, ...words], {
      input: `${password}\n`,
      encoding: 'utf8',
      // Nothing listens there: a password that passed would fail otherwise.
      env: { ...process.env, DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    });
    assert.notEqual(status, 0);
    assert.match(stderr, new RegExp(code));
  }
});

test('S70 a staff account that is added by command line is mailed to all admins, in their language; a customer’s user is not', async () => {
  const db = await testDatabase();
  const customerId = await buildCustomer(db.pool, { customerName: 'Sari' });
  for (const email of ['first@pahatid.test', 'second@pahatid.test'])
    await buildUser(db.pool, { customerId: null, role: 'admin', email });
  await run(db.pool, sql`update app_user set locale = 'zh-CN' where email = 'first@pahatid.test'`);
  await buildUser(db.pool, { customerId: null, role: 'operator', email: 'operator@pahatid.test' });
  await buildUser(db.pool, { customerId, role: 'owner', email: 'owner@sari.test' });
  const add = (...words: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [main, 'user', 'add', ...words], {
      input: '',
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: db.url, PAHATID_SECRET: '5'.repeat(64) },
    });
    assert.equal(status, 0, stderr);
  };
  add('--account', 'seller', '--email', 'seller@sari.test', '--role', 'member', '--customer', 'Sari');
  add('--account', 'quiet.admin', '--email', 'quiet@pahatid.test', '--role', 'admin');
  const mails = await many(
    db.pool,
    sql<{ recipient: string; subject: string; text: string }>`
      select recipient, subject, body_text as text from mail order by recipient`,
  );
  assert.deepEqual(
    mails.map(({ recipient, subject }) => [recipient, subject]),
    [
      ['first@pahatid.test', 'Pahatid：新增了一个员工账号'],
      ['second@pahatid.test', 'Pahatid: a staff account was added'],
    ],
  );
  for (const { text } of mails) assert.match(text, /quiet\.admin.*admin/);
});
