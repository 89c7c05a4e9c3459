import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReviewReason } from '@pahatid/contract/enums';
import { isSpanOf, reviewReasons, suggestSpan } from './review-reasons.ts';

test('each reason applies somewhere, and free text applies everywhere', () => {
  for (const reason of Object.values(ReviewReason))
    assert.ok(
      Object.values(reviewReasons).some((each) => each.includes(reason)),
      reason,
    );
  for (const each of Object.values(reviewReasons)) assert.equal(each.at(-1), ReviewReason.Other);
  assert.ok(!reviewReasons.sender.includes(ReviewReason.UnsubscribeMissing));
  assert.ok(!reviewReasons.template.includes(ReviewReason.FileMismatch));
});

test('a reason suggests the position of the matching finding', () => {
  const findings = [
    { code: 'FORCES_UNICODE', from: 0, to: 1 },
    { code: 'UNSUBSCRIBE_LINE_MISSING', from: 9, to: 9 },
    { code: 'LINK_PRESENT', from: 3, to: 12 },
  ];
  assert.deepEqual(suggestSpan(ReviewReason.LinkUnsafe, findings), { from: 3, to: 12 });
  assert.equal(suggestSpan(ReviewReason.UnsubscribeMissing, findings), null, 'a place that holds nothing is none');
  assert.equal(suggestSpan(ReviewReason.Other, findings), null);
});

test('a place lies in its text, holds something and cuts no character in two', () => {
  assert.ok(isSpanOf('a😀b', { from: 1, to: 3 }));
  for (const [from, to] of [
    [0, 0],
    [2, 1],
    [0, 5],
    [2, 4],
    [0, 2],
  ] as const)
    assert.ok(!isSpanOf('a😀b', { from, to }), `${from}-${to}`);
});
