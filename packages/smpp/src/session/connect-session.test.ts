import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodePdu } from '../codec/encode-pdu.ts';
import { makePdu } from '../codec/make-pdu.ts';
import { integerTlv } from '../codec/tlvs.ts';
import type { ConnectOptions } from './client-types.ts';
import { connectSession } from './connect-session.ts';
import { ManualClock, type RawPeer, rawServer, recordingHandler, until } from './session-fixtures.ts';
import type { ClientHandler, Respond } from './session-types.ts';

const account = { host: '127.0.0.1', mode: 'transceiver', system_id: 'demo', password: 'pass' } as const;

/** Returns a session bound to a peer that the test controls. */
async function bound(
  t: { after(run: () => Promise<void>): void },
  options: Partial<ConnectOptions> = {},
  overrides: Partial<ClientHandler<number>> = {},
) {
  const server = await rawServer();
  t.after(() => server.close());
  const record = recordingHandler(overrides);
  const connecting = connectSession({ ...account, port: server.port, ...options }, record.handler);
  const peer = await server.peer();
  const bind = await peer.expect('bind_transceiver');
  peer.send(makePdu('bind_transceiver_resp', { sequence_number: bind.sequence_number, system_id: 'SMSC' }));
  const result = await connecting;
  assert.ok(result.bound);
  return { peer, session: result.session, result, ...record };
}

function submit(text = 'Hi') {
  return makePdu('submit_sm', { destination_addr: '639171234567', short_message: Buffer.from(text) });
}

async function answer(peer: RawPeer, nth: number, message_id: string): Promise<void> {
  const { sequence_number } = await peer.expect('submit_sm', nth);
  peer.send(makePdu('submit_sm_resp', { sequence_number, message_id }));
}

test('binds as configured, submits, gets the response, and answers enquire_link', async (t) => {
  const { peer, session, of } = await bound(t);
  assert.deepEqual(peer.all('bind_transceiver')[0]?.interface_version, 0x34);
  const sequence = session.send(submit(), 77);
  assert.equal((await peer.expect('submit_sm')).sequence_number, sequence);
  await answer(peer, 1, 'abc');
  await until(() => of('response').length === 1, 'the response');
  assert.deepEqual(of('response')[0], { event: 'response', token: 77, status: 0, messageId: 'abc', late: false });
  peer.send(makePdu('enquire_link', { sequence_number: 0x80000001 }));
  assert.equal((await peer.expect('enquire_link_resp')).sequence_number, 0x80000001);
});

test('C6: a refused bind, a closed port and an ended connection are results with their reason', async (t) => {
  const server = await rawServer();
  t.after(() => server.close());
  const { handler, events } = recordingHandler();
  const refused = connectSession({ ...account, port: server.port }, handler);
  const peer = await server.peer(0);
  const { sequence_number } = await peer.expect('bind_transceiver');
  peer.send(makePdu('bind_transceiver_resp', { sequence_number, command_status: 0x0d }));
  const result = await refused;
  assert.ok(!result.bound);
  assert.deepEqual([result.reason, result.status, result.detail], ['bind_refused', 0x0d, 'ESME_RBINDFAIL']);
  const ended = connectSession({ ...account, port: server.port }, handler);
  (await server.peer(1)).socket.end();
  assert.equal(((await ended) as { reason: string }).reason, 'closed');
  await server.close();
  const failed = await connectSession({ ...account, port: server.port }, handler);
  assert.equal(failed.bound === false && failed.reason, 'connect_failed');
  assert.deepEqual(events, []);
});

test('C6: connecting and the answer to the bind have 10 s each', async (t) => {
  const server = await rawServer();
  t.after(() => server.close());
  const clock = new ManualClock();
  const { handler } = recordingHandler();
  // TLS towards a peer that never begins its handshake is a connection that does not come about.
  const connecting = connectSession({ ...account, port: server.port, clock, tls: {} }, handler);
  await server.peer(0);
  clock.advance(10_000);
  assert.equal(((await connecting) as { reason: string }).reason, 'connect_timeout');
  const binding = connectSession({ ...account, port: server.port, clock }, handler);
  const peer = await server.peer(1);
  await peer.expect('bind_transceiver');
  clock.advance(10_000);
  assert.equal(((await binding) as { reason: string }).reason, 'bind_timeout');
  await peer.expectClosed();
});

