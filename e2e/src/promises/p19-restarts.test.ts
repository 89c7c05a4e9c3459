/** P19: all roles are replaced under load, again and again: streams end in order, calls are answered, nothing is in doubt. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TaskStatus } from '@pahatid/contract';
import { freePort, Program, startStopwatch, until } from '@pahatid/testkit';
import { Chance } from './chance.ts';
import { Journey } from './journey.ts';
import { main } from './root.ts';
import { patience, size } from './sizes.ts';
import { World } from './world.ts';

/** From SIGTERM to exit 0. */
const STOP_MS = 10_000;
/** Each in one process. */
const ROLES = 4;
const STREAMS = 3;
/** Between two calls of one client: the processor is for the processes that start. */
const CALL_PAUSE_MS = size(50, 10);

interface Load {
  readonly signal: AbortSignal;
  /** The test has failed: what is not taken yet is not sent again. */
  isOver: boolean;
  /** False once the whole machine was asked to end: it may be away then. */
  isServing: () => boolean;
  readonly answers: Map<string, number>;
  readonly wrong: string[];
  streams: number;
  /** Streams that ended normally, and not by a lost connection. */
  streamsEnded: number;
}

function note(load: Load, answer: Response): void {
  const name = String(answer.status);
  load.answers.set(name, (load.answers.get(name) ?? 0) + 1);
  const isTold = answer.status === 503 && answer.headers.get('retry-after') !== null;
  if (!answer.ok && !isTold) load.wrong.push(`answer ${answer.status}`);
}

/** While one process takes over from another no connection may fail. */
function noteFailure(load: Load, what: string, error: unknown): void {
  if (!load.isServing()) return;
  const cause = (error as { cause?: { code?: string } }).cause?.code ?? '';
  load.wrong.push(`${what}: ${String(error)} ${cause}`);
}

/** Sends one message after another, each with one key until it is taken. */
async function sendOn(world: World, journey: Journey, load: Load): Promise<void> {
  while (!load.signal.aborted) {
    const [to = ''] = journey.phones(1);
    const key = randomUUID();
    for (let isTaken = false; !isTaken && !load.isOver; ) {
      try {
        const answer = await journey.post({ to, smsType: 2, content: `To ${to}` }, key);
        note(load, answer);
        await answer.text();
        isTaken = answer.ok;
      } catch (error) {
        noteFailure(load, 'message', error);
      }
      if (!isTaken) await sleep(50);
      else world.accepted.add(to);
    }
    await sleep(CALL_PAUSE_MS);
  }
}

async function lookOn(journey: Journey, taskId: string, load: Load): Promise<void> {
  while (!load.signal.aborted) {
    try {
      const answer = await journey.fetch(`/tasks/${taskId}`);
      note(load, answer);
      await answer.text();
    } catch (error) {
      noteFailure(load, 'look', error);
    }
    await sleep(CALL_PAUSE_MS);
  }
}

/** A console that listens to the task, and comes back when the stream has ended. */
async function listenOn(journey: Journey, taskId: string, load: Load): Promise<void> {
  while (!load.signal.aborted) {
    try {
      const answer = await journey.fetch(`/tasks/${taskId}/events`, { signal: load.signal });
      note(load, answer);
      if (!answer.ok || answer.body === null) {
        await answer.text();
        await sleep(50);
        continue;
      }
      load.streams += 1;
      const reader = answer.body.getReader();
      while (!(await reader.read()).done);
      load.streamsEnded += 1;
    } catch (error) {
      if (load.signal.aborted) return;
      noteFailure(load, 'stream', error);
    }
    await sleep(50);
  }
}

async function startMachine(t: TestContext, world: World, port: number): Promise<Program> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-restart-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    ...world.env({ PAHATID_DEMO: 'off', PAHATID_SIM_PORT: 'off', PAHATID_LOG: 'info' }),
    PAHATID_API_PROCESSES: '1',
    PAHATID_DATA: folder,
    PAHATID_PORT: String(port),
    PAHATID_SMPP_PORT: String(await freePort()),
  };
  const program = new Program([main, 'start'], { env });
  world.programs.push(program);
  await program.says('Pahatid is ready');
  return program;
}

