/** A trial bind reports its result, for each possible outcome of a bind, and shows no password. */
import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { startSimulator } from '@pahatid/carrier-simulator';
import { COMMAND_ID, encodePdu, listenSmpp, makePdu, STATUS } from '@pahatid/smpp';
import { freePort, startStopwatch } from '@pahatid/testkit';
import { testBind } from './test-bind.ts';

const simulator = await startSimulator({ port: 0 });
const servers: Server[] = [];
after(async () => {
  for (const server of servers) server.close();
  await simulator.stop();
});

/** A scripted peer on a separate socket. */
const peer = async (onSocket: (socket: Socket) => void): Promise<number> => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onSocket(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
};

const options = {
  host: '127.0.0.1',
  port: simulator.port,
  tls: false,
  mode: 'transceiver',
  systemId: 'globe',
  password: 'globepw',
  systemType: '',
  timeoutMs: 400,
} as const;
const spoken = (trace: readonly { direction: string; command: string; statusName: string | null }[]) =>
  trace.map(({ direction, command, statusName }) => `${direction} ${command}${statusName ? ` ${statusName}` : ''}`);

test('a bind to the simulator: bound, checked with enquire_link, unbound; no session remains', async () => {
  for (const mode of ['transceiver', 'transmitter'] as const) {
    const result = await testBind({ ...options, mode });
    assert.partialDeepStrictEqual(result, {
      outcome: 'bound',
      bindType: mode,
      status: 0,
      statusName: 'ESME_ROK',
      peerInterfaceVersion: 0x34,
    });
    assert.deepEqual(spoken(result.trace), [
      `out bind_${mode}`,
      `in bind_${mode}_resp ESME_ROK`,
      'out enquire_link',
      'in enquire_link_resp ESME_ROK',
      'out unbind',
      'in unbind_resp ESME_ROK',
    ]);
    assert.ok(result.trace.every(({ atMs }, n) => atMs >= (result.trace[n - 1]?.atMs ?? 0)));
  }
  assert.equal(simulator.carrier('globe').counters().binds, 0);
});

test('the password is in no octet of the trace, at any length, even if the peer echoes it', async () => {
  const { trace } = await testBind(options);
  const shown = JSON.stringify(trace);
  assert.ok(!shown.includes(Buffer.from('globepw').toString('hex')) && !shown.includes('globepw'));
  assert.ok(trace[0]?.hex.includes(Buffer.from('********').toString('hex')));
  const port = await peer((socket) =>
    socket.on('data', (chunk) => {
      const answer = Buffer.from(chunk);
      answer.writeUInt32BE(0x80000009, 4);
      socket.write(answer);
    }),
  );
  const echoed = await testBind({ ...options, port, password: 'Xq7!secr' });
  const text = JSON.stringify(echoed);
  assert.ok(echoed.trace.length >= 2);
  assert.ok(!text.includes('Xq7!secr') && !text.includes(Buffer.from('Xq7!secr').toString('hex')), text);
});

test('a wrong password and an unknown system id are refused with the carrier’s own status', async () => {
  const wrong = await testBind({ ...options, password: 'no' });
  assert.partialDeepStrictEqual(wrong, { outcome: 'refused', status: 0x0e, statusName: 'ESME_RINVPASWD' });
  assert.deepEqual(spoken(wrong.trace), ['out bind_transceiver', 'in bind_transceiver_resp ESME_RINVPASWD']);
  const unknown = await testBind({ ...options, systemId: 'nobody' });
  assert.partialDeepStrictEqual(unknown, { outcome: 'refused', status: 0x0f, statusName: 'ESME_RINVSYSID' });
});

test('bind failed (0x0D), a status of the carrier’s own and a generic_nack are refusals too', async (t) => {
  let status: number = STATUS.ESME_RBINDFAIL;
  const server = await listenSmpp({
    host: '127.0.0.1',
    port: 0,
    system_id: 'x',
    onBind: () => ({ accept: false, status }),
  });
  t.after(() => server.stop(0));
  assert.partialDeepStrictEqual(await testBind({ ...options, port: server.port }), {
    outcome: 'refused',
    status: 0x0d,
  });
  status = 0x0405;
  assert.partialDeepStrictEqual(await testBind({ ...options, port: server.port }), {
    outcome: 'refused',
    status: 0x0405,
    statusName: '0x00000405',
  });
  const nack = await peer((socket) =>
    socket.once('data', () => socket.write(Buffer.from('00000010800000000000000300000001', 'hex'))),
  );
  assert.partialDeepStrictEqual(await testBind({ ...options, port: nack }), { outcome: 'refused', status: 3 });
});

test('no host, a peer that is silent, one that hangs up, one with another protocol', async () => {
  const refused = await testBind({ ...options, port: await freePort() });
  assert.partialDeepStrictEqual(refused, { outcome: 'connectionRefused', detail: 'ECONNREFUSED', trace: [] });
  const missing = await testBind({ ...options, host: 'smsc.pahatid.invalid', timeoutMs: 3_000 });
  assert.ok(['hostNotFound', 'connectTimeout'].includes(missing.outcome), missing.outcome);
  const watch = startStopwatch();
  const silent = await testBind({ ...options, port: await peer(() => {}) });
  assert.partialDeepStrictEqual(silent, { outcome: 'bindTimeout', status: null });
  assert.deepEqual(spoken(silent.trace), ['out bind_transceiver']);
  assert.ok(silent.durationMs >= 390, `${silent.durationMs} ms`);
  watch.assertSpan(silent.durationMs, 2_000, 'the bind');
  const closed = await testBind({ ...options, port: await peer((socket) => socket.once('data', () => socket.end())) });
  assert.equal(closed.outcome, 'closed');
  const secret = 'SSH-2.0-OpenSSH_9.9\r\n';
  const other = await testBind({ ...options, port: await peer((socket) => void socket.write(secret)) });
  assert.equal(other.outcome, 'notSmpp');
  assert.ok(!JSON.stringify(other).includes(Buffer.from(secret.slice(0, 8)).toString('hex')));
});

test('TLS to a port without it is distinguished from an unreachable carrier', async () => {
  const port = await peer((socket) => socket.once('data', () => void socket.write('what?\r\n')));
  assert.equal((await testBind({ ...options, port, tls: true })).outcome, 'tlsFailed');
  assert.equal((await testBind({ ...options, port: await peer(() => {}), tls: true })).outcome, 'tlsFailed');
  assert.equal((await testBind({ ...options, port: await freePort(), tls: true })).outcome, 'connectionRefused');
});

test('a message that comes meanwhile is put off, so that the carrier keeps it', async () => {
  let answered: number | undefined;
  const port = await peer((socket) => {
    socket.once('data', (bind) => {
      const sequence_number = bind.readUInt32BE(12);
      socket.write(encodePdu(makePdu('bind_transceiver_resp', { system_id: 'x', sequence_number })));
      socket.write(encodePdu(makePdu('deliver_sm', { source_addr: '639170000001', sequence_number: 77 })));
      socket.on('data', (chunk) => {
        for (let at = 0; at < chunk.length; at += chunk.readUInt32BE(at)) {
          if (chunk.readUInt32BE(at + 4) !== COMMAND_ID.deliver_sm_resp) continue;
          answered = chunk.readUInt32BE(at + 8);
          socket.end();
        }
      });
    });
  });
  const result = await testBind({ ...options, port });
  assert.equal(result.outcome, 'bound');
  assert.equal(answered, STATUS.ESME_RX_T_APPN);
});