for (const window of [1, 7]) {
  test(`C2: never more than ${window} outstanding, and the window is used`, async (t) => {
    let next = 0;
    const total = 60;
    const { peer, session, of } = await bound(t, { window }, { onWindow: () => fill() });
    function fill() {
      while (next < total && session.writableSlots > 0) session.send(submit(), next++);
    }
    fill();
    assert.throws(() => session.send(submit(), 999), /no free slot/);
    let answered = 0;
    let most = 0;
    while (answered < total) {
      await peer.expect('submit_sm', Math.min(answered + window, total));
      const open = peer.all('submit_sm').slice(answered);
      most = Math.max(most, open.length);
      answered += open.length;
      // In another order than they came.
      for (const { sequence_number } of open.reverse())
        peer.send(makePdu('submit_sm_resp', { sequence_number, message_id: 'x' }));
    }
    await until(() => of('response').length === total, 'all responses');
    assert.equal(most, window);
    assert.equal(session.outstanding, 0);
  });
}

test('octets encoded once are sent as often as wanted, each with its own sequence number', async (t) => {
  const { peer, session } = await bound(t);
  const encoded = encodePdu(submit('once'));
  const sequences = [session.sendEncoded(encoded, 1), session.sendEncoded(encoded, 2)];
  await peer.expect('submit_sm', 2);
  assert.deepEqual(
    peer.all('submit_sm').map((pdu) => pdu.sequence_number),
    sequences,
  );
  assert.equal(peer.all('submit_sm')[1]?.short_message.toString(), 'once');
});

test('C7: enquire_link after 30 s of silence, closed after two misses', async (t) => {
  const clock = new ManualClock();
  const { peer, session, of } = await bound(t, { clock });
  clock.advance(29_999);
  assert.equal(peer.all('enquire_link').length, 0);
  clock.advance(1);
  await peer.expect('enquire_link', 1);
  clock.advance(10_000);
  await peer.expect('enquire_link', 2);
  assert.equal(session.isOpen, true);
  clock.advance(10_000);
  assert.deepEqual(of('close'), [{ event: 'close', reason: 'enquire_link_timeout' }]);
  await peer.expectClosed();
});

test('C7: an answered enquire_link keeps the session', async (t) => {
  const clock = new ManualClock();
  const { peer, session } = await bound(t, { clock });
  for (let round = 1; round <= 3; round++) {
    clock.advance(30_000);
    const { sequence_number } = await peer.expect('enquire_link', round);
    const heard = session.counters.pdusIn;
    peer.send(makePdu('enquire_link_resp', { sequence_number }));
    await until(() => session.counters.pdusIn > heard, 'the answer');
  }
  assert.equal(session.isOpen, true);
  assert.equal(session.counters.unexpectedResponses, 0);
});

test('C8: after 60 s the outcome is unknown and the slot free; a late response still settles it', async (t) => {
  const clock = new ManualClock();
  const { peer, session, events, of } = await bound(t, { clock, window: 1, enquireLinkIdleMs: 1e9 });
  session.send(submit(), 5);
  await peer.expect('submit_sm');
  clock.advance(59_999);
  assert.deepEqual(events, []);
  clock.advance(1);
  assert.deepEqual(events, [{ event: 'unknown', token: 5, reason: 'response_timeout' }, { event: 'window' }]);
  assert.equal(session.writableSlots, 1);
  await answer(peer, 1, 'late-id');
  await until(() => of('response').length === 1, 'the late response');
  assert.deepEqual(of('response')[0], { event: 'response', token: 5, status: 0, messageId: 'late-id', late: true });
  await answer(peer, 1, 'again');
  await until(() => session.counters.unexpectedResponses === 1, 'the repeated response to be counted');
});

test('a receipt is answered when its commit is done, however late, and in any order', async (t) => {
  const answers: Respond[] = [];
  const { peer, session } = await bound(t, {}, { onDeliver: (_pdu, respond) => answers.push(respond) });
  peer.send(makePdu('deliver_sm', { sequence_number: 11 }), makePdu('data_sm', { sequence_number: 12 }));
  await until(() => answers.length === 2, 'both');
  assert.equal(peer.all('deliver_sm_resp').length, 0);
  assert.equal(answers[1]?.(), true);
  assert.equal(answers[0]?.(0x08), true);
  assert.equal((await peer.expect('data_sm_resp')).sequence_number, 12);
  const refused = await peer.expect('deliver_sm_resp');
  assert.deepEqual([refused.sequence_number, refused.command_status], [11, 8]);
  session.close();
  assert.equal(answers[0]?.(), false);
});

