/** P20: double clicks, impatient browsers, clients that retry: a single request is executed once. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { type Journey, makeStaffedWorld, phoneFile } from './journey.ts';
import { patience, size } from './sizes.ts';

const AT_ONCE = 50;

/** Sends the same request so many times concurrently; returns each response as status and text. */
const together = (ask: () => Promise<Response>): Promise<{ status: number; text: string }[]> =>
  Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const answer = await ask();
      return { status: answer.status, text: await answer.text() };
    }),
  );

const distinct = (answers: readonly { text: string }[]): number => new Set(answers.map(({ text }) => text)).size;

const asJson = (body: unknown, more: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...more },
});

/** Sends one form fifty times, then confirms its task fifty times. Returns the task's id. */
async function clickFifty(journey: Journey, fileId: string, round: number): Promise<string> {
  const key = { 'idempotency-key': randomUUID() };
  const body = journey.taskBody(fileId, `Task ${round}`);
  const created = await together(() => journey.fetch('/tasks', asJson(body, key)));
  assert.deepEqual(new Set(created.map(({ status }) => status)), new Set([201]));
  assert.equal(distinct(created), 1, 'one answer to all');
  const { taskId } = JSON.parse(created[0]?.text ?? '') as { taskId: string };
  const other = await journey.fetch('/tasks', asJson({ ...body, taskName: 'Another' }, key));
  assert.equal(other.status, 422);
  assert.equal(((await other.json()) as { code: string }).code, 'IDEMPOTENCY_KEY_REUSED');

  await journey.untilStatus(taskId, TaskStatus.ValidationPassed);
  const confirmed = await together(() => journey.fetch(`/tasks/${taskId}/confirm`, { method: 'POST' }));
  assert.equal(confirmed.filter(({ status }) => status === 200).length, 1, 'one click sent it');
  assert.equal(confirmed.filter(({ status }) => status === 409).length, AT_ONCE - 1, 'the others were told so');
  return taskId;
}

test('P20: fifty identical concurrent requests make one task, one confirmation, one message', {
  timeout: patience(120_000),
}, async (t) => {
  const { world, journey } = await makeStaffedWorld(t, { tps: 2_000 });
  const rounds = size(2, 1_000);
  const each = size(40, 5);
  for (let round = 0; round < rounds; round++) {
    const phones = journey.phones(each);
    const fileId = await journey.uploadRead(phoneFile(phones));
    const taskId = await clickFifty(journey, fileId, round);
    for (const phone of phones) world.accepted.add(phone);
    const { rows } = await world.pool.query<{ n: number; held: number }>(
      `select (select count(*)::int from task where file_id = $1) as n,
         (select count(*)::int from reservation where task_id = $2) as held`,
      [fileId, taskId],
    );
    assert.deepEqual(rows, [{ n: 1, held: 1 }], 'one task, its cost held back once');

    const [to] = journey.phones(1);
    assert.ok(to);
    const key = randomUUID();
    const message = { to, smsType: 2, content: `A message of round ${round}` };
    const answers = await together(() => journey.post(message, key));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]), answers[0]?.text);
    assert.equal(distinct(answers), 1, 'one message id to all');
    world.accepted.add(to);
    const other = await journey.post({ ...message, content: 'Another' }, key);
    assert.equal(other.status, 422);
    if (round === rounds - 1) await journey.untilEnded(taskId, TaskStatus.Completed);
  }
  await world.untilQuiet();
  const verdict = await world.audit();
  assert.equal(verdict.rows, rounds * (each + 1));
  assert.equal(verdict.delivered, verdict.rows);
  assert.equal(verdict.extraCopies, 0);
});
