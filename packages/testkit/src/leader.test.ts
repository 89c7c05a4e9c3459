/** Two servers, of which one is a standby: a copy of the other that waits to be promoted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePool, withTransaction } from '@pahatid/db';
import type { Embedded } from '@pahatid/db/embedded';
import pg from 'pg';
import { findChildren } from './find-children.ts';
import { startServerPair } from './server-pair.ts';
import { until } from './until.ts';

const freeze = (pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void => {
  for (const each of [pid, ...findChildren(pid, '')]) process.kill(each, signal);
};

async function promote({ url }: Embedded): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('select pg_promote(true)');
  await client.end();
}

test('of several servers the one that takes writes is used, also when it changes or freezes', async (t) => {
  const { primary, standby } = await startServerPair(t);
  const url = primary.url.replace('@', `@127.0.0.1:${standby.port},`);
  const pool = makePool({ url, applicationName: 'pahatid test' });
  t.after(() => pool.end());
  const write = (): Promise<number> =>
    withTransaction(pool, async (tx) => {
      await tx.query('create table if not exists note (line text)');
      await tx.query(`insert into note values ('a')`);
      return (await tx.query<{ port: number }>('select inet_server_port() as port')).rows[0]!.port;
    });
  assert.equal(await write(), primary.port);

  freeze(primary.pid, 'SIGSTOP');
  t.after(() => {
    try {
      freeze(primary.pid, 'SIGCONT');
    } catch {
      // It has ended.
    }
  });
  // Begun on a connection that is never answered.
  const waiting = write();
  await promote(standby);
  assert.equal(await waiting, standby.port);
  // The frozen one believes that it is still the leader: it is not returned to.
  freeze(primary.pid, 'SIGCONT');
  assert.equal(await write(), standby.port);

  await standby.stop();
  await until(async () => (await write()) === primary.port, { what: 'the other server' });
  await primary.stop();
  await assert.rejects(write(), { code: '57P03' });
});
