/** A client that is frozen with its connection open: `PAHATID_SOAK=1`, because a slot is free only after 40 s. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { Program, startStopwatch, until } from '@pahatid/testkit';
import { makeSmppWorld } from './testing/smpp-world.ts';

const program = path.join(import.meta.dirname, 'testing/bind-and-stay.ts');
const clients = 3;
/** Of the server's sessions: an enquire_link after 30 s of silence, and its answer within 10 s. */
const FREE_MS = 40_000;
const RBINDFAIL = 0x0d;
const isSoak = process.env['PAHATID_SOAK'] === '1';

test('D3 the slot of a client that is frozen becomes free within the enquire interval and the answer time', {
  skip: isSoak ? false : 'PAHATID_SOAK=1: a slot is free only after 40 s',
  timeout: 900_000,
}, async (t) => {
  const { db, world } = await makeSmppWorld();
  await world.startServer();
  const took: number[] = [];
  for (let n = 0; n < clients; n++) {
    const { appId } = await world.addApplication({ maxConnectNum: 1 });
    const client = new Program([program, String(world.port), appId]);
    db.beforeClose(() => client.kill());
    await client.says('bound');
    client.child.kill('SIGSTOP');
    const watch = startStopwatch();
    assert.equal(await world.refused(appId), RBINDFAIL, 'its slot is taken');
    await until(async () => (await world.refused(appId)) === 0, { timeoutMs: 300_000, everyMs: 250, what: 'the slot' });
    const freeMs = Math.round(watch.elapsedMs);
    took.push(freeMs);
    watch.assertSpan(freeMs, FREE_MS, 'the slot of a frozen client');
    client.child.kill('SIGCONT');
    await client.kill();
  }
  t.diagnostic(`slots free after ${took.join(', ')} ms`);
});
