import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeClient, makePool, migrate } from '@pahatid/db';
import { DebianPostgres, isDebianPostgresInstalled, testDatabase, until } from '@pahatid/testkit';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { sendWhileDurable } from './send-while-durable.ts';
import { Scene } from './testing/scene.ts';

const config = { databaseUrl: null, dataDir: '/nonexistent', allowsUnsafeDatabase: false };

function makeSender(pool: Pool, start: () => Promise<{ stop(): Promise<void> }>, allows = false) {
  const lines: { msg: string; risks?: string[] }[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const options = { pool, config: { ...config, allowsUnsafeDatabase: allows }, log, start, everyMs: 50 };
  return {
    lines,
    heard: (msg: string) => lines.filter((line) => line.msg === msg),
    run: () => sendWhileDurable(options),
  };
}

const refused = 'sending refused, database may lose what it commits';
const begins = 'sending begins, the risks of the database are gone';

test('with a database without fsync nothing is sent, unless that is allowed', async (t) => {
  const { pool } = await testDatabase();
  const { rows } = await pool.query<{ fsync: string }>('show fsync');
  if (rows[0]?.fsync === 'on') return t.skip('the cluster of these tests has fsync');
  let starts = 0;
  const start = async () => {
    starts += 1;
    return { stop: async () => {} };
  };
  const strict = makeSender(pool, start);
  await (await strict.run()).stop();
  assert.equal(starts, 0);
  assert.match(strict.heard(refused)[0]?.risks?.join() ?? '', /fsync is off/);
  const loose = makeSender(pool, start, true);
  await (await loose.run()).stop();
  assert.equal(starts, 1);
  assert.match(loose.heard('database may lose what it committed')[0]?.risks?.join() ?? '', /fsync is off/);
});

const withoutDebian = { skip: isDebianPostgresInstalled() ? false : 'PostgreSQL 15 of Debian is not installed here' };

test(
  'a sender stops while a setting loses commits, goes on when it is corrected, and does not begin on a standby',
  withoutDebian,
  async (t) => {
    const server = await DebianPostgres.make();
    await server.start();
    await migrate({ url: server.url });
    const admin = makeClient({ url: server.url, applicationName: 'pahatid test' });
    await admin.connect();
    await admin.query('alter database postgres set synchronous_commit = off');
    await admin.end();
    const pool = makePool({ url: server.url, applicationName: 'pahatid test' });
    const scene = await Scene.build({ pool });
    // The server may be gone by then.
    t.after(() => scene.close().catch(() => {}));
    t.after(() => pool.end());
    const setFsync = async (value: string): Promise<void> => {
      await pool.query(`alter system set fsync = ${value}`);
      await pool.query('select pg_reload_conf()');
    };

    const sender = makeSender(pool, () => scene.startSender());
    const running = await sender.run();
    assert.match(sender.heard(refused)[0]?.risks?.join() ?? '', /^synchronous_commit is off/);
    await scene.accept(scene.recipients(30));
    await pool.query('alter database postgres set synchronous_commit = on');
    await scene.untilStates({ '3/2': 30 });
    // A connection that was in use then keeps the setting until it is examined: sending is refused once more, until it is closed.
    const isSending = (): boolean => sender.heard(begins).length === sender.heard(refused).length;
    await until(isSending, { what: 'the sender' });

    const before = sender.heard(refused).length;
    await setFsync('off');
    await until(() => sender.heard(refused).length > before);
    await until(async () => (await pool.query(`select from bind_state`)).rowCount === 0, { what: 'no sender' });
    await scene.accept(scene.recipients(30, 100));
    await setFsync('on');
    await scene.untilStates({ '3/2': 60 });
    assert.ok(isSending());
    const seen = scene.seen;
    assert.ok(seen >= 60, String(seen));
    await running.stop();
    await scene.close();

    await server.stop();
    writeFileSync(path.join(server.data, 'standby.signal'), '');
    await server.start();
    let starts = 0;
    const start = async () => {
      starts += 1;
      return { stop: async () => {} };
    };
    const onStandby = makeSender(pool, start, true);
    const waiting = await onStandby.run();
    assert.equal(starts, 0);
    assert.deepEqual(onStandby.heard(refused)[0]?.risks, ['the server is a standby: it takes no writes']);
    await pool.query('select pg_promote()');
    await until(() => starts === 1);
    await waiting.stop();
  },
);
