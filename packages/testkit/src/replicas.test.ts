import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePool, Replicas, type Scope } from '@pahatid/db';
import type { PoolClient } from 'pg';
import { findChildren } from './find-children.ts';
import { startServerPair } from './server-pair.ts';
import { until } from './until.ts';

const staff: Scope = { staff: true };
const portOf = async (tx: PoolClient): Promise<number> =>
  (await tx.query<{ port: number }>('select inet_server_port() as port')).rows[0]!.port;

test('what is read comes from a replica while it is fresh, and else from the leader', async (t) => {
  const { primary, standby } = await startServerPair(t, { follows: true });
  const leader = makePool({ url: primary.url, applicationName: 'pahatid test' });
  const replica = makePool({ url: standby.url, applicationName: 'pahatid test', answerTimeoutMs: 1_000 });
  const replicas = new Replicas(leader, [replica], { lagMs: 2_000, everyMs: 50 });
  t.after(async () => {
    await replicas.stop();
    await leader.end();
  });
  const isFrom = (port: number) => () => replicas.read(staff, portOf).then((found) => found === port);
  await until(isFrom(standby.port), { what: 'a fresh replica' });

  // What the leader had at a time is there, or it is asked itself.
  await leader.query('create table note (line text)');
  await leader.query(`insert into note values ('a')`);
  const { rows } = await leader.query<{ now: Date }>('select clock_timestamp() as now');
  const count = async (tx: PoolClient): Promise<number> =>
    (await tx.query<{ n: number }>('select count(*)::int as n from note')).rows[0]!.n;
  for (let round = 0; round < 20; round++) assert.equal(await replicas.read(staff, count, rows[0]!.now), 1);

  await replica.query('select pg_wal_replay_pause()');
  await leader.query(`insert into note values ('b')`);
  await until(isFrom(primary.port), { what: 'the leader, since the replica is behind' });
  assert.ok((replicas.lags()[0] ?? 0) >= 2_000);
  assert.equal(await replicas.read(staff, count), 2);
  await replica.query('select pg_wal_replay_resume()');
  await until(isFrom(standby.port), { what: 'the replica, which caught up' });

  // A statement that writes, and one that a replica does not finish, is the leader's.
  assert.equal(
    await replicas.read(staff, async (tx) => {
      await tx.query(`insert into note values ('c')`);
      return portOf(tx);
    }),
    primary.port,
  );
  await until(isFrom(standby.port));
  const processes = [standby.pid, ...findChildren(standby.pid, '')];
  for (const pid of processes) process.kill(pid, 'SIGSTOP');
  assert.equal(await replicas.read(staff, portOf), primary.port);
  for (const pid of processes) process.kill(pid, 'SIGCONT');
  await until(isFrom(standby.port), { what: 'the replica, which goes on' });
  await standby.stop();
  assert.equal(await replicas.read(staff, portOf), primary.port);
});
