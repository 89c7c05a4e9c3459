import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePendingTries } from './pending-tries.ts';

test('who is refused while another is compared waits for it; with none under way nobody waits', async () => {
  const pending = makePendingTries();
  assert.equal(await pending.another('a'), false);
  const over = pending.begin(['a', 'b']);
  let isOver = false;
  const waiting = pending.another('a').then((again) => [again, isOver]);
  isOver = true;
  over();
  assert.deepEqual(await waiting, [true, true]);
  assert.equal(await pending.another('b'), false);
});

test('of a crowd each learns in turn that nobody is compared any more, and past thirty nobody waits', async () => {
  const pending = makePendingTries();
  const over = pending.begin(['a']);
  const refused = async (): Promise<number> => {
    for (let rounds = 0; ; rounds++) if (!(await pending.another('a'))) return rounds;
  };
  const crowd = Array.from({ length: 40 }, refused);
  over();
  const rounds = await Promise.all(crowd);
  assert.equal(rounds.filter((count) => count === 1).length, 30);
  assert.equal(rounds.filter((count) => count === 0).length, 10);
});
