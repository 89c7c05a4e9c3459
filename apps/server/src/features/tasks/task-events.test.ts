import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { until } from '@pahatid/testkit';
import { makeTaskWorld, type TaskWorld } from '../../http/testing/task-world.ts';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { registerTasks } from './routes.ts';

const api = await makeTestApi({ features: [registerTasks] });
const { pool } = api.db;
const world: TaskWorld = await makeTaskWorld(pool, api.customerId, api.appId);
const streams: AbortController[] = [];
let port = 0;
before(async () => {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = (api.app.server.address() as AddressInfo).port;
});
after(() => {
  for (const stream of streams) stream.abort();
});

interface Notified {
  taskId: string;
  taskStatus: number;
  successCount: number;
  progress: number;
  rate: number;
}

/** Opens a stream and stores its events, with their times. */
async function follow(who: Exclude<Who, null>, path: string): Promise<{ events: (Notified & { at: number })[] }> {
  const abort = new AbortController();
  streams.push(abort);
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    headers: { cookie: api.users[who].cookie },
    signal: abort.signal,
  });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  const events: (Notified & { at: number })[] = [];
  const read = async (): Promise<void> => {
    let held = '';
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      held += chunk;
      const parts = held.split('\n\n');
      held = parts.pop() ?? '';
      for (const part of parts)
        if (part.startsWith('data: '))
          events.push({ ...(JSON.parse(part.slice(6)) as Notified), at: performance.now() });
    }
  };
  read().catch(() => undefined);
  return { events };
}

const move = async (taskId: string, success: number): Promise<void> => {
  await pool.query(
    `insert into task_progress (task_id, writer, customer_id, success_count) values ($1, 1, $2, $3)
     on conflict (task_id, writer) do update set success_count = excluded.success_count`,
    [taskId, world.customerId, success],
  );
  await pool.query(`select pg_notify('pahatid_task', $1)`, [taskId]);
};

test('a stream sends the task state immediately, then on each change, at most four times a second', async () => {
  const taskId = await world.addTask({ taskStatus: TaskStatus.Sending, totalCount: 1_000 });
  const { events } = await follow('viewer', `/tasks/${taskId}/events`);
  await until(() => events.length === 1, { what: 'the first word' });
  assert.deepEqual([events[0]?.taskId, events[0]?.progress], [taskId, 0]);
  for (let i = 1; i <= 60; i += 1) {
    await move(taskId, i * 10);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await until(() => events.at(-1)?.successCount === 600, { what: 'the last count' });
  // Over the whole stream: an event that is read late is closer to the next.
  const spanMs = (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0);
  assert.ok(events.length <= 2 + spanMs / 250, `${events.length} in ${Math.round(spanMs)} ms`);
  assert.ok(events.length >= 3);
  assert.equal(events.at(-1)?.progress, 60);
  assert.ok(events.some((event) => event.rate > 0));
});

test('the list stream follows every task in sight, new ones too, and none of another customer', async () => {
  const first = await world.addTask({ taskStatus: TaskStatus.Sending, totalCount: 10 });
  const own = await follow('owner', '/tasks/events');
  const other = await follow('other', '/tasks/events');
  const staff = await follow('operator', '/tasks/events');
  const knows = (events: Notified[], taskId: string, status: number): boolean =>
    events.some((event) => event.taskId === taskId && event.taskStatus === status);
  await until(() => knows(own.events, first, 5) && knows(staff.events, first, 5), { what: 'the task under way' });
  const second = await world.addTask({ taskStatus: TaskStatus.ValidationPassed });
  assert.equal((await api.ask('owner', `POST /tasks/${second}/confirm`)).status, 200);
  await until(() => knows(own.events, second, 3), { what: 'the confirmed task' });
  assert.equal((await api.ask('owner', `POST /tasks/${second}/cancel`)).status, 200);
  await until(() => knows(own.events, second, 7) && knows(staff.events, second, 7), { what: 'its end' });
  assert.deepEqual(other.events, []);
});

test('a stream outlives the loss of the listening connection', async () => {
  const taskId = await world.addTask({ taskStatus: TaskStatus.Sending, totalCount: 10 });
  const { events } = await follow('owner', `/tasks/${taskId}/events`);
  await until(() => events.length === 1, { what: 'the first word' });
  const { rows: ended } = await pool.query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query ilike 'listen%'`,
  );
  // Written without a notification: found only by polling, or with the next notification.
  await pool.query(`insert into task_progress (task_id, writer, customer_id, success_count) values ($1, 1, $2, 4)`, [
    taskId,
    world.customerId,
  ]);
  await until(() => events.at(-1)?.successCount === 4, { what: 'the count' });
  const listening = async (): Promise<boolean> => {
    const { rows } = await pool.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and query ilike 'listen%' and state = 'idle' and pid <> all ($1)`,
      [ended.map(({ pid }) => pid)],
    );
    return rows.length > 0;
  };
  await until(listening, { what: 'a new listening connection' });
  // By polling alone it would find one every five seconds.
  const heard: number[] = [];
  for (const count of [6, 7, 8, 9]) {
    await move(taskId, count);
    await until(() => events.at(-1)?.successCount === count, { what: `the count ${count}` });
    heard.push(events.at(-1)?.at ?? 0);
  }
  const gaps = heard.slice(1).map((at, index) => at - (heard[index] ?? 0));
  assert.ok(Math.min(...gaps) < 4_000, `heard ${gaps.map(Math.round).join(', ')} ms apart`);
});
