import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResponseName } from '../codec/field-specs.ts';
import { makePdu } from '../codec/make-pdu.ts';
import { readIntegerTlv } from '../codec/tlvs.ts';
import { listenSmpp } from './listen-smpp.ts';
import type { ListenOptions, ServerRequest, ServerSession } from './server-types.ts';
import { ManualClock, type RawPeer, rawClient, until } from './session-fixtures.ts';

async function started(t: { after(run: () => Promise<void>): void }, options: Partial<ListenOptions<number>> = {}) {
  const requests: { pdu: ServerRequest; session: ServerSession<number> }[] = [];
  const events: string[] = [];
  const server = await listenSmpp<number>({
    host: '127.0.0.1',
    port: 0,
    system_id: 'SMSC',
    onBind: ({ pdu }) =>
      pdu.password === 'pass'
        ? {
            accept: true,
            handler: {
              onRequest: (request, session) => requests.push({ pdu: request, session }),
              onResponse: (token, status) => events.push(`response ${token} ${status}`),
              onUnknown: (token, reason) => events.push(`unknown ${token} ${reason}`),
              onClose: (reason) => events.push(`close ${reason}`),
            },
          }
        : { accept: false, status: 0x0e },
    ...options,
  });
  t.after(() => server.close());
  return { server, requests, events };
}

async function bind(peer: RawPeer, mode: 'transceiver' | 'receiver' = 'transceiver') {
  peer.send(
    makePdu(`bind_${mode}`, { sequence_number: 1, system_id: 'demo', password: 'pass', interface_version: 0x34 }),
  );
  return peer.expect(`bind_${mode}_resp`);
}

test('accepts a bind with its name and version, and answers submits later and in any order', async (t) => {
  const { server, requests } = await started(t);
  const peer = await rawClient(server.port);
  const response = await bind(peer);
  assert.deepEqual([response.command_status, response.system_id], [0, 'SMSC']);
  assert.equal(readIntegerTlv(response.tlvs, 'sc_interface_version'), 0x34);
  peer.send(makePdu('submit_sm', { sequence_number: 5 }), makePdu('submit_sm', { sequence_number: 0x80000006 }));
  await until(() => requests.length === 2, 'both');
  const { session } = requests[0]!;
  assert.equal(session.respondSubmit(0x80000006, 0, '1002'), true);
  assert.equal(session.respond(5, 0x14), true);
  assert.equal(session.respond(5, 0), false);
  await peer.expect('submit_sm_resp', 2);
  assert.deepEqual(
    peer.all('submit_sm_resp').map((pdu) => [pdu.sequence_number, pdu.command_status, pdu.message_id]),
    [
      [0x80000006, 0, '1002'],
      [5, 0x14, undefined],
    ],
  );
});

test('a refused bind may be tried again on the same connection, a second one is refused with 0x05', async (t) => {
  const { server } = await started(t);
  const peer = await rawClient(server.port);
  peer.send(makePdu('bind_transceiver', { sequence_number: 1, system_id: 'demo', password: 'wrong' }));
  assert.equal((await peer.expect('bind_transceiver_resp')).command_status, 0x0e);
  peer.send(makePdu('bind_transceiver', { sequence_number: 2, system_id: 'demo', password: 'pass' }));
  assert.equal((await peer.expect('bind_transceiver_resp', 2)).command_status, 0);
  peer.send(makePdu('bind_transceiver', { sequence_number: 3, system_id: 'demo', password: 'pass' }));
  assert.equal((await peer.expect('bind_transceiver_resp', 3)).command_status, 5);
});

test('before the bind everything but bind, unbind and enquire_link is 0x04', async (t) => {
  const { server, requests } = await started(t);
  const peer = await rawClient(server.port);
  peer.send(makePdu('submit_sm', { sequence_number: 1 }), makePdu('enquire_link', { sequence_number: 2 }));
  assert.equal((await peer.expect('submit_sm_resp')).command_status, 4);
  await peer.expect('enquire_link_resp');
  assert.equal(requests.length, 0);
});