test('with more than inboundLimit unanswered the stream is not read, and read on afterwards', async (t) => {
  const answers: Respond[] = [];
  const { peer } = await bound(t, { inboundLimit: 3 }, { onDeliver: (_pdu, respond) => answers.push(respond) });
  peer.send(...Array.from({ length: 10 }, (_, i) => makePdu('deliver_sm', { sequence_number: i + 1 })));
  await until(() => answers.length === 3, 'three');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(answers.length, 3);
  for (let i = 0; i < 10; i++) {
    await until(() => answers.length > i, 'the next');
    answers[i]?.();
  }
  await peer.expect('deliver_sm_resp', 10);
});

test('C16: a deliver_sm with a broken TLV is handed over by its mandatory fields, acknowledged and counted', async (t) => {
  const { peer, session, of } = await bound(t);
  const tlvs = [{ tag: 0x001e, value: Buffer.from('42\0') }];
  const broken = encodePdu(
    makePdu('deliver_sm', { esm_class: 4, short_message: Buffer.from('id:42'), sequence_number: 9, tlvs }),
  );
  broken[broken.length - 4] = 0x41;
  peer.socket.write(broken);
  assert.equal((await peer.expect('deliver_sm_resp')).command_status, 0);
  assert.equal(of('deliver').length, 1);
  assert.equal(session.counters.malformed, 1);
});

test('a malformed response settles its request by status, without an id', async (t) => {
  const { peer, session, of } = await bound(t);
  const sequence = session.send(submit(), 3);
  peer.sendHex(`00000012 80000004 00000000 ${sequence.toString(16).padStart(8, '0')} 3939`);
  await until(() => of('response').length === 1, 'the response');
  assert.deepEqual(of('response')[0], { event: 'response', token: 3, status: 0, messageId: undefined, late: false });
});

test('C17: a generic_nack settles its request', async (t) => {
  const { peer, session, of } = await bound(t);
  const sequence_number = session.send(submit(), 4);
  peer.send(makePdu('generic_nack', { sequence_number, command_status: 3 }));
  await until(() => of('response').length === 1, 'the nack');
  assert.deepEqual(of('response')[0], { event: 'response', token: 4, status: 3, messageId: undefined, late: false });
  assert.equal(session.outstanding, 0);
});

test('a response with a wrong sequence number settles nothing and is counted', async (t) => {
  const { peer, session, events } = await bound(t);
  const sequence_number = session.send(submit(), 4);
  peer.send(makePdu('submit_sm_resp', { sequence_number: sequence_number + 500, message_id: 'x' }));
  await until(() => session.counters.unexpectedResponses === 1, 'it to be counted');
  assert.deepEqual(events, []);
  assert.equal(session.outstanding, 1);
});

test('C18: when the peer unbinds, what stays unanswered is unknown, then the session is closed', async (t) => {
  const clock = new ManualClock();
  const { peer, session, events } = await bound(t, { clock });
  session.send(submit(), 1);
  session.send(submit(), 2);
  await peer.expect('submit_sm', 2);
  peer.send(makePdu('unbind', { sequence_number: 50 }));
  await until(() => session.writableSlots === 0, 'the unbind');
  clock.advance(1_000);
  assert.equal((await peer.expect('unbind_resp')).sequence_number, 50);
  await peer.expectClosed();
  assert.deepEqual(events, [
    { event: 'unknown', token: 1, reason: 'session_closed' },
    { event: 'unknown', token: 2, reason: 'session_closed' },
    { event: 'close', reason: 'peer_unbind' },
  ]);
  assert.equal(session.writableSlots, 0);
});

test('C18: a response that comes after the peer’s unbind counts, and the unbind is answered after it', async (t) => {
  const { peer, session, events } = await bound(t);
  session.send(submit(), 1);
  await peer.expect('submit_sm');
  peer.send(makePdu('unbind', { sequence_number: 50 }));
  await until(() => session.writableSlots === 0, 'the unbind');
  await new Promise((resolve) => setImmediate(resolve));
  await answer(peer, 1, 'id');
  await peer.expect('unbind_resp');
  assert.deepEqual(
    events.map((entry) => entry.event),
    ['response', 'close'],
  );
});

for (const how of ['end', 'resetAndDestroy'] as const) {
  test(`C18: likewise when the connection goes by ${how}`, async (t) => {
    const { peer, session, events, of } = await bound(t);
    session.send(submit(), 1);
    await peer.expect('submit_sm');
    peer.socket[how]();
    await until(() => of('close').length === 1, 'the close');
    assert.deepEqual(events[0], { event: 'unknown', token: 1, reason: 'session_closed' });
    assert.equal(events.length, 2);
  });
}

