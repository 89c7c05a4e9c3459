import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  isWorthKeeping,
  judgePumping,
  leastWatched,
  type PumpingCount,
  type PumpingWindow,
  usualCodesOf,
  usualOf,
} from './judge-pumping.ts';

const rule = { minVolume: 100, factor: 5 };
const quiet: PumpingWindow = {
  messages: 0,
  usualMessages: 0,
  isKnown: true,
  counts: [],
  codes: { sent: 0, used: 0 },
  usualCodes: { sent: 0, used: 0 },
};
const count = (signal: PumpingCount['signal'], value: number, usual = 0, key = ''): PumpingCount => ({
  signal,
  key,
  value,
  usual,
});

test('a burst to one range is found with its numbers, and what is usual for that range is not', () => {
  const window = { ...quiet, messages: 600, usualMessages: 400, counts: [count('prefix', 300, 20, '639171')] };
  assert.deepEqual(judgePumping(rule, window), {
    signal: 'prefix',
    key: '639171',
    value: 300,
    bound: 100,
    usual: 20,
  });
  assert.equal(judgePumping(rule, { ...window, counts: [count('prefix', 300, 61, '639171')] }), null);
});

test('a busy day, on which all ranges grow alike, is no burst; one that grows alone is', () => {
  const busy = { ...quiet, messages: 6_000, usualMessages: 1_000 };
  assert.equal(judgePumping(rule, { ...busy, counts: [count('prefix', 600, 100, '639171')] }), null);
  assert.ok(judgePumping(rule, { ...busy, messages: 1_500, counts: [count('prefix', 600, 100, '639171')] }));
  assert.ok(judgePumping(rule, { ...busy, counts: [count('prefix', 1_500, 100, '639171')] }), 'growth excuses thrice');
});

test('two ranges that are pumped at the same time do not excuse each other', () => {
  const counts = [count('prefix', 500, 10, '639171'), count('prefix', 500, 10, '639172')];
  assert.equal(judgePumping(rule, { ...quiet, messages: 1_020, usualMessages: 40, counts })?.bound, 150);
});

test('a new application has floors instead of a past: for a range, and a higher one for a country', () => {
  const launch = { ...quiet, isKnown: false, messages: 2_000 };
  const found = (each: PumpingCount) => judgePumping(rule, { ...launch, messages: 6_000, counts: [each] });
  assert.equal(found(count('prefix', 499, 0, '639171')), null);
  assert.deepEqual(found(count('prefix', 500, 0, '639171'))?.usual, null);
  assert.equal(found(count('country', 4_999, 0, 'PH')), null);
  assert.equal(found(count('country', 5_000, 0, 'PH'))?.bound, 5_000);
});

test('consecutive and repeated numbers are found, in a new application as well', () => {
  for (const isKnown of [true, false]) {
    const sequence = { ...quiet, isKnown, messages: 100, counts: [count('sequence', 20, 0, '639171')] };
    assert.equal(judgePumping(rule, sequence)?.signal, 'sequence');
    assert.equal(judgePumping(rule, { ...sequence, messages: 99 }), null);
    assert.equal(judgePumping(rule, { ...sequence, counts: [count('sequence', 19, 0, '639171')] }), null);
  }
  const repeats = { ...quiet, messages: 500, counts: [count('repeats', 100)] };
  assert.equal(judgePumping(rule, repeats)?.signal, 'repeats');
  assert.equal(judgePumping(rule, { ...repeats, counts: [count('repeats', 100, 21)] }), null);
});

test('of several signs the strongest is reported', () => {
  const counts = [count('country', 300, 0, 'VN'), count('prefix', 250, 0, '84901'), count('sequence', 200, 0, '84901')];
  assert.equal(judgePumping(rule, { ...quiet, messages: 300, counts })?.signal, 'sequence');
});

