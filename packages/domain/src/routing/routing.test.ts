import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseRoutes, pickByWeight, type RouteRule } from './choose-route.ts';
import { findUncovered, listDestinations } from './find-uncovered.ts';
import { cutIntoRuns } from './split-batch.ts';

const rule = (routeId: string, more: Partial<RouteRule> = {}): RouteRule => ({
  routeId,
  supplierId: `s-${routeId}`,
  areaCode: 'PH',
  carrier: null,
  smsType: null,
  weight: 1,
  priority: 0,
  ...more,
});
const ids = (rules: readonly RouteRule[]): string[] => rules.map(({ routeId }) => routeId);
const globe = { areaCode: 'PH', carrier: 'Globe', smsType: 2 };

test('priority comes before the carrier, the carrier before the send type', () => {
  const general = rule('general', { priority: 1 });
  const ofCarrier = rule('carrier', { carrier: 'Globe' });
  const ofType = rule('type', { smsType: 2 });
  const ofBoth = rule('both', { carrier: 'Globe', smsType: 2 });
  assert.deepEqual(ids(chooseRoutes([ofCarrier, ofType], globe).routes), ['carrier']);
  assert.deepEqual(ids(chooseRoutes([ofCarrier, ofType, ofBoth], globe).routes), ['both']);
  assert.deepEqual(ids(chooseRoutes([ofCarrier, ofType, ofBoth, general], globe).routes), ['general']);
  // Steps of priority may be as small as they come, negative ones included.
  assert.deepEqual(ids(chooseRoutes([rule('a', { priority: -2 }), rule('b', { priority: -1 })], globe).routes), ['b']);
});

test('a number of another carrier, country or send type does not take a route that is not for it', () => {
  const rules = [
    rule('smart', { carrier: 'Smart' }),
    rule('code', { smsType: 1 }),
    rule('us', { areaCode: 'US', carrier: 'X' }),
  ];
  assert.deepEqual(chooseRoutes(rules, globe), { routes: [], isFailing: false });
  assert.deepEqual(ids(chooseRoutes([...rules, rule('default')], { ...globe, areaCode: 'JP' }).routes), ['default']);
  // A country with its own routes does not use another's.
  assert.deepEqual(ids(chooseRoutes([...rules, rule('jp', { areaCode: 'JP' })], globe).routes), []);
});

test('weights: over 100,000 numbers in a row the shares are within half a percent, and each number keeps its route', () => {
  const rules = [rule('a', { weight: 1 }), rule('b', { weight: 3 }), rule('c', { weight: 6 })];
  for (const step of [1, 10, 137]) {
    const counts = new Map<string, number>();
    for (let n = 0; n < 100_000; n++) {
      const msisdn = `63917${String(n * step).padStart(7, '0')}`;
      const routeId = pickByWeight(rules, msisdn)?.routeId ?? '';
      counts.set(routeId, (counts.get(routeId) ?? 0) + 1);
      if (n % 1_000 === 0) assert.equal(pickByWeight(rules, msisdn)?.routeId, routeId);
    }
    for (const { routeId, weight } of rules) {
      const share = (counts.get(routeId) ?? 0) / 100_000;
      assert.ok(Math.abs(share - weight / 10) < 0.005, `${routeId} has ${share} with steps of ${step}`);
    }
  }
});

test('a failing supplier is passed over for the next in rank, and taken all the same where every one fails', () => {
  const rules = [
    rule('first', { priority: 10, carrier: 'Globe' }),
    rule('second', { priority: 5 }),
    rule('second b', { priority: 5 }),
    rule('last'),
  ];
  const without = (...suppliers: string[]) => chooseRoutes(rules, globe, new Set(suppliers.map((name) => `s-${name}`)));
  assert.deepEqual(ids(without().routes), ['first']);
  assert.deepEqual(ids(without('first').routes), ['second', 'second b']);
  assert.deepEqual(ids(without('first', 'second').routes), ['second b']);
  assert.deepEqual(ids(without('first', 'second', 'second b').routes), ['last']);
  const none = without('first', 'second', 'second b', 'last');
  assert.deepEqual({ routes: ids(none.routes), isFailing: none.isFailing }, { routes: ['first'], isFailing: true });
});

test('a country with its own routes never falls back to the default of another while its suppliers fail', () => {
  const rules = [rule('ph', { carrier: 'Globe' }), rule('us', { areaCode: 'US' })];
  const choice = chooseRoutes(rules, globe, new Set(['s-ph']));
  assert.deepEqual({ routes: ids(choice.routes), isFailing: choice.isFailing }, { routes: ['ph'], isFailing: true });
});

test('what no route reaches is found, unknown carriers too', () => {
  const destinations = listDestinations([
    { areaCode: 'PH', carrier: 'Globe' },
    { areaCode: 'PH', carrier: 'Smart' },
  ]);
  assert.equal(destinations.length, 9);
  assert.deepEqual(findUncovered([rule('all')], destinations), []);
  const uncovered = findUncovered([rule('globe', { carrier: 'Globe' }), rule('codes', { smsType: 1 })], destinations);
  assert.deepEqual(uncovered.map(({ carrier, smsType }) => `${carrier} ${smsType}`).sort(), [
    'Smart 2',
    'Smart 3',
    'null 2',
    'null 3',
  ]);
});

test('a rest is split only where its route changes; sent messages in between split nothing', () => {
  const isSame = (a: string | null, b: string | null): boolean => a === b;
  const at = (position: number, way: string | null) => ({ position, way });
  assert.deepEqual(cutIntoRuns([], isSame), []);
  assert.deepEqual(cutIntoRuns([at(3, 'x'), at(4, 'x'), at(9, 'x')], isSame), [{ from: 3, way: 'x' }]);
  assert.deepEqual(cutIntoRuns([at(0, null), at(1, 'x'), at(2, null), at(3, null), at(4, 'y')], isSame), [
    { from: 0, way: null },
    { from: 1, way: 'x' },
    { from: 2, way: null },
    { from: 4, way: 'y' },
  ]);
});
