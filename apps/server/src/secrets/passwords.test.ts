import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePasswords, PasswordsBusyError } from './passwords.ts';

test('a password opens its own hash, in any Unicode form, and no other', async () => {
  const passwords = makePasswords();
  const kept = await passwords.hash('Pässwörd@1');
  assert.equal(await passwords.verify(kept, 'Pässwörd@1'.normalize('NFD')), true);
  assert.equal(await passwords.verify(kept, 'Pässwörd@2'), false);
  assert.equal(await passwords.verify(null, 'Pässwörd@1'), false);
  assert.equal(passwords.isOutdated(kept), false);
});

test('S16 an account that does not exist takes as long as a wrong password', async () => {
  const passwords = makePasswords();
  const kept = await passwords.hash('Right@123');
  await passwords.verify(null, 'warm');
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  // In turn, so that a temporarily busy machine affects both alike.
  for (let n = 0; n < 9; n++)
    for (const which of ['known', 'unknown'] as const) {
      const start = performance.now();
      await passwords.verify(which === 'known' ? kept : null, 'Wrong@123');
      times[which].push(performance.now() - start);
    }
  const median = (list: number[]): number => list.sort((a, b) => a - b)[4] ?? 0;
  const [known, unknown] = [median(times.known), median(times.unknown)];
  // Far apart would be a hash skipped (under 1 ms against some 10 ms); the machine itself varies less than threefold.
  assert.ok(unknown > known / 3 && unknown < known * 3, `${known} ms against ${unknown} ms`);
});

test('S21 a flood waits in a separate queue, and requests beyond its end are rejected immediately', async () => {
  const passwords = makePasswords();
  const kept = await passwords.hash('Right@123');
  const asked = Array.from({ length: 230 }, () =>
    passwords.verify(kept, 'x').then(
      () => 'checked',
      (error: unknown) => (error instanceof PasswordsBusyError ? 'busy' : 'failed'),
    ),
  );
  const answers = Object.groupBy(await Promise.all(asked), (answer) => answer);
  assert.equal(answers.busy?.length, 26);
  assert.equal(answers.checked?.length, 204);
});
