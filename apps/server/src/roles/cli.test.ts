/** The command line of the API against a running server. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { verifyCallback } from '@pahatid/client';
import { callbackEventOf, testScopes } from '@pahatid/contract';
import { ClientStatus } from '@pahatid/contract/enums';
import { run, sql, withTransaction } from '@pahatid/db';
import { buildDefaultPrice, buildSender, buildSimulatedCarriers } from '@pahatid/db/builders';
import { writeStatusEvents } from '@pahatid/db/queries/callback-events';
import { until } from '@pahatid/testkit';
import { makeCallbackSecret, signCallback } from '../callbacks/sign.ts';
import { registerKeys } from '../features/keys/routes.ts';
import { registerLiveEvents } from '../features/live-events/routes.ts';
import { registerMessages } from '../features/messages/routes.ts';
import { makeTestApi } from '../http/testing/test-api.ts';

const api = await makeTestApi({ features: [registerKeys, registerLiveEvents, registerMessages] });
const { pool } = api.db;
const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-cli-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const program = path.join(import.meta.dirname, '../../../cli/src/main.ts');
let login: Record<string, string>;

before(async () => {
  const { customerId, appId } = api;
  await buildSimulatedCarriers(pool, { port: 1, secrets: api.deps.secrets });
  await buildDefaultPrice(pool, 3_500);
  await buildSender(pool, { customerId, appId, senderId: 'SARISARI' });
  await run(pool, sql`insert into balance (customer_id, writer, amount) values (${customerId}, 254, 1000000)`);
  const baseUrl = await api.app.listen({ host: '127.0.0.1', port: 0 });
  login = { PAHATID_URL: baseUrl, PAHATID_APP_ID: appId, PAHATID_APP_SECRET: 'secret-of-an-app' };
});

const start = (words: readonly string[], env: Record<string, string>) =>
  spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
const pahatid = async (words: readonly string[], { input = '', env = login } = {}) => {
  const child = start(words, env);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin.end(input);
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { output, errors, code };
};

test('it sends, follows a message to its outcome, and reads any operation', async () => {
  const words = ['send', '--to', '09171234567', '--text', 'Your order is ready.'];
  const sent = await pahatid(words);
  assert.equal(sent.code, 0, sent.errors);
  const { messageId } = JSON.parse(sent.output) as { messageId: string };
  const read = await pahatid(['call', 'GET /messages/{messageId}', '--params', JSON.stringify({ messageId })]);
  assert.partialDeepStrictEqual(JSON.parse(read.output), { messageId, clientStatus: 0 });
  await run(
    pool,
    sql`update message set client_status = 2, send_status = 3, deal_result = 'DELIVERED' where message_id = ${messageId}`,
  );
  const watched = await pahatid(['watch', messageId]);
  assert.match(watched.output, /^\S+ Delivered DELIVERED\n$/);
  assert.equal(watched.code, 0);
});

test('refusals end with 1 and say why, wrong usage with 2', async () => {
  const refused = await pahatid(['send', '--to', 'nobody', '--text', 'Hi']);
  assert.equal(refused.code, 1);
  assert.match(refused.errors, /MOBILE_NUMBER_INVALID \(400\)[\s\S]*request \S+/);
  for (const words of [
    ['send'],
    ['nothing'],
    ['call', 'GET /nothing'],
    ['send', '--to', '1', '--text', 'x', '--bad'],
  ]) {
    const wrong = await pahatid(words);
    assert.equal(wrong.code, 2, words.join(' '));
    assert.match(wrong.errors, /Usage: pahatid/);
  }
});

test('the program of the server runs it as its command `client`, with its exit code', () => {
  const server = path.join(import.meta.dirname, '../main.ts');
  const run = (...words: string[]) => spawnSync(process.execPath, [server, 'client', ...words], { encoding: 'utf8' });
  const help = run('help');
  assert.deepEqual([help.status, help.stdout.startsWith('Usage: pahatid')], [0, true], help.stderr);
  assert.equal(run('nothing').status, 2);
});

test('a login is stored for its user alone after the server has accepted it, and used by later commands', async () => {
  const words = ['login', '--url', login['PAHATID_URL'] ?? '', '--app-id', api.appId];
  assert.equal((await pahatid(words, { input: 'wrong\n', env: {} })).code, 1);
  assert.equal((await pahatid(['watch', '1'], { env: {} })).code, 2);
  const stored = await pahatid(words, { input: 'secret-of-an-app\n', env: {} });
  assert.equal(stored.code, 0, stored.errors);
  assert.match(stored.output, new RegExp(`^live credentials of .+ \\(${api.appId}\\), without expiry: messages:send `));
  const file = path.join(folder, '.config/pahatid/login.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.match((await pahatid(['watch', '1'], { env: {} })).errors, /NOT_FOUND/);
});

test('a callback is checked with its secret', async () => {
  const secret = makeCallbackSecret();
  const body = '{"type":"message.status","data":{"content":"salamat"}}';
  const headers = signCallback('0190a5f0-0000-7000-8000-000000000000', new Date(), body, [secret]);
  const words = ['verify-callback', '--id', headers['webhook-id'], '--timestamp', headers['webhook-timestamp']];
  words.push('--signature', headers['webhook-signature']);
  const env = { PAHATID_CALLBACK_SECRET: secret };
  assert.deepEqual(JSON.parse((await pahatid(words, { input: body, env })).output), JSON.parse(body));
  assert.equal((await pahatid(words, { input: body.replace('salamat', 'hindi'), env })).code, 1);
});

/** Runs `listen` until the work is done. */
async function withListener(
  options: readonly string[],
  work: (said: () => string, printed: () => string) => Promise<void>,
): Promise<number | null> {
  const child = start(['listen', ...options], login);
  const said = { errors: '', output: '' };
  child.stderr.on('data', (chunk: Buffer) => (said.errors += String(chunk)));
  child.stdout.on('data', (chunk: Buffer) => (said.output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  try {
    await until(() => said.errors.includes('Listening at'), { what: 'the stream' });
    await work(
      () => said.errors,
      () => said.output,
    );
  } finally {
    child.kill('SIGINT');
  }
  return await ended;
}

test('events are forwarded to a local address as signed callbacks; an address that is away is reported', async () => {
  const { output } = await pahatid(['send', '--to', '09171234567', '--text', 'Your order is ready.']);
  const messageId = BigInt((JSON.parse(output) as { messageId: string }).messageId);
  const { customerId } = api;
  const [before, after] = [ClientStatus.Submitted, ClientStatus.Delivered];
  const happen = () => withTransaction(pool, (tx) => writeStatusEvents(tx, [{ customerId, messageId, before, after }]));
  const heard: { headers: IncomingHttpHeaders; body: string }[] = [];
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      heard.push({ headers: request.headers, body });
      response.writeHead(202).end('ok');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hook`;
  const code = await withListener(['--forward', url], async (said, printed) => {
    const [, secret = ''] = /^Signing secret: (whsec_\S+)$/m.exec(said()) ?? [];
    await happen();
    await until(() => printed().includes('\n'), { what: 'the line of the event' });
    const [callback] = heard;
    assert.ok(callback);
    const event = await verifyCallback<{ type: string; data: object }>(callback.body, callback.headers, secret);
    assert.deepEqual(callbackEventOf('message.status').parse(event), event);
    assert.partialDeepStrictEqual(event.data, { messageId: String(messageId), clientStatus: after });
    assert.match(printed(), /^\S+ message\.status msg_[0-9a-f]{32} 202 \d+ ms\n$/);
    await new Promise((resolve) => receiver.close(resolve));
    await happen();
    await until(() => printed().split('\n').length === 3, { what: 'the second line' });
    assert.match(printed(), /no answer/);
  });
  assert.equal(code, 0);
  const wrong = await pahatid(['listen', '--forward', url, '--secret', 'short']);
  assert.deepEqual([wrong.code, /whsec_ and base64/.test(wrong.errors)], [2, true]);
  const refused = await pahatid(['listen', '--forward', url], { env: { ...login, PAHATID_APP_SECRET: 'wrong' } });
  assert.deepEqual([refused.code, /NOT_SIGNED_IN \(401\)/.test(refused.errors)], [1, true]);
});

interface ToolList {
  readonly tools: { name: string; annotations: { readOnlyHint: boolean } }[];
}

/** Speaks the Model Context Protocol to `pahatid mcp`. */
async function withAssistant(
  options: readonly string[],
  work: (ask: (method: string, params?: object) => Promise<Record<string, unknown>>) => Promise<void>,
  env = login,
): Promise<void> {
  const child = start(['mcp', ...options], env);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const tell = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (method: string, params: object = {}) => {
    id += 1;
    tell({ id, method, params });
    const { result, error } = JSON.parse((await lines.next()).value ?? '{}') as Record<string, Record<string, unknown>>;
    return result ?? { error };
  };
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  await ask('initialize', client);
  tell({ method: 'notifications/initialized' });
  await work(ask);
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.stdin.end();
  await ended;
}

test('an assistant reads; it writes only if told, and sends with a live key only if told twice', async () => {
  const namesWith = async (options: readonly string[]): Promise<string[]> => {
    let names: string[] = [];
    await withAssistant(options, async (ask) => {
      const { tools } = (await ask('tools/list')) as unknown as ToolList;
      assert.ok(tools.length > 20);
      if (options.length === 0) assert.ok(tools.every(({ annotations }) => annotations.readOnlyHint));
      names = tools.map(({ name }) => name);
    });
    return names;
  };
  assert.ok(!(await namesWith([])).includes('postTemplates'));
  const writing = await namesWith(['--write']);
  assert.ok(
    writing.includes('postTemplates') && writing.includes('postMessagesPreview') && !writing.includes('postMessages'),
  );
  await withAssistant(['--write', '--live'], async (ask) => {
    const body = { to: '09171234567', smsType: 2, content: 'Your order is ready.' };
    const call = async (name: string, input: object) =>
      (await ask('tools/call', { name, arguments: input })) as { content: { text: string }[]; isError?: boolean };
    const sent = await call('postMessages', { body });
    const { messageId } = JSON.parse(sent.content[0]?.text ?? '') as { messageId: string };
    const read = await call('getMessagesMessageId', { params: { messageId } });
    assert.partialDeepStrictEqual(JSON.parse(read.content[0]?.text ?? ''), { messageId });
    const refused = await call('postMessages', { body: { ...body, to: 'nobody' } });
    assert.equal(refused.isError, true);
    assert.match(refused.content[0]?.text ?? '', /MOBILE_NUMBER_INVALID/);
    const wrong = await call('postMessages', { body: { to: 5 } });
    assert.ok(wrong.isError === true || 'error' in wrong);
  });
});

test('an assistant is offered what the scopes and the mode of its key open', async () => {
  const namesWith = async (body: object): Promise<string[]> => {
    const { apiKey } = (
      await api.ask('owner', 'POST /keys', { body: { keyName: 'Assistant', appId: api.appId, ...body } })
    ).body;
    let names: string[] = [];
    const env = { PAHATID_URL: login['PAHATID_URL'] ?? '', PAHATID_KEY: apiKey };
    await withAssistant(
      ['--write'],
      async (ask) => {
        names = ((await ask('tools/list')) as unknown as ToolList).tools.map(({ name }) => name);
      },
      env,
    );
    return names.sort();
  };
  assert.deepEqual(await namesWith({ scopes: ['senders'] }), [
    'getKey',
    'getNumbers',
    'getNumbersNumberId',
    'getSenders',
    'getSendersId',
    'postSenders',
    'postSendersIdDisable',
    'postSendersIdEnable',
  ]);
  const testing = await namesWith({ mode: 'test', scopes: testScopes });
  for (const name of ['getKey', 'postMessages', 'getTemplates', 'getSenders']) assert.ok(testing.includes(name), name);
  assert.deepEqual(
    testing.filter((name) => /Billing|postTemplates|postSenders/.test(name)),
    [],
  );
});