test('a receiver may not submit: 0x04', async (t) => {
  const { server } = await started(t);
  const peer = await rawClient(server.port);
  await bind(peer, 'receiver');
  peer.send(makePdu('submit_sm', { sequence_number: 2 }));
  assert.equal((await peer.expect('submit_sm_resp')).command_status, 4);
});

test('an ESME not bound within 5 s is disconnected; before the bind no PDU is longer than 1 KiB', async (t) => {
  const clock = new ManualClock();
  const { server } = await started(t, { clock });
  const idle = await rawClient(server.port);
  await until(() => server.connectionCount === 1, 'the connection');
  clock.advance(5_000);
  await idle.expectClosed();
  const long = await rawClient(server.port);
  long.sendHex('00000401 00000002 00000000 00000001');
  assert.equal((await long.expect('generic_nack')).command_status, 2);
  await long.expectClosed();
});

test('what follows a bind in the same packet waits for its decision', async (t) => {
  const decision = Promise.withResolvers<void>();
  const { server, requests } = await started(t, {
    onBind: async () => {
      await decision.promise;
      return {
        accept: true,
        handler: {
          onRequest: (pdu, session) => requests.push({ pdu, session }),
          onResponse() {},
          onUnknown() {},
          onClose() {},
        },
      };
    },
  });
  const peer = await rawClient(server.port);
  peer.send(makePdu('bind_transmitter', { sequence_number: 1 }), makePdu('submit_sm', { sequence_number: 2 }));
  await until(() => server.connectionCount === 1, 'the connection');
  decision.resolve();
  await until(() => requests.length === 1, 'the submit');
  assert.equal(requests[0]?.session.mode, 'transmitter');
});

test('beyond the in-flight limit the socket is not read, and nothing is refused', async (t) => {
  const { server, requests } = await started(t, { inboundLimit: 4 });
  const peer = await rawClient(server.port);
  await bind(peer);
  peer.send(...Array.from({ length: 20 }, (_, i) => makePdu('submit_sm', { sequence_number: i + 10 })));
  await until(() => requests.length === 4, 'four');
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(requests.length, 4);
  for (let i = 0; i < 20; i++) {
    await until(() => requests.length > i, 'the next');
    const { session, pdu } = requests[i]!;
    session.respondSubmit(pdu.sequence_number, 0, String(i));
  }
  await peer.expect('submit_sm_resp', 20);
  assert.ok(peer.all('submit_sm_resp').every((pdu) => pdu.command_status === 0));
});

test('unbind: pending responses first, then unbind_resp, then the end', async (t) => {
  const { server, requests, events } = await started(t);
  const peer = await rawClient(server.port);
  await bind(peer);
  peer.send(makePdu('submit_sm', { sequence_number: 2 }), makePdu('unbind', { sequence_number: 3 }));
  await until(() => requests.length === 1, 'the submit');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(peer.all('unbind_resp').length, 0);
  requests[0]!.session.respondSubmit(2, 0, '9');
  await peer.expectClosed();
  assert.deepEqual(peer.received.map((pdu) => pdu.command).slice(1), ['submit_sm_resp', 'unbind_resp']);
  assert.deepEqual(events, ['close peer_unbind']);
});

test('malformed PDUs get their status and the session goes on', async (t) => {
  const { server } = await started(t);
  const peer = await rawClient(server.port);
  await bind(peer);
  const cases: [hex: string, response: ResponseName, status: number][] = [
    ['00000014 00000004 00000000 00000010 00010100', 'submit_sm_resp', 0xc2],
    ['00000010 00000103 00000000 00000011', 'data_sm_resp', 0xc2],
    ['00000012 00000003 00000000 00000012 4142', 'query_sm_resp', 0xc2],
  ];
  for (const [hex, response, status] of cases) {
    peer.sendHex(hex);
    assert.equal((await peer.expect(response)).command_status, status);
  }
  peer.send(makePdu('enquire_link', { sequence_number: 99 }));
  await peer.expect('enquire_link_resp');
});

