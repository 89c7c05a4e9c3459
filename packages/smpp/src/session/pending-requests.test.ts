import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InboundRequests } from './inbound-requests.ts';
import { PendingRequests } from './pending-requests.ts';

function request(token: number, dueAt = 100) {
  return { token, control: undefined, response: 'submit_sm_resp' as const, dueAt };
}

test('K6: after 0x7FFFFFFF comes 1, and numbers still pending or overdue are passed over', () => {
  const pending = new PendingRequests<number>(0x7ffffffe);
  assert.equal(pending.nextSequence(), 0x7fffffff);
  pending.add(1, request(1, 10));
  pending.add(2, request(2, 99));
  pending.takeDue(10);
  assert.equal(pending.nextSequence(), 3);
});

test('C8: an answer after its time is still recognised, once', () => {
  const pending = new PendingRequests<number>();
  pending.add(5, request(7, 10));
  assert.deepEqual(
    pending.takeDue(10).map((due) => due.token),
    [7],
  );
  assert.equal(pending.size, 0);
  assert.equal(pending.take(5, 'submit_sm_resp')?.late, true);
  assert.equal(pending.take(5, 'submit_sm_resp'), undefined);
});

test('an answer of another kind settles nothing, a generic_nack settles any', () => {
  const pending = new PendingRequests<number>();
  pending.add(5, request(7));
  assert.equal(pending.take(5, 'data_sm_resp'), undefined);
  assert.equal(pending.take(6, 'submit_sm_resp'), undefined);
  assert.equal(pending.take(5, 'generic_nack')?.request.token, 7);
});

test('requests of the session itself take no slot', () => {
  const pending = new PendingRequests<number>();
  pending.add(1, { ...request(1), token: undefined, control: () => {} });
  assert.equal(pending.size, 0);
  pending.add(2, request(2));
  assert.equal(pending.size, 1);
  pending.take(1, 'submit_sm_resp');
  assert.equal(pending.size, 1);
});

test('a peer that uses one sequence number for everything gets every answer', () => {
  const inbound = new InboundRequests();
  inbound.add(0, 'submit_sm');
  inbound.add(0, 'query_sm');
  inbound.add(0, 'submit_sm');
  assert.equal(inbound.size, 3);
  assert.deepEqual([inbound.take(0), inbound.take(0), inbound.take(0)], ['submit_sm', 'query_sm', 'submit_sm']);
  assert.equal(inbound.take(0), undefined);
  assert.equal(inbound.size, 0);
});
