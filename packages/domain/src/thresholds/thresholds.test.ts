import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forecastQuality, judgeQuality, measureRate, type QualityBucket } from './judge-quality.ts';
import { stageOfVolume } from './judge-volume.ts';

test('a volume alerts at its alert and is at its limit at its limit, and not before', () => {
  const bounds = { alertAt: 80, limitAt: 100 };
  for (const [used, stage] of [
    [79, 'ok'],
    [80, 'alert'],
    [99, 'alert'],
    [100, 'limit'],
    [101, 'limit'],
  ] as const)
    assert.equal(stageOfVolume(bounds, used, false), stage, String(used));
  assert.equal(stageOfVolume(bounds, 99, true), 'limit', 'what is left is too little for the next message');
  assert.equal(stageOfVolume({ alertAt: null, limitAt: 100 }, 99, false), 'ok');
  assert.equal(stageOfVolume({ alertAt: 80, limitAt: null }, 1_000, true), 'alert');
});

const sums = { accepted: 90, refused: 10, delivered: 60, undelivered: 15, unknown: 5 };

test('rates are of the requests that were answered: refused ones failed, missing receipts are unknown', () => {
  assert.deepEqual(measureRate('delivered', sums), { value: 6_000, volume: 100 });
  assert.deepEqual(measureRate('failed', sums), { value: 2_500, volume: 100 });
  assert.deepEqual(measureRate('unknown', sums), { value: 500, volume: 100 });
  assert.equal(measureRate('failed', { accepted: 0, refused: 0, delivered: 0, undelivered: 0, unknown: 0 }), null);
});

test('the delivered rate is bad below its limit, the others above it; with too few messages nothing is reported', () => {
  const rule = { metric: 'delivered', bound: 6_000, minVolume: 100 } as const;
  assert.equal(judgeQuality(rule, { value: 6_000, volume: 100 }), 'within');
  assert.equal(judgeQuality(rule, { value: 5_999, volume: 100 }), 'outside');
  assert.equal(judgeQuality(rule, { value: 0, volume: 99 }), 'tooFew');
  assert.equal(judgeQuality(rule, null), 'tooFew');
  for (const metric of ['failed', 'unknown', 'delay'] as const) {
    assert.equal(judgeQuality({ ...rule, metric }, { value: 6_000, volume: 100 }), 'within');
    assert.equal(judgeQuality({ ...rule, metric }, { value: 6_001, volume: 100 }), 'outside');
  }
});

const bucket = (at: number, delivered: number, more: Partial<QualityBucket> = {}): QualityBucket => ({
  at,
  accepted: 100,
  refused: 0,
  delivered,
  undelivered: 100 - delivered,
  unknown: 0,
  delaySum: 0,
  delayCount: 0,
  ...more,
});

test('a forecast counts each time at which a rule would have begun to fire, and keeps the worst', () => {
  const rule = { metric: 'delivered', bound: 8_000, minVolume: 100, windowMinutes: 10 } as const;
  const good = 95;
  const bad = 20;
  const series = [good, good, bad, bad, good, good, good, bad, good, good].map((delivered, at) =>
    bucket(at, delivered),
  );
  // Windows of two: 2 to 4 are one firing, 7 and 8 another.
  assert.deepEqual(forecastQuality(rule, series, { from: 0, to: 9 }), { alerts: 2, peak: 2_000, peakAt: 3 });
  assert.deepEqual(forecastQuality({ ...rule, minVolume: 500 }, series, { from: 0, to: 9 }), {
    alerts: 0,
    peak: null,
    peakAt: null,
  });
});

test('a rule that was firing already does not begin again', () => {
  const rule = { metric: 'delivered', bound: 8_000, minVolume: 100, windowMinutes: 5 } as const;
  const series = [bucket(0, 10), bucket(3, 10), bucket(4, 100), bucket(5, 10)];
  assert.equal(forecastQuality(rule, series, { from: 3, to: 9 }).alerts, 2);
  assert.equal(forecastQuality(rule, series, { start: 0, from: 3, to: 9 }).alerts, 1);
});

test('traffic before the first window is left out of all windows', () => {
  const rule = { metric: 'delivered', bound: 8_000, minVolume: 100, windowMinutes: 10 } as const;
  const series = [bucket(0, 90), bucket(1, 90), bucket(2, 90), bucket(3, 90), bucket(4, 10), bucket(5, 10)];
  assert.deepEqual(forecastQuality(rule, series, { from: 3, to: 5 }), { alerts: 1, peak: 1_000, peakAt: 5 });
});

test('a gap without traffic neither ends an alert nor begins another', () => {
  const rule = { metric: 'delivered', bound: 8_000, minVolume: 100, windowMinutes: 5 } as const;
  assert.equal(forecastQuality(rule, [bucket(0, 10), bucket(5, 10)], { from: 0, to: 9 }).alerts, 1);
});

test('a delay is the mean of the messages in the window', () => {
  const rule = { metric: 'delay', bound: 30, minVolume: 2, windowMinutes: 10 } as const;
  const series = [bucket(0, 0, { delaySum: 40, delayCount: 4 }), bucket(1, 0, { delaySum: 400, delayCount: 4 })];
  assert.deepEqual(forecastQuality(rule, series, { from: 0, to: 1 }), { alerts: 1, peak: 55, peakAt: 1 });
});
