import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GroupSelection, groupSelection } from '@pahatid/contract';
import {
  conditionFields,
  draftOf,
  newCondition,
  operatorsOf,
  toCondition,
  toSelection,
  withField,
} from './selection-draft.ts';

const groupId = '0190a000-0000-7000-8000-000000000001';

test('a stored selection is typed and stored as it was', () => {
  const selection: GroupSelection = {
    groupIds: [groupId],
    match: 'any',
    conditions: [
      { field: 'value', name: 'City', operator: 'is', value: 'Cebu' },
      { field: 'value', name: 'City', operator: 'isEmpty', value: '' },
      { field: 'rangeHolder', operator: 'isNot', holders: ['Globe', 'Smart'] },
      { field: 'clicked', operator: 'notWithin', days: 90 },
    ],
  };
  assert.deepEqual(toSelection(draftOf(selection)), selection);
});

test('what the contract refuses is not complete, and what it takes is', () => {
  for (const field of conditionFields)
    for (const operator of operatorsOf(field))
      for (const [value, days] of [
        ['', null],
        ['many', 0],
        ['12.5', 365],
        ['x', 366],
      ] as const) {
        const draft = { ...newCondition(0), field, operator, name: 'City', value, holders: ['Globe'], days };
        const condition = toCondition(draft);
        if (condition === null) continue;
        const parsed = groupSelection.safeParse({ groupIds: [groupId], match: 'all', conditions: [condition] });
        assert.ok(parsed.success, JSON.stringify(condition));
      }
  const number = { ...newCondition(0), field: 'value', operator: 'above', name: 'Points' } as const;
  assert.equal(toCondition({ ...number, value: 'many' }), null);
  assert.deepEqual(toCondition({ ...number, value: '12.5' })?.operator, 'above');
  assert.equal(toCondition({ ...newCondition(0), days: 366 }), null);
});

test('another field keeps the operator where it has it', () => {
  const draft = { ...newCondition(0), field: 'value', operator: 'isNot' } as const;
  assert.equal(withField(draft, 'rangeHolder').operator, 'isNot');
  assert.equal(withField(draft, 'replied').operator, 'within');
});

test('without a group or with one incomplete condition there is nothing to count', () => {
  const draft = draftOf(null);
  assert.equal(toSelection(draft), null);
  assert.ok(toSelection({ ...draft, groupIds: [groupId] }));
  const conditions = [...draft.conditions, { ...newCondition(1), days: null }];
  assert.equal(toSelection({ ...draft, groupIds: [groupId], conditions }), null);
});
