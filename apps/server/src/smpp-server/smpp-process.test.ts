/** The role in separate processes: replaced, stopped and killed while software submits; `PAHATID_SOAK=1`: 50 times each. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChildren, freePort, Program, testDatabase, until } from '@pahatid/testkit';
import { masterKey, Scene } from '../sending/testing/scene.ts';
import { type SmppClient, SmppWorld } from './testing/smpp-world.ts';

const MAIN = path.join(import.meta.dirname, '../main.ts');
const turns = process.env['PAHATID_SOAK'] === '1' ? 50 : 2;
const notLinux = { skip: process.platform === 'linux' ? false : 'reads /proc' };
const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-smpp-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const db = await testDatabase({ strict: false });
const programs: Program[] = [];
const scene = await Scene.build({ pool: db.pool });
const world = new SmppWorld(scene);
db.beforeClose(async () => {
  for (const program of programs) await program.kill();
  await world.close();
  await scene.close();
});

async function startMachine(smppPort: number): Promise<Program> {
  const program = new Program([MAIN, 'start', '--roles', 'smpp'], {
    env: {
      DATABASE_URL: db.url,
      PAHATID_SECRET: masterKey.toString('hex'),
      PAHATID_DEMO: 'off',
      PAHATID_PORT: String(await freePort()),
      PAHATID_SMPP_PORT: String(smppPort),
      PAHATID_SIM_PORT: 'off',
      PAHATID_DATA: path.join(folder, 'data'),
    },
  });
  programs.push(program);
  await program.says('Pahatid is ready');
  return program;
}

const childOf = (program: Program): number => findChildren(program.pid, 'run --role smpp')[0] ?? 0;

interface Tally {
  /** By text. */
  readonly ids: Map<string, string>;
  readonly statuses: Map<number, number>;
  readonly ends: string[];
  unanswered: number;
}

/** Submits one message after another, each with another text, and binds again whenever the session ends. */
async function submitOn(appId: string, port: number, name: string, signal: AbortSignal, tally: Tally): Promise<void> {
  let client: SmppClient | null = null;
  for (let n = 0; !signal.aborted; n++) {
    if (client === null || client.closed !== null || !client.session.isOpen) {
      if (client?.closed) tally.ends.push(client.closed);
      client = await world.bind(appId, { port, mode: 'transmitter' }).catch(() => null);
      if (client === null) await sleep(50);
      continue;
    }
    // Unbound by the server a moment ago.
    if (client.session.writableSlots === 0) {
      await sleep(10);
      continue;
    }
    const text = `Message ${name} ${n}`;
    const answer = await client.submit('639171234567', text).catch(() => null);
    if (answer === null) tally.unanswered += 1;
    else if (answer.status === 0) tally.ids.set(text, answer.messageId ?? '');
    else tally.statuses.set(answer.status, (tally.statuses.get(answer.status) ?? 0) + 1);
  }
  await client?.session.stop();
}

/** Every id that was answered is of the message that has this text; no text is in two messages. */
async function assertAllKept(appId: string, tally: Tally): Promise<void> {
  const { rows } = await db.pool.query<{ message_id: string; content: string }>(
    'select message_id::text, content from message where app_id = $1',
    [appId],
  );
  const byText = new Map(rows.map((row) => [row.content, row.message_id]));
  assert.equal(byText.size, rows.length, 'a text is in two messages');
  for (const [text, id] of tally.ids) assert.equal(byText.get(text), id);
}

const newTally = (): Tally => ({ ids: new Map(), statuses: new Map(), ends: [], unanswered: 0 });

test(
  'P19 D13 the SMPP server is replaced under load: software is unbound and binds again, nothing is lost or stored twice',
  notLinux,
  async (t) => {
    const port = await freePort();
    const machine = await startMachine(port);
    const { appId } = await world.addApplication();
    const [stopping, tally] = [new AbortController(), newTally()];
    const clients = ['a', 'b', 'c', 'd'].map((name) => submitOn(appId, port, name, stopping.signal, tally));
    for (let turn = 0; turn < turns; turn++) {
      const [old, before] = [childOf(machine), tally.ids.size];
      await until(() => tally.ids.size > before + 20);
      if (turn % 2 === 0) machine.child.kill('SIGUSR2');
      else process.kill(old, 'SIGTERM');
      await until(
        () => ![0, old].includes(childOf(machine)) && findChildren(machine.pid, 'run --role smpp').length === 1,
      );
    }
    const before = tally.ids.size;
    await until(() => tally.ids.size > before + 20);
    stopping.abort();
    await Promise.all(clients);
    t.diagnostic(
      `${turns} times: ${tally.ids.size} answered, ${tally.ends.length} unbound, ${tally.unanswered} unanswered`,
    );
    assert.ok(tally.ends.length >= 4 * turns, `${tally.ends}`);
    assert.deepEqual([...new Set(tally.ends)], ['peer_unbind']);
    assert.equal(tally.unanswered, 0);
    // Beyond the rate is what a stopping server says.
    assert.deepEqual(
      [...tally.statuses.keys()].filter((status) => status !== 0x58),
      [],
    );
    await assertAllKept(appId, tally);
    assert.equal(await machine.end('SIGTERM'), 0);
    assert.equal((await db.pool.query('select from smpp_bind')).rowCount, 0);
  },
);

test(
  'S50 D6 D3 P23 the SMPP server is killed under load: each id it answered is stored, none twice, and its binds are free again',
  notLinux,
  async () => {
    const port = await freePort();
    const machine = await startMachine(port);
    const { appId } = await world.addApplication({ maxConnectNum: 4 });
    const [stopping, tally] = [new AbortController(), newTally()];
    const clients = ['a', 'b', 'c', 'd'].map((name) => submitOn(appId, port, `killed ${name}`, stopping.signal, tally));
    for (let turn = 0; turn < turns; turn++) {
      const [old, before] = [childOf(machine), tally.ids.size];
      await until(() => tally.ids.size > before + 20, { timeoutMs: 120_000 });
      process.kill(old, 'SIGKILL');
      await until(() => ![0, old].includes(childOf(machine)));
    }
    const before = tally.ids.size;
    await until(() => tally.ids.size > before + 20, { timeoutMs: 120_000 });
    stopping.abort();
    await Promise.all(clients);
    await assertAllKept(appId, tally);
    assert.equal(await machine.end('SIGTERM'), 0);
  },
);
