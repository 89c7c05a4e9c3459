import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPrefixes } from '@pahatid/db/builders';
import { prefixTable } from '@pahatid/domain';
import { until } from '@pahatid/testkit';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { RoutingCache } from '../../sending/route/routing-table.ts';
import { registerPrefixes } from './prefix-routes.ts';

const api = await makeTestApi({ features: [registerPrefixes] });
const { pool } = api.db;
await buildPrefixes(pool, prefixTable);
const list = async (query: Record<string, string>) => (await api.ask('admin', 'GET /prefixes', { query })).body;

test('S2 operators and admins alone: to all others the table does not exist', async () => {
  for (const call of ['GET /prefixes', 'POST /prefixes', 'PATCH /prefixes/63917', 'DELETE /prefixes/63917']) {
    const body = call.startsWith('GET') ? {} : { body: { prefix: '63917', carrier: 'Globe', version: 1 } };
    for (const who of ['owner', 'member', 'viewer', 'other', 'reviewer'] as Who[])
      assert.equal((await api.ask(who, call, body)).status, 404, `${who} ${call}`);
    assert.equal((await api.ask(null, call, body)).status, 401, call);
  }
});

test('the seed’s ranges are listed page after page, and found by carrier, digits or a whole number', async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const body = await list({ limit: '30', ...(cursor && { cursor }) });
    assert.equal(body.total, prefixTable.length);
    seen.push(...body.items.map(({ prefix }: { prefix: string }) => prefix));
    cursor = body.nextCursor ?? undefined;
  } while (cursor !== undefined);
  assert.deepEqual(seen, prefixTable.map(({ prefix }) => prefix).sort());
  const found = async (search: string) => (await list({ search })).items.map((row: { prefix: string }) => row.prefix);
  for (const typed of ['09171234567', '+63 917 123 4567', '917', '0917', '63917'])
    assert.deepEqual(await found(typed), ['63917'], typed);
  assert.deepEqual(await found('0900 123 4567'), []);
  assert.deepEqual(await found('%'), []);
  assert.equal((await list({ carrier: 'DITO' })).total, 11);
  const csv = await api.ask('admin', 'GET /prefixes', { headers: { accept: 'text/csv' } });
  assert.ok(csv.text.includes('63895,PH,DITO'), csv.text.slice(0, 100));
});

test('invalid input is reported by field', async () => {
  for (const [prefix, code] of [
    ['', 'FORMAT'],
    ['0917', 'FORMAT'],
    ['63 917', 'FORMAT'],
    ['1234567890123456', 'FORMAT'],
    [63_917, 'TYPE'],
  ] as const) {
    const { status, body } = await api.ask('operator', 'POST /prefixes', { body: { prefix, carrier: 'Globe' } });
    assert.deepEqual([status, body.errors[0].field, body.errors[0].code], [400, 'prefix', code], String(prefix));
  }
  const nameless = await api.ask('operator', 'POST /prefixes', { body: { prefix: '63900', carrier: ' ' } });
  assert.equal(nameless.body.errors[0].field, 'carrier');
  assert.equal((await api.ask('operator', 'DELETE /prefixes/0917')).status, 404);
});

test('added, changed and removed, each once under concurrent duplicates, each audited', async () => {
  const twice = async (call: string, body?: object) => {
    const both = [1, 2].map(() => api.ask('operator', call, body ? { body } : {}));
    return (await Promise.all(both)).map(({ status }) => status).sort();
  };
  assert.deepEqual(await twice('POST /prefixes', { prefix: '639000', carrier: 'Globe' }), [201, 409]);
  assert.deepEqual(await twice('PATCH /prefixes/639000', { carrier: 'Smart', version: 1 }), [200, 409]);
  assert.deepEqual(await twice('DELETE /prefixes/639000'), [204, 404]);
  const taken = await api.ask('operator', 'POST /prefixes', { body: { prefix: '63917', carrier: 'Smart' } });
  assert.deepEqual([taken.status, taken.body.code], [409, 'PREFIX_TAKEN']);
  const { rows } = await pool.query(
    `select action, before->>'carrier' as before, after->>'carrier' as after from audit_log
     where subject_type = 'prefix' and subject_id = '639000' order by audit_id`,
  );
  assert.deepEqual(rows, [
    { action: 'add', before: null, after: 'Globe' },
    { action: 'edit', before: 'Globe', after: 'Smart' },
    { action: 'delete', before: 'Smart', after: null },
  ]);
});

test('whoever accepts messages follows an edit at once, by itself within 5 s, and sends what no range knows', async () => {
  // One that would not poll for an hour.
  const routing = new RoutingCache(pool, 3_600_000);
  await routing.refresh();
  // An edit before it listens: nothing notifies of it any more.
  await api.ask('operator', 'POST /prefixes', { body: { prefix: '639001', carrier: 'Smart' } });
  const following = routing.follow();
  const holder = async (msisdn: string) => (await routing.current()).rangeHolder(msisdn);
  const soon = async (msisdn: string, carrier: string | null) => {
    await until(async () => (await holder(msisdn)) === carrier, { what: `${msisdn} of ${carrier}` });
  };
  try {
    await soon('639001234567', 'Smart');
    await api.ask('operator', 'DELETE /prefixes/639001');
    await soon('639001234567', null);
    assert.equal(await holder('639171234567'), 'Globe');
    await api.ask('operator', 'PATCH /prefixes/63917', { body: { carrier: 'DITO', version: 1 } });
    await soon('639171234567', 'DITO');
    // The longer range counts.
    await api.ask('operator', 'POST /prefixes', { body: { prefix: '639171', carrier: 'Smart' } });
    await soon('639171234567', 'Smart');
    assert.equal(await holder('639172234567'), 'DITO');
    await api.ask('operator', 'DELETE /prefixes/639171');
    await soon('639171234567', 'DITO');
    await api.ask('operator', 'DELETE /prefixes/63917');
    await soon('639171234567', null);
  } finally {
    await following.stop();
  }
  // A process that receives no notification, for example when the listening connection broke, polls.
  const deaf = new RoutingCache(pool);
  assert.equal((await deaf.current()).rangeHolder('639181234567'), 'Smart');
  await api.ask('operator', 'PATCH /prefixes/63918', { body: { carrier: 'Globe', version: 1 } });
  await until(async () => (await deaf.current()).rangeHolder('639181234567') === 'Globe');
});
