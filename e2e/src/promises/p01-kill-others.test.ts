/** P1, the others: kill -9 of the file parser, of jobs while a task is prepared, of the api while it is used. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { findChildren, until } from '@pahatid/testkit';
import { Chance } from './chance.ts';
import { makeStaffedWorld, phoneFile } from './journey.ts';
import { patience, size } from './sizes.ts';

test('P1: kill -9 of parser, jobs and api while processing one file: every phone gets its message, once', {
  timeout: patience(150_000),
  skip: process.platform === 'linux' ? false : 'looks for the parser in /proc',
}, async (t) => {
  const chance = Chance.of(t);
  const count = size(8_000, 200_000);
  const kills = size(2, 10);
  const staffed = await makeStaffedWorld(t, { tps: size(400, 2_000) });
  const { world, journey } = staffed;
  let { jobs } = staffed;
  const phones = journey.phones(count);
  const plain = phoneFile(phones);
  // Every phone forty times more: reading takes long enough to be interrupted, and leaves the same recipients.
  const rows = plain.toString().split('\n').slice(1);
  const bytes = Buffer.from([plain.toString(), ...Array.from({ length: 40 }, () => rows.join('\n'))].join('\n'));

  const answer = await journey.upload(bytes);
  assert.equal(answer.status, 202);
  const { fileId } = (await answer.json()) as { fileId: string };
  // A file whose parser is killed three times is rejected as the cause.
  for (let kill = 0; kill < 2; kill++) {
    const parser = await until(() => findChildren(jobs.pid, 'parser')[0], {
      everyMs: 2,
      timeoutMs: patience(20_000),
      what: 'a parser',
    });
    await chance.pause(30, 150);
    assert.doesNotThrow(() => process.kill(parser, 'SIGKILL'), 'the parser had read all before it was killed');
    await until(() => findChildren(jobs.pid, 'parser')[0] !== parser, { everyMs: 2 });
  }
  await journey.untilRead(fileId);
  const file = await journey.call('GET /files/:fileId', { params: { fileId } });
  assert.equal(file.validCount, count);

  const body = journey.taskBody(fileId, 'Through kills');
  const { taskId } = await journey.call('POST /tasks', { body });
  await journey.untilStatus(taskId, TaskStatus.ValidationPassed);
  await journey.confirm({ taskId, phones });
  const apiPort = Number(new URL(journey.url).port);
  let api = staffed.api;
  for (let kill = 0; kill < kills; kill++) {
    await until(
      async () => (await world.pool.query('select from task where task_id = $1 and next_block > 0', [taskId])).rowCount,
      {
        everyMs: 5,
        timeoutMs: patience(30_000),
      },
    );
    await chance.pause(0, 60);
    await jobs.kill();
    jobs = world.run('jobs');
    await api.kill();
    api = await world.runApi(apiPort);
    await chance.pause(200, 1_000);
  }
  const task = await journey.untilEnded(taskId, TaskStatus.Completed);
  const verdict = await world.audit();
  t.diagnostic(`2 parsers, ${kills} times jobs and api; ${verdict.rows} messages`);
  assert.equal(task.totalCount, count);
  assert.equal(task.deliveredCount, count);
  assert.equal(verdict.delivered, count);
  assert.equal(verdict.extraCopies, 0);
});
