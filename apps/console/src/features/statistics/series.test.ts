import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatisticsItem } from '@pahatid/contract';
import { changeOf, divide, mostSeries, sumFigures } from './series.ts';

const times = ['2026-03-01T16:00:00.000Z', '2026-03-02T16:00:00.000Z'];
const cell = (total: number, success: number, more: Partial<StatisticsItem> = {}): StatisticsItem => ({
  reqTotalNum: total,
  reqSuccessNum: success,
  reqFailNum: total - success,
  reqInFlightNum: 0,
  reqBlockedNum: 0,
  reqSuccessRate: success / total,
  reqFailRate: 1 - success / total,
  receiptSuccessNum: success,
  receiptFailNum: 0,
  receiptUnknownNum: 0,
  receiptAwaitedNum: 0,
  receiptSuccessRate: 1,
  receiptFailRate: 0,
  ...more,
});

test('shares are those of the sums, never sums or averages of shares; of nothing there is no share', () => {
  const sum = sumFigures([cell(100, 100), cell(900, 450)]);
  assert.deepEqual([sum.reqTotalNum, sum.reqSuccessRate, sum.reqFailRate], [1_000, 0.55, 0.45]);
  assert.deepEqual([sumFigures([]).reqTotalNum, sumFigures([]).reqSuccessRate], [0, null]);
  // By their receipts, of what was accepted.
  const received = sumFigures([cell(10, 8, { receiptSuccessNum: 6, receiptFailNum: 1 }), cell(10, 2)]);
  assert.deepEqual([received.receiptSuccessRate, received.receiptFailRate], [0.8, 0.1]);
  assert.deepEqual([sumFigures([]).receiptSuccessRate, sumFigures([]).receiptFailRate], [null, null]);
});

test('over eight groups the smallest are one of the others, and nothing is lost', () => {
  const items = Array.from({ length: 12 }, (_, n) => cell(n + 1, n, { clientSid: `S${n}`, logDate: times[n % 2]! }));
  const data = divide({ times, items }, ['logDate', 'clientSid']);
  assert.equal(data.groups.length, mostSeries);
  assert.equal(data.groups[0]?.values?.clientSid, 'S11');
  assert.equal(data.groups.at(-1)?.values, null);
  const whole = data.groups.map((group) => data.figuresOf(group, null));
  assert.equal(sumFigures(whole).reqTotalNum, 78);
  const bySteps = data.groups.flatMap((group) => times.map((_, at) => data.figuresOf(group, at)));
  assert.deepEqual(sumFigures(bySteps), sumFigures(whole));
  assert.equal(divide({ times, items: items.slice(0, 8) }, ['clientSid']).groups.at(-1)?.values?.clientSid, 'S0');
});

test('the sum of smaller groups of a response is a part of the others, and no group without a value', () => {
  const items = [
    cell(5, 5, { clientSid: 'A', logDate: times[0]! }),
    cell(9, 4, { isOthers: true, logDate: times[0]! }),
  ];
  const data = divide({ times, items }, ['logDate', 'clientSid']);
  assert.deepEqual(
    data.groups.map(({ values }) => values),
    [{ clientSid: 'A' }, null],
  );
  assert.equal(data.figuresOf(data.groups[1]!, 0).reqTotalNum, 9);
  const many = Array.from({ length: mostSeries }, (_, n) => cell(n + 1, 0, { clientSid: `S${n}` }));
  const full = divide({ times, items: [...many, items[1]!] }, ['clientSid']);
  assert.equal(full.groups.length, mostSeries);
  assert.equal(full.figuresOf(full.groups.at(-1)!, null).reqTotalNum, 1 + 9);
});

test('a step without a message is zero, and undivided figures are one group even where there is none', () => {
  const data = divide({ times, items: [cell(5, 5, { logDate: times[1]! })] }, ['logDate']);
  assert.deepEqual(
    times.map((_, at) => data.figuresOf(data.groups[0]!, at).reqTotalNum),
    [0, 5],
  );
  assert.equal(divide({ times, items: [] }, ['logDate']).groups.length, 1);
  assert.equal(divide({ times, items: [] }, ['carrier']).groups.length, 0);
});

test('the period before takes the groups of this one; what only it has is of the others', () => {
  const now = divide({ times, items: [cell(9, 9, { carrier: 'Smart' }), cell(3, 3, { carrier: null })] }, ['carrier']);
  const items = [cell(4, 4, { carrier: 'DITO' }), cell(2, 1, { carrier: 'Smart' })];
  const before = divide({ times, items }, ['carrier'], mostSeries, now);
  assert.deepEqual(
    now.groups.map((group) => before.figuresOf(group, null).reqTotalNum),
    [2, 0],
  );
});

test('what only the period before has is a group of both, so that the rows of each add up to its total', () => {
  const period = { times, items: [cell(9, 9, { carrier: 'Smart', logDate: times[0]! })] };
  const other = { times, items: [cell(4, 4, { carrier: 'DITO', logDate: times[1]! })] };
  for (const most of [mostSeries, Number.POSITIVE_INFINITY]) {
    const now = divide(period, ['logDate', 'carrier'], most, undefined, other);
    const before = divide(other, ['logDate', 'carrier'], most, now);
    const totals = (data: typeof now) => now.groups.map((group) => data.figuresOf(group, null).reqTotalNum);
    assert.deepEqual(
      now.groups.map(({ values }) => values?.carrier),
      ['Smart', 'DITO'],
    );
    assert.deepEqual(
      [totals(now), totals(before)],
      [
        [9, 0],
        [0, 4],
      ],
    );
    assert.equal(before.figuresOf(now.groups[1]!, 1).reqTotalNum, 4);
  }
  const many = Array.from({ length: 9 }, (_, n) => cell(1, 1, { clientSid: `S${n}` }));
  const now = divide({ times, items: [] }, ['clientSid'], mostSeries, undefined, { items: many });
  const before = divide({ times, items: many }, ['clientSid'], mostSeries, now);
  assert.equal(sumFigures(now.groups.map((group) => before.figuresOf(group, null))).reqTotalNum, 9);
});

test('change is relative for counts and in points for shares; against nothing there is none', () => {
  const [now, before] = [sumFigures([cell(150, 120)]), sumFigures([cell(100, 90)])];
  assert.equal(changeOf('reqTotalNum', now, before), 0.5);
  assert.ok(Math.abs((changeOf('reqSuccessRate', now, before) ?? 0) + 0.1) < 1e-12);
  assert.equal(changeOf('reqTotalNum', now, sumFigures([])), null);
  assert.equal(changeOf('reqSuccessRate', now, sumFigures([])), null);
});
