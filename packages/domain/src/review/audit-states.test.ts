import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuditStatus } from '@pahatid/contract/enums';
import { type AuditAction, isSenderSendable, isTemplateSendable, nextAuditStatus } from './audit-states.ts';

test('only pending items can be decided, and every revision needs a new review', () => {
  const { Pending, Approved, Rejected, NotRequired } = AuditStatus;
  const expected: Record<AuditAction, Array<AuditStatus | null>> = {
    approve: [Approved, null, null, null],
    reject: [Rejected, null, null, null],
    revise: [Pending, Pending, Pending, Pending],
    reviseExempt: [NotRequired, NotRequired, NotRequired, NotRequired],
  };
  for (const [action, nexts] of Object.entries(expected) as Array<[AuditAction, Array<AuditStatus | null>]>) {
    const actual = [Pending, Approved, Rejected, NotRequired].map((from) => nextAuditStatus(from, action));
    assert.deepEqual(actual, nexts, action);
  }
});

test('a template sends by its newest version or by one that goes on serving', () => {
  assert.equal(isTemplateSendable({ auditStatus: 1, servingVersion: null }), true);
  assert.equal(isTemplateSendable({ auditStatus: 3, servingVersion: null }), true);
  assert.equal(isTemplateSendable({ auditStatus: 0, servingVersion: null }), false);
  assert.equal(isTemplateSendable({ auditStatus: 0, servingVersion: 2 }), true);
  assert.equal(isTemplateSendable({ auditStatus: 2, servingVersion: null }), false);
});

test('a sender ID sends only while reviewed and enabled', () => {
  assert.equal(isSenderSendable({ auditStatus: 1, useState: 1 }), true);
  assert.equal(isSenderSendable({ auditStatus: 3, useState: 1 }), true);
  assert.equal(isSenderSendable({ auditStatus: 1, useState: 0 }), false);
  assert.equal(isSenderSendable({ auditStatus: 0, useState: 1 }), false);
});
