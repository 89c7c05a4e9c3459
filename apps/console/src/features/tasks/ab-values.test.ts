import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AbValues,
  countParts,
  findAbProblem,
  mostShare,
  newAbTest,
  toAbBody,
  valuesOfAbTest,
  variantsOfPanes,
  withoutVariant,
  withShare,
  withVariant,
} from './ab-values.ts';

const three: AbValues = { ...newAbTest, templateIds: ['b', 'c'], shares: [10, 20, 30], delays: [0, 0, 0], fallback: 2 };

test('a body once all texts are chosen', () => {
  assert.equal(toAbBody(newAbTest, 'a'), null);
  assert.equal(toAbBody(null, 'a'), null);
  assert.deepEqual(toAbBody(three, 'a')?.variants, [
    { templateId: 'a', share: 10, delayMinutes: 0 },
    { templateId: 'b', share: 20, delayMinutes: 0 },
    { templateId: 'c', share: 30, delayMinutes: 0 },
  ]);
});

test('a stored test is read as it was chosen', () => {
  const stored = {
    ...{ rule: 'manual' as const, waitMinutes: 60, fallback: null, winner: null },
    ...{ startTime: null, decideTime: null, askTime: null, decidedTime: null },
    variants: ['a', 'b'].map((templateId) => ({
      templateId,
      templateName: null,
      share: 5,
      delayMinutes: 30,
      taskId: null,
    })),
  };
  const values = valuesOfAbTest(stored);
  assert.deepEqual(values, {
    ...{ templateIds: ['b'], shares: [5, 5], delays: [30, 30] },
    ...{ rule: 'manual', waitMinutes: 60, fallback: null },
  });
});

test('what is wrong with it', () => {
  assert.equal(findAbProblem(null, null), null);
  assert.equal(findAbProblem(newAbTest, 'a'), 'abTemplate');
  assert.equal(findAbProblem({ ...newAbTest, templateIds: ['a'] }, 'a'), 'abSame');
  assert.equal(findAbProblem({ ...newAbTest, templateIds: ['a'], delays: [0, 60] }, 'a'), null);
  assert.equal(findAbProblem(three, 'a'), null);
});

test('a share leaves one percent for the winner, and takes none from the others', () => {
  assert.equal(mostShare(three.shares, 0), 49);
  assert.deepEqual(withShare(three, 0, 80).shares, [49, 20, 30]);
  assert.deepEqual(withShare(three, 2, 0).shares, [10, 20, 1]);
});

test('variants come and go, and the fallback follows its variant', () => {
  const four = withVariant(three);
  assert.deepEqual(
    [four.shares, four.templateIds],
    [
      [10, 20, 30, 30],
      ['b', 'c', null],
    ],
  );
  assert.equal(withVariant(four), four);
  assert.equal(withVariant({ ...three, shares: [49, 25, 25] }).shares.length, 3, 'nothing is left');
  const two = withoutVariant(three, 1);
  assert.deepEqual([two.templateIds, two.shares, two.fallback], [['c'], [10, 30], 1]);
  assert.equal(withoutVariant(three, 2).fallback, 0);
});

test('parts of the recipients add up', () => {
  assert.deepEqual(countParts(12_480, [10, 10]), { parts: [1_248, 1_248], rest: 9_984 });
  assert.deepEqual(countParts(7, [20, 30]), { parts: [1, 3], rest: 3 });
});

test('panes of two percent', () => {
  const panes = variantsOfPanes([10, 11]);
  assert.deepEqual(
    [0, 1, null].map((variant) => panes.filter((each) => each === variant).length),
    [5, 5, 40],
  );
});
