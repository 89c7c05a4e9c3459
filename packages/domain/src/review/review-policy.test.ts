import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsReview, type ReviewQuestion } from './review-policy.ts';

test('each policy requires review exactly where it states', () => {
  const question: ReviewQuestion = { policy: 'always', above: 100, recipients: 100, smsType: 2, hasSentBefore: true };
  const ask = (change: Partial<ReviewQuestion>): boolean => needsReview({ ...question, ...change });
  assert.equal(ask({}), true);
  assert.equal(ask({ policy: 'never' }), false);
  assert.equal(ask({ policy: 'aboveCount' }), false);
  assert.equal(ask({ policy: 'aboveCount', recipients: 101 }), true);
  assert.equal(ask({ policy: 'firstTask' }), false);
  assert.equal(ask({ policy: 'firstTask', hasSentBefore: false }), true);
  assert.equal(ask({ policy: 'marketing' }), false);
  assert.equal(ask({ policy: 'marketing', smsType: 3 }), true);
});
