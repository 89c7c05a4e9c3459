/**
 * kill -9 of each kind of process while a task is being sent: it completes automatically, with nothing lost or sent
 * twice.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { until } from '@pahatid/testkit';
import { makePhoneFile } from './phone-files.ts';
import { Product } from './product.ts';
import { prepareTask } from './send-task.ts';

const count = 20_000;
// Whichever of the two dies, the other answers.
const product = await Product.start({ PAHATID_API_PROCESSES: '2' });
after(() => product.stop());

/** Ends one process by SIGKILL, as a crash does. */
const killOne = (...words: string[]): void => {
  const [pid] = product.pids(...words);
  assert.ok(pid, `no process with ${words.join(' ')}`);
  process.kill(pid, 'SIGKILL');
};

test('kill -9 of the sender, the api and PostgreSQL in mid-task loses nothing and repeats nothing', {
  timeout: 900_000,
}, async (t) => {
  await product.setCarriers({ outcomes: { delivered: 1 }, receiptDelay: { fromMs: 50, toMs: 500 } });
  const user = await product.signIn('demo');
  const file = makePhoneFile('csv', count, 7);
  const { taskId } = await prepareTask(user, file, 'Through three crashes');
  await user.call('POST /tasks/:taskId/confirm', { params: { taskId } });
  /** A restarting api refuses connections for a moment: look again. */
  const look = () => user.call('GET /tasks/:taskId', { params: { taskId } });
  const sentAtLeast = (n: number) =>
    until(async () => (await look()).successCount >= n, { timeoutMs: 240_000, everyMs: 30, what: `${n} sent` });

  await sentAtLeast(2000);
  killOne('--role', 'sender');
  await sentAtLeast(6000);
  killOne('--role', 'api');
  await sentAtLeast(10_000);
  killOne('postgres', '-D');

  const isOver = async (): Promise<boolean> => {
    const now = await look();
    const settled = now.deliveredCount + now.undeliveredCount + now.failedCount + now.unconfirmedCount;
    return now.taskStatus === TaskStatus.Completed && settled === count;
  };
  await until(isOver, { timeoutMs: 400_000, everyMs: 200, what: 'the end of the task' });

  const journal = await product.journal();
  const copies = new Map<string, number>();
  for (const { destination, status } of journal)
    if (status === 0) copies.set(destination, (copies.get(destination) ?? 0) + 1);
  const twice = [...copies].filter(([, n]) => n > 1);
  const lost = file.valid.filter(({ msisdn }) => !copies.has(msisdn));
  // Messages in doubt are resolved by receipts that have arrived, or still arrive.
  const task = await until(
    async () => {
      const now = await look();
      return now.deliveredCount === copies.size && now;
    },
    { timeoutMs: 120_000, everyMs: 200, what: 'delivery in the record of every message at the carrier' },
  );
  t.diagnostic(`unconfirmed ${task.unconfirmedCount}, never at the carrier ${lost.length}, twice ${twice.length}`);

  assert.deepEqual(twice, [], 'sent twice');
  assert.equal(task.totalCount, count);
  assert.equal(task.successCount + task.failedCount + task.unconfirmedCount, count);
  assert.ok(lost.length <= task.unconfirmedCount, 'whatever the carrier never saw is shown as unconfirmed');
  const detail = await user.call('GET /tasks/:taskId/details', {
    params: { taskId },
    query: { sendStatus: '1', limit: 200 },
  });
  assert.equal(detail.items.length, Math.min(200, task.unconfirmedCount), 'the unconfirmed ones are listed');
});