test('C19: a graceful stop sends nothing more, waits for the answers, unbinds and closes', async (t) => {
  const { peer, session, events } = await bound(t);
  session.send(submit(), 1);
  await peer.expect('submit_sm');
  const stopped = session.stop();
  assert.equal(session.writableSlots, 0);
  assert.throws(() => session.send(submit(), 2));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(peer.all('unbind').length, 0);
  await answer(peer, 1, 'id');
  const { sequence_number } = await peer.expect('unbind');
  peer.send(makePdu('unbind_resp', { sequence_number }));
  await stopped;
  assert.deepEqual(
    events.map((entry) => entry.event),
    ['response', 'close'],
  );
  await peer.expectClosed();
});

test('C19: a stop waits no longer than its grace, and no longer than the unbind timeout for the peer', async (t) => {
  const clock = new ManualClock();
  const { peer, session, events } = await bound(t, { clock });
  session.send(submit(), 1);
  await peer.expect('submit_sm');
  const stopped = session.stop(2_000);
  clock.advance(2_000);
  await peer.expect('unbind');
  clock.advance(5_000);
  await stopped;
  assert.deepEqual(events, [
    { event: 'unknown', token: 1, reason: 'session_closed' },
    { event: 'close', reason: 'stopped' },
  ]);
});

test('a stop crossed by the peer’s unbind ends as well', async (t) => {
  const { peer, session } = await bound(t);
  session.send(submit(), 1);
  await peer.expect('submit_sm');
  const stopped = session.stop();
  peer.send(makePdu('unbind', { sequence_number: 1 }));
  await stopped;
  await peer.expect('unbind_resp');
});

test('C21: alert_notification and outbind are ignored', async (t) => {
  const { peer, events } = await bound(t);
  peer.send(makePdu('alert_notification', { sequence_number: 1 }), makePdu('outbind', { sequence_number: 2 }));
  peer.send(makePdu('enquire_link', { sequence_number: 3 }));
  await peer.expect('enquire_link_resp');
  assert.deepEqual(
    peer.received.map((pdu) => pdu.command),
    ['bind_transceiver', 'enquire_link_resp'],
  );
  assert.deepEqual(events, []);
});

test('K2: a broken stream is nacked with 0x02 and closed', async (t) => {
  const { peer, of } = await bound(t);
  peer.sendHex('0000000f 00000015 00000000 00000001');
  const nack = await peer.expect('generic_nack');
  assert.equal(nack.command_status, 2);
  await peer.expectClosed();
  assert.equal(of('close')[0]?.reason, 'broken_stream');
});

test('K3: an unknown request is nacked with 0x03 and its number, an unknown response ignored', async (t) => {
  const { peer, session } = await bound(t);
  peer.sendHex('00000010 80000110 00000000 00000006  00000010 00000110 00000000 00000007');
  const nack = await peer.expect('generic_nack');
  assert.deepEqual([nack.command_status, nack.sequence_number], [3, 7]);
  assert.equal(session.counters.unknownCommands, 2);
  assert.equal(session.isOpen, true);
});

test('the name and version of the SMSC are reported', async (t) => {
  const server = await rawServer();
  t.after(() => server.close());
  const connecting = connectSession({ ...account, port: server.port, mode: 'receiver' }, recordingHandler().handler);
  const peer = await server.peer();
  const { sequence_number } = await peer.expect('bind_receiver');
  const tlvs = [integerTlv('sc_interface_version', 0x34)];
  // A receipt in the same packet as the response is not lost.
  peer.send(
    makePdu('bind_receiver_resp', { sequence_number, system_id: 'SMSC', tlvs }),
    makePdu('deliver_sm', { sequence_number: 1 }),
  );
  const result = await connecting;
  assert.ok(result.bound);
  assert.deepEqual([result.peerSystemId, result.peerInterfaceVersion], ['SMSC', 0x34]);
  await peer.expect('deliver_sm_resp');
});

test('a cancelled attempt ends immediately', async (t) => {
  const server = await rawServer();
  t.after(() => server.close());
  const abort = new AbortController();
  const connecting = connectSession(
    { ...account, port: server.port, signal: abort.signal },
    recordingHandler().handler,
  );
  const peer = await server.peer();
  await peer.expect('bind_transceiver');
  abort.abort();
  assert.equal(((await connecting) as { reason: string }).reason, 'aborted');
  await peer.expectClosed();
});
