import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus } from '@pahatid/contract/enums';
import { getReceiptColumn, raisesClientStatus } from './message-states.ts';
import { readReceiptStatus, statOfMessageState } from './receipt-status.ts';
import { readSubmitStatus, type SubmitClass, statusCodeText } from './submit-status.ts';

test('the first final state wins, unknown is corrected, and delivered corrects all but blocked', () => {
  const { Accepted, Submitted, Delivered, Undelivered, Expired, Rejected, Unknown, Blocked } = ClientStatus;
  const order = [[Accepted], [Submitted], [Unknown], [Undelivered, Expired, Rejected], [Delivered], [Blocked]];
  for (const [low, from] of order.entries())
    for (const [high, to] of order.entries())
      for (const a of from) for (const b of to) assert.equal(raisesClientStatus(a, b), high > low, `${a} to ${b}`);
});

const golden: Record<SubmitClass, number[]> = {
  accepted: [0x00],
  throttled: [0x58],
  queueFull: [0x14],
  temporary: [0x08, 0x45, 0x64, 0xff, 0x400, 0x4ff, 0x99],
  bindFatal: [0x04, 0x05, 0x0d, 0x0e, 0x0f, 0x53],
  permanent: [
    ...[0x01, 0x02, 0x03, 0x06, 0x07, 0x0a, 0x0b, 0x0c, 0x11, 0x13, 0x15, 0x33, 0x34, 0x40, 0x42, 0x43, 0x44, 0x48],
    ...[0x49, 0x50, 0x51, 0x54, 0x55, 0x61, 0x62, 0x63, 0x65, 0x66, 0x67, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xfe],
  ],
};

test('every status of the standard has its class, and an unrecognized one is temporary', () => {
  for (const [kind, statuses] of Object.entries(golden))
    for (const status of statuses) assert.equal(readSubmitStatus(status).class, kind, statusCodeText(status));
  assert.ok(Object.values(golden).flat().length >= 40);
  assert.equal(readSubmitStatus(0x0b).dealResult, 'REFUSED_INVALID_DESTINATION');
  assert.equal(readSubmitStatus(0x400, { 1024: 'permanent' }).class, 'permanent');
});

test('stat values are read in any case; an unrecognized one is unknown, never failed', () => {
  assert.equal(readReceiptStatus(' delivrd').clientStatus, ClientStatus.Delivered);
  for (const word of ['UNDELIV', 'FAILED', 'DELETED', 'SYSERR', 'NOCRED'])
    assert.equal(readReceiptStatus(word).clientStatus, ClientStatus.Undelivered);
  assert.equal(readReceiptStatus('REJECTD').clientStatus, ClientStatus.Rejected);
  for (const word of ['ENROUTE', 'ACCEPTD', 'BUFFRED', 'ACKED', 'SCHEDULED'])
    assert.equal(readReceiptStatus(word).final, false);
  assert.equal(readReceiptStatus('ACCEPTD', { acceptdIsFinal: true }).clientStatus, ClientStatus.Delivered);
  assert.deepEqual(readReceiptStatus('WHATEVER'), {
    clientStatus: ClientStatus.Unknown,
    dealResult: 'UNKNOWN',
    final: true,
    known: false,
  });
  assert.equal(statOfMessageState(2), 'DELIVRD');
  assert.equal(statOfMessageState(200), null);
  assert.equal(getReceiptColumn(ClientStatus.Rejected), 'fail');
});