test('K2: once bound, a command_length over 64 KiB or below 16 is nacked with 0x02 at its fourth octet, and the end comes within 1 s', async (t) => {
  // A stopped clock: closing waits for no timer at all, however long this machine takes.
  const { server, events } = await started(t, { clock: new ManualClock() });
  for (const hex of ['00010001', '0000000f', 'ffffffff']) {
    const peer = await rawClient(server.port);
    await bind(peer);
    peer.sendHex(hex);
    assert.equal((await peer.expect('generic_nack')).command_status, 2);
    await peer.expectClosed();
    assert.equal(events.at(-1), 'close broken_stream');
  }
});

test('K3: an unknown request is nacked with 0x03 and its number, an unknown response ignored and counted', async (t) => {
  const { server, requests } = await started(t);
  const peer = await rawClient(server.port);
  await bind(peer);
  peer.sendHex('00000012 00000110 00000000 80000007 abcd  00000010 80000110 00000000 00000008');
  const nack = await peer.expect('generic_nack');
  assert.deepEqual([nack.command_status, nack.sequence_number], [3, 0x80000007]);
  peer.send(makePdu('submit_sm', { sequence_number: 9 }));
  await until(() => requests.length === 1, 'the submit');
  assert.equal(requests[0]?.session.counters.unknownCommands, 2);
  assert.equal(peer.all('generic_nack').length, 1);
});

test('receipts are sent in a window and their responses are reported', async (t) => {
  const { server, requests, events } = await started(t, { window: 2 });
  const peer = await rawClient(server.port);
  await bind(peer);
  peer.send(makePdu('query_sm', { sequence_number: 2, message_id: '1' }));
  await until(() => requests.length === 1, 'a session');
  const { session } = requests[0]!;
  session.respond(2, 0, { message_id: '1', message_state: 2 });
  assert.equal((await peer.expect('query_sm_resp')).message_state, 2);
  session.send(makePdu('deliver_sm'), 1);
  session.send(makePdu('deliver_sm'), 2);
  assert.equal(session.writableSlots, 0);
  await peer.expect('deliver_sm', 2);
  for (const { sequence_number } of peer.all('deliver_sm')) peer.send(makePdu('deliver_sm_resp', { sequence_number }));
  await until(() => events.length === 2, 'both answers');
  assert.deepEqual(events, ['response 1 0', 'response 2 0']);
});

test('stopping the server unbinds every session', async (t) => {
  const { server } = await started(t);
  const peers = await Promise.all([rawClient(server.port), rawClient(server.port)]);
  for (const peer of peers) await bind(peer);
  const stopped = server.stop();
  for (const peer of peers) {
    const { sequence_number } = await peer.expect('unbind');
    peer.send(makePdu('unbind_resp', { sequence_number }));
  }
  await stopped;
  assert.equal(server.connectionCount, 0);
});

test('a peer that reads nothing is cut off after 60 s, and the buffer stays bounded', async (t) => {
  const clock = new ManualClock();
  const { server, requests, events } = await started(t, {
    clock,
    window: 1_000_000,
    inactivityTimeoutMs: 0,
    enquireLinkIdleMs: 1e9,
    maxBufferedOctets: 100_000,
  });
  const peer = await rawClient(server.port);
  await bind(peer);
  peer.send(makePdu('query_sm', { sequence_number: 2 }));
  await until(() => requests.length === 1, 'a session');
  peer.socket.pause();
  const { session } = requests[0]!;
  const short_message = Buffer.alloc(250);
  let sent = 0;
  while (session.writableSlots > 0 && sent < 200_000) {
    session.send(makePdu('deliver_sm', { short_message }), sent++);
    if (sent % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(sent < 200_000, 'it stopped by itself');
  clock.advance(60_000);
  assert.equal(events.at(-1), 'close slow_reader');
});
