import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideFrequency, type FrequencyLimit, frequencyLookbacks, type PastMessage } from './frequency.ts';
import { isInScope } from './limit-scope.ts';
import { decideVolume, type VolumeLimit, volumePeriodEnd, volumePeriodStart } from './volume.ts';

const nowMs = Date.parse('2026-11-21T12:00:00+08:00');
const subject = { appId: 'shop', areaCode: 'PH', carrier: 'Globe', smsType: 1 } as const;
const scope = { thresholdId: 'a', appId: null, areaCode: null, carrier: null, smsType: null };
const frequency = (more: Partial<FrequencyLimit>): FrequencyLimit => ({
  ...scope,
  sameContentPer30s: null,
  perMinute: null,
  perHour: null,
  perDay: null,
  exempt: [],
  ...more,
});
const sent = (agoMs: number, content = 'Code 1', more: Partial<PastMessage> = {}): PastMessage => ({
  ...subject,
  atMs: nowMs - agoMs,
  content,
  ...more,
});
const candidate = { ...subject, msisdn: '639171234567', atMs: nowMs, content: 'Code 1' };

test('a scope matches what it names, and everything for fields it leaves open', () => {
  assert.equal(isInScope(scope, subject), true);
  for (const [field, same, other] of [
    ['appId', 'shop', 'bank'],
    ['areaCode', 'PH', 'SG'],
    ['carrier', 'Globe', 'Smart'],
    ['smsType', 1, 3],
  ] as const) {
    assert.equal(isInScope({ ...scope, [field]: same }, subject), true, field);
    assert.equal(isInScope({ ...scope, [field]: other }, subject), false, field);
  }
  assert.equal(isInScope({ ...scope, carrier: 'Globe' }, { ...subject, carrier: null }), false);
});

test('each window refuses the message that is one too many, and lets it pass when the oldest has left', () => {
  for (const [field, window, lengthMs] of [
    ['sameContentPer30s', 'sameContent', 30_000],
    ['perMinute', 'minute', 60_000],
    ['perHour', 'hour', 3_600_000],
    ['perDay', 'day', 86_400_000],
  ] as const) {
    const limits = [frequency({ [field]: 2 })];
    const oldest = lengthMs - 1;
    assert.deepEqual(decideFrequency(limits, [sent(5)], candidate), { allowed: true }, field);
    assert.deepEqual(decideFrequency(limits, [sent(5), sent(oldest)], candidate), {
      allowed: false,
      thresholdId: 'a',
      window,
      retryAtMs: nowMs + 1,
    });
    assert.deepEqual(decideFrequency(limits, [sent(lengthMs), sent(5)], candidate), { allowed: true }, field);
  }
});

test('the same text is counted apart from others, and only it', () => {
  const limits = [frequency({ sameContentPer30s: 1 })];
  assert.equal(decideFrequency(limits, [sent(1_000, 'Code 2')], candidate).allowed, true);
  assert.equal(decideFrequency(limits, [sent(1_000, 'Code 1')], candidate).allowed, false);
  const any = [frequency({ perMinute: 1 })];
  assert.equal(decideFrequency(any, [sent(1_000, 'Code 2')], candidate).allowed, false);
});

test('a limit by send type neither counts nor holds back others', () => {
  const limits = [frequency({ perHour: 1, smsType: 1 })];
  assert.equal(decideFrequency(limits, [sent(1_000, 'x', { smsType: 3 })], candidate).allowed, true);
  assert.equal(decideFrequency(limits, [sent(1_000)], candidate).allowed, false);
  assert.equal(decideFrequency(limits, [sent(1_000)], { ...candidate, smsType: 3 }).allowed, true);
});

test('exempt phones are not held; others are', () => {
  const limits = [frequency({ perDay: 1, exempt: ['639171234567'] })];
  assert.equal(decideFrequency(limits, [sent(1)], candidate).allowed, true);
  assert.equal(decideFrequency(limits, [sent(1)], { ...candidate, msisdn: '639181234567' }).allowed, false);
});

test('of two rejecting limits the longer wait is returned', () => {
  const limits = [frequency({ perMinute: 1 }), frequency({ thresholdId: 'b', perDay: 2 })];
  const verdict = decideFrequency(limits, [sent(1_000), sent(2_000)], candidate);
  assert.deepEqual(verdict, {
    allowed: false,
    thresholdId: 'b',
    window: 'day',
    retryAtMs: nowMs - 2_000 + 86_400_000,
  });
});

test('limits on the same messages look back once, as far as the largest of them; others by themselves', () => {
  const limits = [
    frequency({ perMinute: 1, sameContentPer30s: 2 }),
    frequency({ perDay: 3 }),
    frequency({ perHour: 4, smsType: 3 }),
  ];
  const { thresholdId: _, ...any } = scope;
  assert.deepEqual(frequencyLookbacks(limits), [
    { ...any, newest: 3, newestOfText: 2 },
    { ...any, smsType: 3, newest: 4, newestOfText: 0 },
  ]);
  assert.deepEqual(frequencyLookbacks([]), []);
});

const volume = (more: Partial<VolumeLimit> = {}): VolumeLimit => ({
  ...scope,
  period: 'day',
  unit: 'messages',
  limitAt: 10,
  ...more,
});
const wanted = { ...subject, atMs: nowMs, segments: 3, cost: 10_500 };

test('a volume is filled to its limit and not past it, in each unit', () => {
  for (const [unit, amount] of [
    ['messages', 1],
    ['segments', 3],
    ['cost', 10_500],
  ] as const) {
    const limits = [volume({ unit, limitAt: 2 * amount })];
    assert.deepEqual(decideVolume(limits, new Map([['a', amount]]), wanted), {
      allowed: true,
      uses: new Map([['a', amount]]),
    });
    assert.equal(decideVolume(limits, new Map([['a', amount + 1]]), wanted).allowed, false, unit);
  }
  assert.equal(decideVolume([volume({ limitAt: 0 })], new Map(), wanted).allowed, false);
});

test('a volume out of scope is neither used nor applied to the message', () => {
  const limits = [volume({ limitAt: 0, smsType: 3 })];
  assert.deepEqual(decideVolume(limits, new Map(), wanted), { allowed: true, uses: new Map() });
});

test('a rejection returns when the last of the rejecting periods ends', () => {
  const limits = [volume({ limitAt: 0, period: 'hour' }), volume({ thresholdId: 'b', limitAt: 0, period: 'month' })];
  assert.deepEqual(decideVolume(limits, new Map(), wanted), {
    allowed: false,
    thresholdId: 'b',
    retryAtMs: Date.parse('2026-12-01T00:00:00+08:00'),
  });
});

test('periods are those of Manila', () => {
  const at = Date.parse('2026-12-31T23:30:00+08:00');
  const iso = (ms: number) => new Date(ms).toISOString();
  assert.equal(iso(volumePeriodStart(at, 'hour')), '2026-12-31T15:00:00.000Z');
  assert.equal(iso(volumePeriodEnd(at, 'hour')), '2026-12-31T16:00:00.000Z');
  assert.equal(iso(volumePeriodStart(at, 'day')), '2026-12-30T16:00:00.000Z');
  assert.equal(iso(volumePeriodEnd(at, 'day')), '2026-12-31T16:00:00.000Z');
  assert.equal(iso(volumePeriodStart(at, 'month')), '2026-11-30T16:00:00.000Z');
  assert.equal(iso(volumePeriodEnd(at, 'month')), '2026-12-31T16:00:00.000Z');
});
