/** TLS on our outgoing connections: to carriers and to the mail server. The client's offer is read off the wire. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, test } from 'node:test';
import tls from 'node:tls';
import { connectSession } from '@pahatid/smpp';
import { SMTPServer } from 'smtp-server';
import { makeMailer } from '../mail/mailer.ts';

// A runtime configured to allow everything: the restriction must come from our code.
tls.DEFAULT_MIN_VERSION = 'TLSv1';

const letter = {
  messageId: '1',
  date: new Date(),
  to: 'ana@pahatid.test',
  subject: 'Hi',
  text: 'Hi',
  html: null,
};
const bind = { host: '127.0.0.1', mode: 'transceiver', system_id: 'demo', password: 'pass', tls: {} } as const;
const handler = {} as Parameters<typeof connectSession<number>>[1];

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** The first packet that comes to a port, after which the line is cut. */
async function firstPacket(connect: (port: number) => Promise<unknown>): Promise<Buffer> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (packet) => {
      server.emit('packet', packet);
      socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const packet = once(server, 'packet');
  const ended = connect(portOf(server)).catch(() => undefined);
  const [bytes] = (await packet) as [Buffer];
  await ended;
  server.close();
  return bytes;
}

/** Versions a ClientHello offers (RFC 8446 §4.2.1), or the one of a client that knows no such extension. */
function offeredVersions(hello: Buffer): number[] {
  assert.equal(hello[0], 0x16, 'a handshake record');
  let at = 5 + 4;
  const legacy = hello.readUInt16BE(at);
  at += 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  const end = at + 2 + hello.readUInt16BE(at);
  for (at += 2; at < end; at += 4 + hello.readUInt16BE(at + 2)) {
    if (hello.readUInt16BE(at) !== 43) continue;
    const list = hello.subarray(at + 5, at + 5 + hello.readUInt8(at + 4));
    return Array.from({ length: list.length / 2 }, (_, index) => list.readUInt16BE(index * 2));
  }
  return [legacy];
}

test('S60 TLS below 1.2 is never offered to carriers or the mail server, whatever the runtime allows', async () => {
  const loose = await firstPacket(
    (port) =>
      new Promise((resolve) => {
        const socket = tls.connect({ port, host: '127.0.0.1', ciphers: 'ALL@SECLEVEL=0' });
        socket.on('error', resolve);
      }),
  );
  assert.ok(Math.min(...offeredVersions(loose)) < 0x0303, 'else this test would show nothing');
  const carrier = await firstPacket((port) => connectSession({ ...bind, port }, handler));
  const mailer = await firstPacket(async (port) => {
    const made = makeMailer(`smtps://user:secret@127.0.0.1:${port}`, 'x@pahatid.test');
    await made.send(letter).finally(() => made.close());
  });
  for (const hello of [carrier, mailer]) assert.deepEqual(offeredVersions(hello).toSorted(), [0x0303, 0x0304]);
});

test('S60 an untrusted certificate is rejected, by carrier links and the mailer', async () => {
  const server = new SMTPServer({ secure: true });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const port = portOf(server.server);
  after(() => new Promise<void>((resolve) => server.close(resolve)));
  const result = await connectSession({ ...bind, port }, handler);
  assert.ok(!result.bound);
  assert.equal(result.reason, 'connect_failed');
  assert.match(result.detail, /certificate/i);
  const mailer = makeMailer(`smtps://user:secret@127.0.0.1:${port}`, 'x@pahatid.test');
  after(() => mailer.close());
  await assert.rejects(mailer.send(letter), /certificate/i);
});

test('S60 the mail server password is never sent to a remote machine without TLS', async () => {
  const said: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mail ESMTP\r\n');
    socket.on('data', (line) => {
      said.push(line.toString());
      // A server, or an attacker in between, that offers no STARTTLS.
      socket.write(/^EHLO/.test(line.toString()) ? '250-mail\r\n250 AUTH PLAIN LOGIN\r\n' : '502 no\r\n');
    });
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  after(() => server.close());
  // Not a loopback address by its name, and yet this machine.
  const mailer = makeMailer(`smtp://user:secret@0.0.0.0:${portOf(server)}`, 'x@pahatid.test');
  after(() => mailer.close());
  await assert.rejects(mailer.send(letter));
  assert.ok(said.some((line) => /^EHLO/.test(line)));
  assert.ok(!said.some((line) => /^AUTH/.test(line)), said.join(''));
});
