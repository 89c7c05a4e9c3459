import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@pahatid/testkit';
import { pino } from 'pino';
import { ItemTurns } from './item-turns.ts';

const log = pino({ level: 'silent' });

test('an item that fails waits twice as long each time, ten minutes at most; the others have their turn', async () => {
  const clock = new FakeClock();
  const said: number[] = [];
  const turns = new ItemTurns({ job: 'a', log, now: clock.monotonic, onFailures: (_, inARow) => said.push(inARow) });
  let tries = 0;
  const bad = () =>
    turns.run('bad', async () => {
      tries += 1;
      throw new Error('for good');
    });
  for (const waitS of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]) {
    assert.equal(await bad(), false);
    const before = tries;
    assert.deepEqual(turns.waiting, ['bad']);
    await clock.advance(waitS * 1_000 - 1);
    await bad();
    assert.equal(tries, before, 'before its time');
    assert.equal(await turns.run('good', async () => {}), true);
    await clock.advance(1);
    assert.deepEqual(turns.waiting, []);
  }
  assert.deepEqual(said, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  assert.equal(await turns.run('bad', async () => {}), true);
  assert.equal(said.at(-1), 0);
});
