import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, sql, writeAudit } from '@pahatid/db';
import { until } from '@pahatid/testkit';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerAuditLog } from './routes.ts';

const auditToken = 'a-token-of-this-test-32-characters';
const api = await makeTestApi({ features: [registerAuditLog], config: { auditToken } });
const { pool } = api.db;
const bearer = { authorization: `Bearer ${auditToken}` };

interface Line {
  auditId: string;
  action: string;
  subjectId: string;
  customerId: string | null;
  chain: { seq: string; hash: string } | null;
  after: unknown;
}

const ask = (query: string, headers: Record<string, string> = bearer) =>
  api.app.inject({ url: `/audit-feed${query}`, headers });
const read = async (query = ''): Promise<Line[]> =>
  (await ask(query)).payload
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
const idsOf = (lines: readonly Line[]): string[] => lines.map(({ subjectId }) => subjectId);

const entry = (subjectId: string, customerId: string | null) => ({
  ...{ customerId, userId: null, account: null, ip: null, userAgent: null, before: null, after: { subjectId } },
  ...{ action: 'edit', subjectType: 'supplier', subjectId },
});
/** Entries are written with the time at which their transaction began. */
const untilListed = async (subjectId: string, after = '0'): Promise<Line[]> =>
  await until(async () => {
    const lines = await read(`?after=${after}`);
    return idsOf(lines).includes(subjectId) ? lines : false;
  });

test('S64 the feed is open to its token alone, and does not exist without one', async () => {
  assert.equal((await ask('', {})).statusCode, 404);
  assert.equal((await ask('', { authorization: `Bearer ${auditToken.toUpperCase()}` })).statusCode, 404);
  const cookie = { cookie: api.users.admin.cookie };
  assert.equal((await ask('', cookie)).statusCode, 404);
  assert.equal((await ask('')).statusCode, 200);
  for (const query of ['?after=-1', '?after=x', '?limit=0', '?limit=5001', `?after=${'9'.repeat(19)}`])
    assert.equal((await ask(query)).statusCode, 400, query);
});

test('entries of all customers come oldest first with their chain, and the next call goes on behind the last', async () => {
  for (const [id, customerId] of [
    ['1', api.customerId],
    ['2', api.otherCustomerId],
    ['3', null],
  ] as const)
    await writeAudit(pool, entry(id, customerId));
  const lines = (await untilListed('3')).filter(({ subjectId }) => ['1', '2', '3'].includes(subjectId));
  assert.deepEqual(idsOf(lines), ['1', '2', '3']);
  assert.deepEqual(
    lines.map(({ customerId }) => customerId),
    [api.customerId, api.otherCustomerId, null],
  );
  assert.ok(lines.every(({ chain }) => chain !== null && /^[0-9a-f]{64}$/.test(chain.hash)));
  assert.deepEqual(lines[0]?.after, { subjectId: '1' });
  assert.deepEqual(idsOf(await read(`?after=${lines[0]?.auditId}&limit=1`)), ['2']);
  assert.equal((await ask(`?after=${lines[2]?.auditId}`)).payload, '');
});

test('no entry is passed over: what a transaction in progress may still commit holds back those behind it', async () => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await writeAudit(client, entry('slow', null));
    await writeAudit(pool, entry('quick', null));
    // Old enough to be listed, if nothing else were under way.
    await until(async () => {
      const { rows } = await pool.query<{ old: boolean }>(
        `select at < now() - interval '2 seconds' as old from audit_log where subject_id = 'quick'`,
      );
      return rows[0]?.old;
    });
    assert.equal(idsOf(await read()).includes('quick'), false);
    await client.query('commit');
  } finally {
    client.release();
  }
  const listed = idsOf(await untilListed('quick'));
  assert.deepEqual(listed.slice(-2), ['slow', 'quick']);
});

test('an entry without a link in its chain is shown as it is', async () => {
  await run(pool, sql`alter table audit_log disable trigger audit_log_chain`);
  await writeAudit(pool, entry('unlinked', null));
  const lines = await untilListed('unlinked');
  assert.equal(lines.find(({ subjectId }) => subjectId === 'unlinked')?.chain, null);
});