const countSaid = (program: Program, words: string): number => program.output.split(words).length - 1;

test('P19: all roles are replaced under load: every call answered, every stream ended, none in doubt; then exit 0 in 10 s', {
  timeout: patience(150_000),
}, async (t) => {
  const chance = Chance.of(t);
  const restarts = size(2, 50);
  const world = await World.make(t, { tps: size(40, 200) });
  const port = await freePort();
  const program = await startMachine(t, world, port);
  const journey = await Journey.begin(world, `http://127.0.0.1:${port}`);
  const total = size(3_000, 200_000);
  const task = await journey.prepare(total, 'Through restarts');
  await journey.confirm(task);
  let serving = true;
  const stopping = new AbortController();
  const load: Load = {
    signal: stopping.signal,
    isOver: false,
    isServing: () => serving,
    answers: new Map(),
    wrong: [],
    streams: 0,
    streamsEnded: 0,
  };
  t.after(() => {
    load.isOver = true;
    stopping.abort();
  });
  const { taskId } = task;
  const clients = Promise.all([
    ...[1, 2].map(() => sendOn(world, journey, load)),
    lookOn(journey, taskId, load),
    ...Array.from({ length: STREAMS }, () => listenOn(journey, taskId, load)),
  ]);
  const took: number[] = [];
  for (let restart = 0; restart < restarts; restart++) {
    await until(() => load.streams >= (restart + 1) * STREAMS, { what: 'streams' });
    const { submits } = await world.carriers.counters();
    await world.carriers.untilSeen(submits + 100);
    await chance.pause(0, 500);
    const at = performance.now();
    program.child.kill('SIGUSR2');
    const all = (restart + 1) * ROLES;
    const isReplaced = (): boolean => countSaid(program, 'child process replaced') === all;
    await until(isReplaced, { timeoutMs: 60_000, what: 'the new processes' });
    took.push(Math.round(performance.now() - at));
    assert.equal((await world.pool.query('select from in_doubt')).rowCount, 0, `in doubt after restart ${restart}`);
  }
  assert.equal(countSaid(program, 'did not stop in time, killed'), 0, 'none had to be killed');
  await until(() => load.streams >= (restarts + 1) * STREAMS, { what: 'streams of the last processes' });
  const ended = load.streamsEnded;
  serving = false;
  const watch = startStopwatch();
  assert.equal(await program.end('SIGTERM', patience(STOP_MS)), 0, program.output);
  const stopMs = Math.round(watch.elapsedMs);
  await until(() => load.streamsEnded >= ended + STREAMS, { what: 'the end of the streams' });
  assert.equal((await world.pool.query('select from in_doubt')).rowCount, 0, 'in doubt after the stop');
  // What they still ask for is taken by the next program.
  const next = await startMachine(t, world, port);
  stopping.abort();
  await clients;
  const end = await journey.untilEnded(taskId, TaskStatus.Completed);
  const verdict = await world.audit();
  t.diagnostic(`${restarts} restarts, each in ${took.join(', ')} ms; answers ${JSON.stringify([...load.answers])}`);
  t.diagnostic(
    `${load.streams} streams, ${load.streamsEnded} ended; ${verdict.rows} messages; stopped in ${stopMs} ms`,
  );
  assert.deepEqual(load.wrong, []);
  watch.assertSpan(stopMs, STOP_MS, 'the stop');
  assert.ok(ended >= restarts * STREAMS, `${ended} streams ended`);
  assert.equal(end.deliveredCount, total);
  assert.equal(verdict.doubted, 0);
  assert.equal(verdict.extraCopies, 0);
  assert.equal(verdict.delivered, world.accepted.size);
  assert.equal(await next.end('SIGTERM', patience(STOP_MS)), 0);
});
