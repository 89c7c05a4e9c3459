import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePendingTries, type Outcome } from './pending-tries.ts';

/** A limit as the database counts it: an attempt is counted immediately, its result arrives `answerMs` later. */
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

test('a rejected attempt waits for one being compared; with none in progress none waits', async () => {
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

test('an attempt rejected before the admission that caused it, or after its decision, is admitted too', async () => {
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

test('in a crowd each is notified in turn that no comparison is in progress, and beyond thirty none waits', async () => {
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
