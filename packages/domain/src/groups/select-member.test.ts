import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GroupCondition } from '@pahatid/contract';
import { daysLookedBack, fitsSelection, type MemberFacts } from './select-member.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 29);

const member = (values: Record<string, string>, more: Partial<MemberFacts> = {}): MemberFacts => ({
  values: new Map(Object.entries(values)),
  rangeHolder: 'Globe',
  last: {},
  ...more,
});
const fits = (conditions: GroupCondition[], of: MemberFacts, match: 'all' | 'any' = 'all') =>
  fitsSelection({ match, conditions }, of, NOW);
const value = (operator: 'is', written = ''): GroupCondition => ({
  field: 'value',
  name: 'City',
  operator,
  value: written,
});

test('values are compared without case and without spaces around them', () => {
  const cases: [operator: string, written: string, stored: string, isFit: boolean][] = [
    ['is', 'cebu', ' Cebu ', true],
    ['is', 'cebu', 'Cebu City', false],
    ['isNot', 'cebu', 'Cebu', false],
    ['isNot', 'cebu', '', true],
    ['contains', 'city', 'Cebu City', true],
    ['contains', 'city', 'Cebu', false],
    ['startsWith', 'ceb', 'CEBU', true],
    ['startsWith', 'city', 'Cebu City', false],
    ['isEmpty', '', '  ', true],
    ['isEmpty', '', 'x', false],
    ['isNotEmpty', '', 'x', true],
    ['isNotEmpty', '', '', false],
    ['above', '1000', '1,250.50', true],
    ['above', '1000', '1000', false],
    ['above', '1000', 'many', false],
    ['below', '1000', '999.9', true],
    ['below', '1000', '', false],
    ['below', '0', '-3', true],
    ['above', '1', '1,5', false],
  ];
  for (const [operator, written, stored, isFit] of cases)
    assert.equal(fits([value(operator as 'is', written)], member({ city: stored })), isFit, `${stored} ${operator}`);
});

test('a value that the group does not have is empty', () => {
  assert.equal(fits([value('isEmpty' as 'is')], member({})), true);
  assert.equal(fits([value('is', 'Cebu')], member({})), false);
});

test('a number of no range holder is of none of the named ones', () => {
  const condition = (operator: 'is' | 'isNot'): GroupCondition => ({
    field: 'rangeHolder',
    operator,
    holders: ['GLOBE', 'Smart'],
  });
  assert.equal(fits([condition('is')], member({})), true);
  assert.equal(fits([condition('isNot')], member({})), false);
  assert.equal(fits([condition('is')], member({}, { rangeHolder: null })), false);
  assert.equal(fits([condition('isNot')], member({}, { rangeHolder: null })), true);
});

test('what never was is not within any days', () => {
  const condition = (operator: 'within' | 'notWithin', days: number): GroupCondition => ({
    field: 'delivered',
    operator,
    days,
  });
  const aWeekAgo = member({}, { last: { delivered: NOW - 7 * DAY_MS } });
  assert.equal(fits([condition('within', 7)], aWeekAgo), true);
  assert.equal(fits([condition('within', 6)], aWeekAgo), false);
  assert.equal(fits([condition('notWithin', 6)], aWeekAgo), true);
  assert.equal(fits([condition('notWithin', 7)], aWeekAgo), false);
  assert.equal(fits([condition('within', 365)], member({})), false);
  assert.equal(fits([condition('notWithin', 365)], member({})), true);
});

test('all conditions, or any of them', () => {
  const conditions = [value('is', 'Cebu'), value('isEmpty' as 'is')];
  assert.equal(fits(conditions, member({ city: 'Cebu' })), false);
  assert.equal(fits(conditions, member({ city: 'Cebu' }), 'any'), true);
  assert.equal(fits(conditions, member({ city: 'Davao' }), 'any'), false);
});

test('of each field the longest look back', () => {
  const days = daysLookedBack([
    { field: 'written', operator: 'within', days: 3 },
    { field: 'written', operator: 'notWithin', days: 90 },
    { field: 'replied', operator: 'within', days: 1 },
    value('is', 'x'),
  ]);
  assert.deepEqual([...days].sort(), [
    ['replied', 1],
    ['written', 90],
  ]);
});
