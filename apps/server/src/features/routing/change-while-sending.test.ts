/**
 * Staff change a supplier while a task is being sent over it: the senders apply it immediately, verified by the
 * carriers' journal.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildRoute } from '@pahatid/db/builders';
import { TcpProxy, until } from '@pahatid/testkit';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { makeSecrets } from '../../secrets/secrets.ts';
import { auditBatches } from '../../sending/testing/audit-batches.ts';
import { clean, to } from '../../sending/testing/make-scene.ts';
import { masterKey, Scene } from '../../sending/testing/scene.ts';
import { registerSuppliers } from './supplier-routes.ts';

let scene: Scene | null = null;
let proxy: TcpProxy | null = null;
// Before the database is stopped.
after(async () => {
  await scene?.close();
  await proxy?.close();
});
const api = await makeTestApi({ features: [registerSuppliers] });
const { pool } = api.db;
// The API seals what the scene's senders open.
Object.assign(api.deps, { secrets: makeSecrets(masterKey) });

const globe = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => to(`63917${String(from + n).padStart(7, '0')}`));

test('pace, window, binds, address and disabling take effect immediately; nothing is lost or sent twice', async () => {
  const world = await Scene.build({ pool, tps: 50, windowSize: 10, bindCount: 1 });
  scene = world;
  const carrier = world.simulator!.carrier('globe');
  const seen = () => carrier.counters().submits;
  const { rows } = await pool.query<{ account: string; id: string }>(
    'select supplier_account as account, supplier_id as id from supplier',
  );
  const idOf = (account: string): string => rows.find((row) => row.account === account)!.id;
  await buildRoute(pool, { routeName: 'Backup', supplierId: idOf('smart-1'), priority: 5 });
  await pool.query(`update supplier set tps = 2000 where supplier_account <> 'globe-1'`);
  const path = `/suppliers/${idOf('globe-1')}`;
  let version = 1;
  const edit = async (change: object): Promise<void> => {
    const { status, text } = await api.ask('operator', `PATCH ${path}`, { body: { ...change, version } });
    assert.equal(status, 200, text);
    version += 1;
  };
  await world.accept(globe(0, 4_000));
  await world.startSender();
  await until(() => seen() >= 30);

  // Pace up: some second soon sees more than 50 allow, and few leave at the old pace until then.
  await edit({ tps: 1_000 });
  const before = seen();
  const samples: { at: number; seen: number }[] = [];
  const isFaster = (): boolean => {
    const now = { at: performance.now(), seen: seen() };
    samples.push(now);
    return samples.some(({ at, seen: then }) => at >= now.at - 1_000 && now.seen - then >= 75);
  };
  await until(isFaster, { everyMs: 5, what: 'a second at more than the old pace' });
  const slow = seen() - before - 75;
  assert.ok(slow < 150, `${slow} left at the old pace`);

  // Pace down, and the binds reopened with another window: the PDUs on the wire are awaited.
  await edit({ tps: 200, windowSize: 3, bindCount: 4 });
  await until(() => carrier.counters().binds === 4, { what: 'four binds' });
  const low = seen();
  const lowStart = performance.now();
  await until(() => seen() >= low + 300);
  const rate = 300_000 / (performance.now() - lowStart);
  assert.ok(rate <= 230, `${rate} a second where 200 are allowed`);

  // Another address: the same carrier through a proxy.
  proxy = await TcpProxy.start({ port: world.simulator!.port });
  await edit({ port: proxy.port, bindCount: 2, password: 'globepw' });
  await until(() => proxy!.connections === 2 && carrier.counters().binds === 2, {
    what: 'binds by the proxy',
  });
  const moved = seen();
  await until(() => seen() >= moved + 50);

  // Disabled: nothing new is sent there, the rest takes the other route.
  const disabled = await api.ask('operator', `POST ${path}/disable`);
  assert.equal(disabled.status, 200);
  assert.deepEqual(
    disabled.body.warnings.map(({ code }: { code: string }) => code),
    ['MESSAGES_WAIT'],
  );
  await until(() => carrier.counters().binds === 0, { what: 'unbound' });
  const last = seen();
  const taken = 'select count(*)::int as n from message where send_status = 3';
  await until(async () => (await pool.query<{ n: number }>(taken)).rows[0]?.n === 4_000, {
    what: 'the rest by the other way',
  });
  assert.equal(seen(), last);

  // Enabled again: bound immediately, and used again by new messages.
  assert.equal((await api.ask('operator', `POST ${path}/enable`)).status, 200);
  await until(() => carrier.counters().binds === 2, { what: 'bound again' });
  // A receipt that was due while there was no bind arrives now.
  await world.untilStates({ '3/2': 4_000 });
  assert.partialDeepStrictEqual(await world.audit(), { ...clean, rows: 4_000, delivered: 4_000 });
  await auditBatches(pool);
  await world.accept(globe(10_000, 100));
  await world.untilStates({ '3/2': 4_100 });
  assert.equal(seen(), last + 100);
  assert.partialDeepStrictEqual(await world.audit(), { ...clean, delivered: 4_100 });
});
