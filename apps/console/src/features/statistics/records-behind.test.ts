import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeUnit } from '@pahatid/contract';
import { endOfStep, recordsBehind } from './records-behind.ts';
import { firstView } from './view.ts';

const zone = 'Asia/Manila';
const range = { from: '2026-03-01T16:00:00.000Z', to: '2026-03-10T06:30:12.345Z' };

test('a step ends where the next begins, in the zone, on days of 23 hours and months of any length', () => {
  assert.equal(endOfStep('2026-03-09T16:00:00.000Z', 1, zone), '2026-03-10T16:00:00.000Z');
  assert.equal(endOfStep('2026-03-08T05:00:00.000Z', 1, 'America/New_York'), '2026-03-09T04:00:00.000Z');
  assert.equal(endOfStep('2026-01-31T16:00:00.000Z', 2, zone), '2026-02-28T16:00:00.000Z');
  assert.equal(endOfStep('2025-11-30T16:00:00.000Z', 2, zone), '2025-12-31T16:00:00.000Z');
  assert.equal(endOfStep('2026-03-09T16:59:00.000Z', 0, zone), '2026-03-09T17:00:00.000Z');
});

test('a point leads to the records of its step, its values and its metric', () => {
  const day = {
    group: { key: '', values: { carrier: 'Smart' } },
    metric: 'receiptFailNum',
    time: '2026-03-04T16:00:00.000Z',
  } as const;
  assert.deepEqual(recordsBehind(day, firstView, range, zone), {
    from: '2026-03-04T16:00:00.000Z',
    to: '2026-03-05T16:00:00.000Z',
    carrier: 'Smart',
    sendStatus: '3',
    clientStatus: '3,4,5',
  });
  const route = {
    ...day,
    group: { key: '', values: { customerId: 'c', routeId: 'r' } },
    metric: 'reqTotalNum',
  } as const;
  const { customerId, routeId, sendStatus } = recordsBehind(route, firstView, range, zone) ?? {};
  assert.deepEqual([customerId, routeId, sendStatus], ['c', 'r', undefined]);
});

test('a value of the point goes before the filter of the chart, and a carrier that is not known is asked for as such', () => {
  const view = { ...firstView, filters: { appId: 'A1', carrier: 'unknown' } } as const;
  const search = recordsBehind({ group: { key: '', values: { carrier: null } }, time: null }, view, range, zone);
  assert.deepEqual([search?.['appId'], search?.['carrier']], ['A1', 'unknown']);
});

test('the minute that has begun counts whole, as in the figures; steps end where the range does', () => {
  const last = { group: { key: '', values: {} }, time: '2026-03-09T16:00:00.000Z' };
  const { from, to } = recordsBehind(last, firstView, range, zone) ?? {};
  assert.deepEqual([from, to], ['2026-03-09T16:00:00.000Z', '2026-03-10T06:31:00.000Z']);
  const month = recordsBehind(
    { ...last, time: '2026-02-28T16:00:00.000Z' },
    { ...firstView, unit: TimeUnit.Month },
    range,
    zone,
  );
  assert.deepEqual([month?.['from'], month?.['to']], ['2026-03-01T16:00:00.000Z', '2026-03-10T06:31:00.000Z']);
});

test('grouped series have no records filter', () => {
  assert.equal(recordsBehind({ group: { key: 'others', values: null }, time: null }, firstView, range, zone), null);
});
