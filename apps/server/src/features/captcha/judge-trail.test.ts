import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CaptchaMove } from '@pahatid/contract';
import { isByHand } from './judge-trail.ts';
import { dragTo, keyTo } from './testing/trails.ts';

const travel = 300;
const judge = (position: number, trail: readonly CaptchaMove[], ageMs = 20_000): boolean =>
  isByHand({ position, trail, ageMs, travel });

test('S15 a drag that hurries and brakes, a held key and a drag put right by keys pass', () => {
  assert.ok(judge(180, dragTo(180)));
  assert.ok(judge(180, keyTo(180)));
  const dragged = dragTo(180);
  assert.ok(judge(176, [...dragged, [1300, 178, true], [1450, 176, true]]));
  // Page keys of a tenth, then single steps.
  assert.ok(
    judge(92, [
      [300, 30, true],
      [520, 60, true],
      [790, 90, true],
      [1100, 92, true],
    ]),
  );
  // To the end and back.
  assert.ok(
    judge(298, [
      [400, 300, true],
      [900, 298, true],
    ]),
  );
});

test('S15 no trail, too short, too quick, ending elsewhere, leaving the track, back in time: none is by hand', () => {
  assert.ok(!judge(180, []));
  assert.ok(!judge(180, dragTo(180).slice(-4)));
  assert.ok(!judge(180, dragTo(180, 160)));
  assert.ok(!judge(184, dragTo(180)));
  assert.ok(!judge(320, dragTo(320)));
  assert.ok(!judge(180, dragTo(180).with(20, [10, 40, false])));
});

test('S15 longer than the puzzle has been there: not by hand', () => {
  assert.ok(!judge(180, dragTo(180, 5000), 3000));
  assert.ok(judge(180, dragTo(180, 5000), 5400));
});

test('S15 an even speed, one jump, and keys at an even beat or by no key’s step are a program’s', () => {
  const even = Array.from({ length: 31 }, (_, n): CaptchaMove => [n * 20, n * 6, false]);
  assert.ok(!judge(180, even));
  const jump: CaptchaMove[] = [
    ...Array.from({ length: 12 }, (_, n): CaptchaMove => [n * 60, n % 5, false]),
    [900, 180, false],
  ];
  assert.ok(!judge(180, jump));
  const beat = Array.from({ length: 90 }, (_, n): CaptchaMove => [300 + n * 33, (n + 1) * 2, true]);
  assert.ok(!judge(180, beat));
  assert.ok(
    !judge(180, [
      [300, 60, true],
      [700, 120, true],
      [900, 180, true],
    ]),
  );
  assert.ok(!judge(181, [...keyTo(180), [9000, 181, true]]));
});
