import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { verifyCallback } from './callbacks.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const now = new Date('2026-11-28T00:00:00Z');
const sign = (body: string, at = now, key = secret) => {
  const [id, timestamp] = ['msg_1', String(at.getTime() / 1_000)];
  const signature = createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};

test('a signed callback is returned as JSON, by headers of either kind; while secrets change one signature of two is enough', async () => {
  const body = '{"type":"message.status","data":{"content":"kumusta ₱"}}';
  const headers = sign(body);
  assert.deepEqual(await verifyCallback(body, headers, secret, { now }), JSON.parse(body));
  assert.deepEqual(await verifyCallback(body, new Headers(headers), secret, { now }), JSON.parse(body));
  const other = sign(body, now, `whsec_${Buffer.alloc(32, 9).toString('base64')}`)['webhook-signature'];
  const both = { ...headers, 'webhook-signature': `${other} ${headers['webhook-signature']}` };
  assert.deepEqual(await verifyCallback(body, both, secret, { now }), JSON.parse(body));
});

test('altered, old, early, unsigned and wrongly signed callbacks are refused', async () => {
  const body = '{"amount":1}';
  const headers = sign(body);
  const refuse = async (text: string, given: Record<string, string>, reason: RegExp) =>
    await assert.rejects(verifyCallback(text, given, secret, { now }), reason);
  await refuse('{"amount":2}', headers, /no valid signature/);
  await refuse(body, sign(body, new Date(now.getTime() - 301_000)), /too old/);
  await refuse(body, sign(body, new Date(now.getTime() + 301_000)), /too old/);
  await refuse(body, { ...headers, 'webhook-timestamp': 'soon' }, /too old/);
  await refuse(body, { ...headers, 'webhook-signature': 'v1,*** v2,abc v1' }, /no valid signature/);
  const { 'webhook-id': _, ...withoutId } = headers;
  await refuse(body, withoutId, /no header webhook-id/);
  await assert.rejects(verifyCallback(body, headers, 'secret', { now }), /whsec_/);
});
