import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Pahatid, PahatidError } from './index.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const answers: Answer[] = [];
const asked: IncomingMessage[] = [];
const server = createServer((request, response) => {
  asked.push(request);
  (answers.shift() ?? ((_, end) => end.writeHead(404).end()))(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const pahatid = new Pahatid({
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  key: 'pk_test_x',
});
const event = (n: number): string =>
  `id: ${n}-a\ndata: {"id":"msg_${n}","type":"message.status","timestamp":"2026-11-28T00:00:00.000Z","data":{"text":"é"}}\n\n`;
const open = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });

test('a stream that breaks is opened again behind the last event; what is cut between packets is whole', async () => {
  answers.push(
    (_, response) => {
      open(response).write('retry: 2000\n\n: still here\n\n');
      const bytes = Buffer.from(event(1) + event(2));
      const middle = bytes.indexOf(Buffer.from('é')) + 1;
      response.write(bytes.subarray(0, middle));
      setImmediate(() => response.write(bytes.subarray(middle), () => response.destroy()));
    },
    (_, response) =>
      response.writeHead(503, { 'content-type': 'application/problem+json' }).end('{"code":"UNAVAILABLE"}'),
    (_, response) => void open(response).write(event(3)),
  );
  const ending = new AbortController();
  const states: string[] = [];
  const seen: unknown[] = [];
  for await (const { id, data } of pahatid.events({ signal: ending.signal, onState: (state) => states.push(state) })) {
    seen.push([id, data['text']]);
    if (seen.length === 3) ending.abort();
  }
  assert.deepEqual(seen, [
    ['msg_1', 'é'],
    ['msg_2', 'é'],
    ['msg_3', 'é'],
  ]);
  assert.deepEqual(states, ['open', 'lost', 'lost', 'open']);
  assert.deepEqual(
    asked.map(({ headers, url }) => [url, headers['last-event-id'], headers.authorization]),
    [undefined, '2-a', '2-a'].map((id) => ['/api/v1/events', id, 'Bearer pk_test_x']),
  );
});

test('a refusal is thrown, not repeated', async () => {
  answers.push((_, response) =>
    response.writeHead(403).end('{"code":"SCOPE_MISSING","params":{"scope":"messages:read"}}'),
  );
  await assert.rejects(
    async () => await pahatid.events().next(),
    (error) => error instanceof PahatidError && error.code === 'SCOPE_MISSING',
  );
});
