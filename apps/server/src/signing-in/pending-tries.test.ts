import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePendingTries, type Outcome } from './pending-tries.ts';

/** A limit as the database counts it: a try is counted at once, its answer comes `answerMs` later. */
function makeLimit(limit: number) {
  let counted = 0;
  return {
    count: (answerMs: () => number = () => 0) => {
      return async (): Promise<boolean> => {
        const isAdmitted = counted < limit;
        if (isAdmitted) counted += 1;
        await sleep(answerMs());
        return isAdmitted;
      };
    },
    giveBack: () => {
      counted -= 1;
    },
  };
}
const outcomeOf = (isAdmitted: boolean): Outcome => (isAdmitted ? { keys: ['a', 'b'] } : { full: 'a' });

test('who is refused while another is compared waits for it; with none under way nobody waits', async () => {
  const limit = makeLimit(1);
  const pending = makePendingTries();
  const first = await pending.admit(limit.count(), outcomeOf);
  assert.equal(first.counted, true);
  let isOver = false;
  const second = pending.admit(limit.count(), outcomeOf).then(({ counted }) => [counted, isOver]);
  await sleep(5);
  isOver = true;
  limit.giveBack();
  first.over();
  assert.deepEqual(await second, [true, true]);

  const full = makeLimit(0);
  assert.equal((await makePendingTries().admit(full.count(), outcomeOf)).counted, false);
});

test('whose refusal is told before the admission that caused it, or after that is decided, comes in as well', async () => {
  const limit = makeLimit(3);
  const pending = makePendingTries();
  const waits = [30, 20, 25, 0, 1, 40, 0, 60, 2];
  const people = await Promise.all(
    waits.map(async (wait) => {
      const { counted, over } = await pending.admit(
        limit.count(() => wait),
        outcomeOf,
      );
      await sleep(5);
      if (counted) limit.giveBack();
      over();
      return counted;
    }),
  );
  assert.deepEqual(
    people,
    waits.map(() => true),
  );
});

test('of a crowd each learns in turn that nobody is compared any more, and past thirty nobody waits', async () => {
  const limit = makeLimit(1);
  const pending = makePendingTries();
  const { over } = await pending.admit(limit.count(), outcomeOf);
  let isOver = false;
  const crowd = Array.from({ length: 40 }, () =>
    pending.admit(limit.count(), outcomeOf).then(({ counted }) => [counted, isOver]),
  );
  await sleep(20);
  isOver = true;
  over();
  const told = await Promise.all(crowd);
  assert.equal(told.filter(([counted]) => counted).length, 0);
  assert.equal(told.filter(([, waited]) => waited).length, 30);
});
