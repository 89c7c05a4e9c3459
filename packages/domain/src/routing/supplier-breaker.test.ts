import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type AnswerFigures,
  type Breaker,
  type BreakerView,
  CLOSED_BREAKER,
  judgeAnswers,
  nextBreaker,
  openForMs,
} from './supplier-breaker.ts';

const none: AnswerFigures = { accepted: 0, refused: 0, errors: 0, throttled: 0, timeouts: 0, answerMs: 50 };
const view = (breaker: Breaker, more: Partial<BreakerView> = {}): BreakerView => ({
  ...breaker,
  ageMs: 1_000,
  figures: none,
  hasSubmitted: true,
  ...more,
});
const open: Breaker = { state: 'open', reason: 'errors', openings: 1 };
const halfOpen: Breaker = { ...open, state: 'halfOpen' };

test('errors, timeouts, nothing but throttling and slow answers open it, each with its reason', () => {
  assert.equal(judgeAnswers({ ...none, errors: 10 }), 'errors');
  assert.equal(judgeAnswers({ ...none, errors: 50, accepted: 50 }), 'errors');
  assert.equal(judgeAnswers({ ...none, errors: 49, accepted: 51 }), null);
  assert.equal(judgeAnswers({ ...none, timeouts: 10 }), 'timeouts');
  assert.equal(judgeAnswers({ ...none, timeouts: 10, accepted: 11 }), null);
  assert.equal(judgeAnswers({ ...none, throttled: 20 }), 'throttled');
  assert.equal(judgeAnswers({ ...none, throttled: 2_000, accepted: 1 }), null);
  assert.equal(judgeAnswers({ ...none, accepted: 10, answerMs: 15_000 }), 'slow');
});

test('one message that is refused each time it is tried does not open it', () => {
  assert.equal(nextBreaker(view(CLOSED_BREAKER, { figures: { ...none, errors: 7 } }), true), null);
});

const count = fc.nat(100_000);

test('in any case refusals of messages never open it', () => {
  fc.assert(
    fc.property(count, count, fc.nat(9), fc.nat(14_999), fc.boolean(), (accepted, refused, errors, answerMs, has) => {
      const figures = { ...none, accepted, refused, errors, answerMs };
      assert.equal(nextBreaker(view(CLOSED_BREAKER, { figures }), has), null);
    }),
  );
});

test('it waits 5 s, 10 s, 20 s … 5 minutes, and then probes', () => {
  assert.deepEqual([1, 2, 3, 6, 7, 99].map(openForMs), [5_000, 10_000, 20_000, 160_000, 300_000, 300_000]);
  assert.equal(nextBreaker(view(open, { ageMs: 4_999 }), true), null);
  assert.deepEqual(nextBreaker(view(open, { ageMs: 5_000 }), true), halfOpen);
});

test('a clock set back does not keep it open', () => {
  assert.deepEqual(nextBreaker(view(open, { ageMs: -7_200_000 }), true), halfOpen);
});

test('bad probes open it again for twice as long; without another route it goes on probing', () => {
  const bad = view(halfOpen, { figures: { ...none, errors: 3 } });
  assert.deepEqual(nextBreaker(bad, true), { ...open, openings: 2 });
  assert.equal(nextBreaker(bad, false), null);
});

test('without another route it is never open', () => {
  const bad = view(CLOSED_BREAKER, { figures: { ...none, errors: 10 } });
  assert.equal(nextBreaker(bad, true)?.state, 'open');
  assert.equal(nextBreaker(bad, false)?.state, 'halfOpen');
});

test('without anything to probe with it closes after a while, unless answers may still follow', () => {
  const idle = { ageMs: 30_000, hasSubmitted: false };
  assert.equal(nextBreaker(view(halfOpen, idle), true)?.state, 'closed');
  assert.equal(nextBreaker(view(halfOpen, { ...idle, hasSubmitted: true }), true), null);
});

test('in any case good probes close it again, whatever happened before', () => {
  const before = fc.record({
    state: fc.constantFrom('closed', 'open', 'halfOpen'),
    reason: fc.constantFrom('errors', 'throttled', 'timeouts', 'slow'),
    openings: fc.integer({ min: 1, max: 50 }),
  });
  const good = { ...none, accepted: 5 };
  fc.assert(
    fc.property(before, fc.boolean(), (breaker: Breaker, hasAlternative) => {
      let now = breaker;
      for (let step = 0; step < 3; step++) {
        const figures = now.state === 'open' ? none : good;
        now = nextBreaker(view(now, { ageMs: 300_000, figures }), hasAlternative) ?? now;
      }
      assert.equal(now.state, 'closed');
    }),
  );
});

test('after a calm time the next wait is the shortest again', () => {
  const closed: Breaker = { ...open, state: 'closed', openings: 4 };
  assert.equal(nextBreaker(view(closed, { ageMs: 599_999 }), true), null);
  assert.deepEqual(nextBreaker(view(closed, { ageMs: 600_000 }), true), CLOSED_BREAKER);
});
