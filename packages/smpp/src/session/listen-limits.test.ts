import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePdu } from '../codec/make-pdu.ts';
import { STATUS } from '../codec/statuses.ts';
import { WIRE_VECTORS, wireOctets } from '../codec/wire-vectors.ts';
import { listenSmpp } from './listen-smpp.ts';
import { parseProxyHeader } from './proxy-header.ts';
import type { BindRequest, ListenOptions } from './server-types.ts';
import { ManualClock, rawClient, until } from './session-fixtures.ts';

async function listen(t: { after(work: () => unknown): void }, more: Partial<ListenOptions<number>> = {}) {
  const binds: BindRequest[] = [];
  const server = await listenSmpp<number>({
    host: '127.0.0.1',
    port: 0,
    system_id: 'smsc',
    onBind(request) {
      binds.push(request);
      const handler = { onRequest() {}, onResponse() {}, onUnknown() {}, onClose() {} };
      return { accept: true, handler };
    },
    ...more,
  });
  t.after(() => server.close());
  return { server, binds };
}

const bind = makePdu('bind_transceiver', { system_id: 'demo', password: 'pass', interface_version: 0x34 });

test('S46 of one address only so many connections may be unbound, and a bind makes room for another', async (t) => {
  const { server } = await listen(t, { maxUnboundPerAddress: 2, maxUnbound: 3 });
  const [first] = [await rawClient(server.port), await rawClient(server.port)];
  await until(() => server.unboundCount === 2, 'two connections');
  await (await rawClient(server.port)).expectClosed();
  first.send(bind);
  await first.expect('bind_transceiver_resp');
  assert.equal(server.unboundCount, 1);
  const another = await rawClient(server.port);
  another.send(bind);
  assert.equal((await another.expect('bind_transceiver_resp')).command_status, STATUS.ESME_ROK);
});

test('S47 a PDU that is begun and not completed ends the session, one that comes in pieces does not', async (t) => {
  const clock = new ManualClock();
  const { server } = await listen(t, { clock });
  const slow = await rawClient(server.port);
  slow.send(bind);
  await slow.expect('bind_transceiver_resp');
  slow.sendHex('00000010 00000015 0000');
  await until(() => slow.socket.bytesWritten > 0, 'the piece to be written');
  await new Promise((resolve) => setTimeout(resolve, 50));
  clock.advance(9_000);
  slow.sendHex('0000 00000001');
  await slow.expect('enquire_link_resp');
  slow.sendHex('00000010 00000015 0000');
  await new Promise((resolve) => setTimeout(resolve, 50));
  clock.advance(10_000);
  await slow.expectClosed();
});

test('S49 the address is that of a PROXY header from a balancer alone', async (t) => {
  const behind = await listen(t, { isProxy: () => true });
  const texts = await rawClient(behind.server.port);
  texts.socket.write('PROXY TCP4 192.0.2.7 198.51.100.1 56324 2775\r\n');
  texts.send(bind);
  await texts.expect('bind_transceiver_resp');
  assert.partialDeepStrictEqual(behind.binds, [{ clientIp: '192.0.2.7', clientPort: 56324 }]);
  const binary = await rawClient(behind.server.port);
  binary.sendHex('0d0a0d0a000d0a515549540a 21 11 000c c0000208 c6336401 dc04 0ad7');
  binary.send(bind);
  await binary.expect('bind_transceiver_resp');
  assert.equal(behind.binds[1]?.clientIp, '192.0.2.8');
  const without = await rawClient(behind.server.port);
  without.send(bind);
  await without.expectClosed();

  const direct = await listen(t);
  const forged = await rawClient(direct.server.port);
  forged.socket.write('PROXY TCP4 192.0.2.7 198.51.100.1 56324 2775\r\n');
  forged.send(bind);
  await forged.expectClosed();
  assert.deepEqual(direct.binds, []);
});

test('PROXY headers are read octet by octet, and anything else is no header', () => {
  const text = Buffer.from('PROXY TCP6 2001:db8::1 2001:db8::2 1000 2775\r\nrest');
  for (let length = 1; length < text.indexOf('\n') + 1; length++)
    assert.equal(parseProxyHeader(text.subarray(0, length)).kind, 'more');
  assert.deepEqual(parseProxyHeader(text), {
    kind: 'header',
    octets: text.length - 4,
    source: { address: '2001:db8::1', port: 1000 },
  });
  const v6 = Buffer.from(
    `0d0a0d0a000d0a515549540a21210024${'20010db8'.padEnd(32, '0')}${'0'.repeat(32)}03e80ad7`,
    'hex',
  );
  assert.deepEqual(parseProxyHeader(v6), {
    kind: 'header',
    octets: 52,
    source: { address: '2001:db8:0:0:0:0:0:0', port: 1000 },
  });
  for (const bad of [
    'GET / HTTP',
    'PROXY TCP4 a b 1 2\r\n',
    'PROXY TCP4 1.2.3.4 5.6.7.8 1\r\n',
    `PROXY TCP4 ${'1'.repeat(120)}`,
  ])
    assert.equal(parseProxyHeader(Buffer.from(bad)).kind, 'bad', bad);
  assert.deepEqual(parseProxyHeader(Buffer.from('PROXY UNKNOWN\r\n')), {
    kind: 'header',
    octets: 15,
    source: undefined,
  });
});

/** Bodies that are cut, too long or not of their fields, in addition to the vectors of the standard. */
const SPOILED = [
  '00000010 00000004 00000000 00000007',
  '00000013 00000004 00000000 00000007 00 05 00',
  '00000010 00000110 00000000 00000007',
  '00000010 80000110 00000000 00000007',
  `00000030 00000103 00000000 0000000a 00 00 00 3100 00 00 3200 00 01 00 0424 00ff ${'48'.repeat(14)}`,
];

test('S45 after any PDU, of the standard or spoiled, bound or not, enquire_link is answered or the connection is closed', async (t) => {
  const { server } = await listen(t);
  for (const octets of [
    ...WIRE_VECTORS.map(wireOctets),
    ...SPOILED.map((hex) => Buffer.from(hex.replaceAll(' ', ''), 'hex')),
  ])
    for (const isBound of [false, true]) {
      const peer = await rawClient(server.port);
      if (isBound) {
        peer.send(bind);
        await peer.expect('bind_transceiver_resp');
      }
      peer.socket.write(octets);
      peer.send(makePdu('enquire_link', { sequence_number: 4_711 }));
      const isAlive = () => peer.all('enquire_link_resp').some((pdu) => pdu.sequence_number === 4_711);
      await until(() => isAlive() || peer.closed, `an answer after ${octets.toString('hex')}`);
      peer.socket.destroy();
    }
  for (const length of [0, 4, 15, 0x7fffffff, 65_537]) {
    const peer = await rawClient(server.port);
    peer.sendHex(length.toString(16).padStart(8, '0'));
    await peer.expectClosed();
    assert.equal((await peer.expect('generic_nack')).command_status, STATUS.ESME_RINVCMDLEN);
  }
});
