/** Traces: ids that every process derives alike, and those of messages on their way through a whole machine to a carrier. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { buildKey, buildSender, buildUser } from '@pahatid/db/builders';
import { freePort, Program, testDatabase, until } from '@pahatid/testkit';
import { masterKey, Scene } from '../sending/testing/scene.ts';
import { deriveTraceIds, isSampled } from './trace-ids.ts';

const MAIN = path.join(import.meta.dirname, '../main.ts');

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  role: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, string | number>;
}
interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

const toRecord = (attributes: readonly Attribute[]): Record<string, string | number> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

/** What an OpenTelemetry receiver gets. */
async function startReceiver() {
  const spans: Span[] = [];
  const bodies: string[] = [];
  const take = (request: IncomingMessage, body: string): void => {
    bodies.push(`${request.method} ${request.url} ${body}`);
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: {
        resource: { attributes: Attribute[] };
        scopeSpans: { spans: (Omit<Span, 'attributes'> & { attributes: Attribute[] })[] }[];
      }[];
    };
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...span,
          role: String(toRecord(resource.attributes)['pahatid.role']),
          attributes: toRecord(span.attributes),
        });
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      take(request, body);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { spans, bodies, server, endpoint: `http://127.0.0.1:${port}` };
}

const receiver = await startReceiver();
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pahatid-traces-'));
const db = await testDatabase({ strict: false });
const scene = await Scene.build({ pool: db.pool, carriers: { outcomes: { delivered: 1 } } });
await buildUser(db.pool, { customerId: scene.customerId, role: 'owner' });
await buildSender(db.pool, { customerId: scene.customerId, appId: scene.appId, senderId: 'PAHATID' });
const key = await buildKey(db.pool, { customerId: scene.customerId, appId: scene.appId });
const port = await freePort();
const machine = new Program([MAIN, 'start', '--roles', 'api,sender'], {
  env: {
    DATABASE_URL: db.url,
    PAHATID_SECRET: masterKey.toString('hex'),
    PAHATID_DEMO: 'off',
    PAHATID_PORT: String(port),
    PAHATID_SIM_PORT: 'off',
    PAHATID_API_PROCESSES: '1',
    PAHATID_DATA: dataDir,
    OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.endpoint}/`,
    OTEL_TRACES_SAMPLER_ARG: '1',
  },
});
db.beforeClose(async () => {
  await machine.kill();
  await scene.close();
  receiver.server.closeAllConnections();
  receiver.server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('ids of a trace follow from the message id, as a shell derives them, and the share is kept', () => {
  const { traceId, rootSpanId } = deriveTraceIds(123456789012345678n);
  const hash = createHash('sha256').update('123456789012345678').digest('hex');
  assert.equal(traceId + rootSpanId, hash.slice(0, 48));
  const ids = Array.from({ length: 10_000 }, (_, at) => deriveTraceIds(400_000_000_000_000_000n + BigInt(at)).traceId);
  const sampled = (share: number): number => ids.filter((id) => isSampled(id, share)).length;
  assert.deepEqual([sampled(0), sampled(1)], [0, ids.length]);
  // A fixed set of ids, so that this is no matter of luck.
  assert.ok(sampled(0.1) > 900 && sampled(0.1) < 1_100, String(sampled(0.1)));
});

test('S57 the trace of a message goes from its call over submit_sm to its receipt, through two processes, and names no phone', async () => {
  await machine.says('Pahatid is ready');
  const phone = '639171234567';
  const text = 'Order 5512 is on its way to Quezon City';
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to: phone, content: text, smsType: 2 }),
  });
  const body = (await answer.json()) as { messageId: string };
  assert.equal(answer.status, 202, JSON.stringify(body));
  const { messageId } = body;
  const ids = deriveTraceIds(BigInt(messageId));
  // They come in batches, every five seconds.
  const spans = await until(() => {
    const found = receiver.spans.filter(({ traceId }) => traceId === ids.traceId);
    return found.length >= 3 && found;
  });
  const byName = new Map(spans.map((span) => [span.name, span]));
  assert.deepEqual([...byName.keys()].sort(), ['accept', 'receipt', 'submit_sm']);
  const [accept, submit, receipt] = ['accept', 'submit_sm', 'receipt'].map((name) => byName.get(name)!);
  assert.deepEqual([accept!.role, submit!.role, receipt!.role], ['api', 'sender', 'sender']);
  assert.deepEqual([accept!.spanId, accept!.parentSpanId ?? ''], [ids.rootSpanId, '']);
  assert.deepEqual([submit!.parentSpanId, receipt!.parentSpanId], [ids.rootSpanId, ids.rootSpanId]);
  for (const span of spans) {
    assert.equal(span.attributes['pahatid.message_id'], messageId);
    assert.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano));
  }
  assert.partialDeepStrictEqual(submit!.attributes, { 'smpp.command_status': 0, 'pahatid.part': 1, 'pahatid.lane': 2 });
  assert.equal(receipt!.attributes['pahatid.status'], 'Delivered');
  assert.equal(accept!.attributes['pahatid.accepted_by'], 'call');
  for (const sent of receiver.bodies) {
    assert.match(sent, /^POST \/v1\/traces /);
    for (const secret of [phone.slice(2), text, scene.customerId, key.apiKey])
      assert.ok(!sent.includes(secret), secret);
  }
});