test('codes that are used half as often as usual are found, unless too few were sent or uses are not reported', () => {
  const usualCodes = { sent: 10_000, used: 8_000 };
  const judge = (sent: number, used: number, usual = usualCodes) =>
    judgePumping(rule, { ...quiet, codes: { sent, used }, usualCodes: usual });
  assert.deepEqual(judge(200, 79), { signal: 'conversion', key: '', value: 3_950, bound: 4_000, usual: 8_000 });
  assert.equal(judge(200, 80), null);
  assert.equal(judge(99, 0), null);
  assert.equal(judge(200, 0, { sent: 10_000, used: 1_999 }), null);
  assert.equal(judge(200, 0, { sent: 0, used: 0 }), null);
});

test('a day on which many codes were not entered does not become usual', () => {
  const day = { sent: 1_000, used: 800 };
  assert.deepEqual(usualCodesOf([day, { sent: 90_000, used: 900 }, { sent: 1_000, used: 700 }]), {
    sent: 1_000,
    used: 700,
  });
  assert.deepEqual(usualCodesOf([{ sent: 0, used: 0 }, day]), day);
  assert.deepEqual(usualCodesOf([]), { sent: 0, used: 0 });
});

test('one day of abuse does not become usual, two days of growth do', () => {
  assert.equal(usualOf([]), 0);
  assert.equal(usualOf([500]), 0);
  assert.equal(usualOf([20, 500, 10]), 20);
  assert.equal(usualOf([20, 500, 480]), 480);
});

const counts = fc.array(
  fc.record({
    signal: fc.constantFrom('prefix', 'country', 'sequence', 'repeats'),
    key: fc.constant('x'),
    value: fc.nat(5_000),
    usual: fc.nat(5_000),
  }),
  { maxLength: 6 },
);
const uses = fc.tuple(fc.nat(5_000), fc.nat(5_000)).map(([a, b]) => ({ sent: Math.max(a, b), used: Math.min(a, b) }));
const windows = fc.record({
  messages: fc.nat(20_000),
  usualMessages: fc.nat(20_000),
  isKnown: fc.boolean(),
  counts,
  codes: uses,
  usualCodes: uses,
});
const rules = fc.record({ minVolume: fc.integer({ min: 10, max: 5_000 }), factor: fc.integer({ min: 2, max: 100 }) });

test('whatever the traffic: no alarm below the floor, and each is past its own bound', () => {
  fc.assert(
    fc.property(rules, windows, (given, window) => {
      const found = judgePumping(given, window);
      if (found === null) return;
      if (found.signal === 'conversion') {
        assert.ok(found.value < found.bound && window.codes.sent >= given.minVolume);
        return;
      }
      assert.ok(window.messages >= given.minVolume && found.value >= found.bound);
      assert.ok(found.signal === 'sequence' || found.bound >= given.minVolume);
    }),
  );
});

test('whatever the traffic: what is no alarm is none with a higher factor or a larger past either', () => {
  fc.assert(
    fc.property(rules, windows, fc.nat(1_000), (given, window, more) => {
      const calm = { ...window, codes: { sent: 0, used: 0 } };
      if (judgePumping(given, calm) !== null) return;
      assert.equal(judgePumping({ ...given, factor: given.factor + more }, calm), null);
      for (const each of calm.counts) {
        const grown = [{ ...each, usual: each.usual + more }];
        const usualMessages = calm.usualMessages + more;
        assert.equal(judgePumping(given, { ...calm, usualMessages, counts: grown }), null);
      }
    }),
  );
});

test('whatever the past: what is too small to be stored raises no bound', () => {
  fc.assert(
    fc.property(rules, windows, (given, window) => {
      const known = { ...window, isKnown: true, codes: { sent: 0, used: 0 } };
      const stored = known.counts.map((each) =>
        isWorthKeeping(given, { signal: each.signal, value: each.usual }) ? each : { ...each, usual: 0 },
      );
      assert.equal(judgePumping(given, known)?.bound, judgePumping(given, { ...known, counts: stored })?.bound);
      assert.ok(leastWatched(given) <= given.minVolume);
    }),
  );
});
