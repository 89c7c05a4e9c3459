/** P10: receipts that are repeated, contradict each other and arrive in any order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import type { Submit } from './carrier-process.ts';
import { Chance } from './chance.ts';
import { patience, size } from './sizes.ts';
import { World } from './world.ts';

type Word = 'DELIVRD' | 'UNDELIV' | 'EXPIRED' | 'REJECTD' | 'UNKNOWN' | 'ENROUTE';

/** Expected result of each history: DELIVRD if it was ever reported; otherwise the first failure; otherwise unknown. */
const clientStatus: Record<Word, number> = {
  DELIVRD: 2,
  UNDELIV: 3,
  EXPIRED: 4,
  REJECTD: 5,
  UNKNOWN: 6,
  ENROUTE: 1,
};
const failures: readonly Word[] = ['UNDELIV', 'EXPIRED', 'REJECTD'];
const histories: readonly (readonly Word[])[] = [
  ['DELIVRD'],
  ['UNDELIV'],
  ['UNDELIV', 'DELIVRD'],
  ['DELIVRD', 'UNDELIV'],
  ['UNKNOWN', 'UNDELIV'],
  ['UNDELIV', 'UNKNOWN'],
  ['UNKNOWN', 'DELIVRD'],
  ['EXPIRED', 'UNDELIV'],
  ['REJECTD', 'EXPIRED', 'DELIVRD'],
  ['DELIVRD', 'ENROUTE'],
  ['ENROUTE', 'EXPIRED', 'ENROUTE'],
];

function expected(words: readonly Word[]): number {
  if (words.includes('DELIVRD')) return clientStatus.DELIVRD;
  const failure = words.find((word) => failures.includes(word));
  return clientStatus[failure ?? words.find((word) => word !== 'ENROUTE') ?? 'ENROUTE'];
}

test('P10: the first final status is kept, delivered overrides it, and each counts once', {
  timeout: patience(90_000),
}, async (t) => {
  const chance = Chance.of(t);
  const world = await World.make(t, { tps: 2_000 });
  const { carriers } = world;
  // Only the test reports the outcome of messages.
  await carriers.setFaults({ lostReceipt: 1 });
  await world.startSender();
  await world.accept(size(660, 20_000));
  await world.untilQuiet({ receiptsWithheld: true });

  const parts = new Map<string, Submit[]>();
  for await (const submit of carriers.submits()) {
    const list = parts.get(submit.destination);
    if (list === undefined) parts.set(submit.destination, [submit]);
    else list.push(submit);
  }
  const wanted = new Map<string, number>();
  const queues: { carrier: string; id: string; destination: string; words: Word[] }[] = [];
  for (const [index, [destination, submits]] of [...parts].entries()) {
    const words = histories[index % histories.length] ?? [];
    wanted.set(destination, expected(words));
    for (const { carrier, id } of submits) {
      // Each status one to five times, the first of each in the order of the history.
      const said: Word[] = [];
      for (const [at, word] of words.entries()) {
        said.push(word);
        const before = words.slice(0, at + 1);
        for (let more = Math.floor(chance.next() * 5); more > 0; more--) said.push(chance.pick(before));
      }
      queues.push({ carrier, id, destination, words: said });
    }
  }
  let count = 0;
  // Statuses of all messages interleaved; each message's own in order.
  while (queues.length > 0) {
    const turn = chance.shuffle(queues).slice(0, 200);
    await Promise.all(
      turn.map(({ carrier, id, destination, words }) =>
        carriers.sendReceipt(carrier, { id, destination, stat: words.shift() ?? 'ENROUTE' }),
      ),
    );
    count += turn.length;
    for (let i = queues.length - 1; i >= 0; i--) if (queues[i]?.words.length === 0) queues.splice(i, 1);
  }
  let wrong: string[] = [];
  await until(
    async () => {
      const { rows } = await world.pool.query<{ msisdn: string; client_status: number }>(
        'select msisdn, client_status from message',
      );
      wrong = rows
        .filter((row) => wanted.get(row.msisdn) !== row.client_status)
        .map((row) => `${row.msisdn}: ${row.client_status}, not ${wanted.get(row.msisdn)}`);
      return wrong.length === 0;
    },
    { timeoutMs: patience(30_000), everyMs: 200 },
  ).catch((error: unknown) => {
    throw new Error(`${wrong.length} wrong: ${wrong.slice(0, 5).join('; ')}`, { cause: error });
  });
  await world.untilQuiet({ receiptsWithheld: true });
  const verdict = await world.audit({ receiptsWithheld: true });
  t.diagnostic(`${count} receipts on ${verdict.rows} messages`);
  assert.equal(verdict.rows, world.accepted.size);
  assert.equal(verdict.extraCopies, 0);
});
