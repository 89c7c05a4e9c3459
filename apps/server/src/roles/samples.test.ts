/**
 * The sample programs shown to new users do what their descriptions say. Samples whose runtime is missing are skipped.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import {
  appSecretVariable,
  callbackSecretVariable,
  makeKeySample,
  makeReadSample,
  makeSendSample,
  type SampleLanguage,
  sampleLanguages,
  verifySamples,
} from '@pahatid/contract';
import { run, sql, uuidV7 } from '@pahatid/db';
import { buildDefaultPrice, buildKey, buildSender, buildSimulatedCarriers } from '@pahatid/db/builders';
import { freePort, until } from '@pahatid/testkit';
import { makeCallbackSecret, signCallback } from '../callbacks/sign.ts';
import { registerMessages } from '../features/messages/routes.ts';
import { makeTestApi } from '../http/testing/test-api.ts';

const programs: Record<SampleLanguage, string> = { curl: 'sh', node: process.execPath, python: 'python3' };
const tools: Record<SampleLanguage, string> = { curl: 'curl', node: process.execPath, python: 'python3' };
const lacks = (language: SampleLanguage): string | false =>
  spawnSync(tools[language], ['--version']).status === 0 ? false : `no ${tools[language]} here`;

const api = await makeTestApi({ features: [registerMessages] });
const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-samples-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let baseUrl: string;

before(async () => {
  const { customerId, appId, db } = api;
  await buildSimulatedCarriers(db.pool, { port: 1, secrets: api.deps.secrets });
  await buildDefaultPrice(db.pool, 3_500);
  await buildSender(db.pool, { customerId, appId, senderId: 'SARISARI' });
  await run(db.pool, sql`insert into balance (customer_id, writer, amount) values (${customerId}, 254, 1000000)`);
  baseUrl = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`;
});

const fileOf = (language: SampleLanguage, text: string): string => {
  const file = path.join(folder, language === 'node' ? 'sample.mjs' : `sample.${language}`);
  writeFileSync(file, text);
  return file;
};
const runSample = async (language: SampleLanguage, text: string, env: Record<string, string>): Promise<string> => {
  const { stdout } = await promisify(execFile)(programs[language], [fileOf(language, text)], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, [appSecretVariable]: 'secret-of-an-app', ...env },
    timeout: 30_000,
  });
  return stdout.trim();
};

for (const language of sampleLanguages) {
  test(`${language}: sends a message, once for any number of runs, and reads its status`, {
    skip: lacks(language),
  }, async () => {
    const target = { baseUrl, appId: api.appId };
    const sent = await runSample(language, makeSendSample(language, target), {});
    const [messageId = ''] = /\d{15,18}/.exec(sent) ?? [];
    assert.notEqual(messageId, '', sent);
    assert.match(await runSample(language, makeSendSample(language, target), {}), new RegExp(messageId));
    const life = await runSample(language, makeReadSample(language, target), { MESSAGE_ID: messageId });
    assert.match(life, language === 'curl' ? /"clientStatus":0/ : /^0 /);
    const env = { [appSecretVariable]: 'wrong' };
    if (language === 'curl')
      assert.match(await runSample(language, makeSendSample(language, target), env), /APP_CREDENTIALS_INVALID/);
    else await assert.rejects(runSample(language, makeSendSample(language, target), env), /APP_CREDENTIALS_INVALID/);
  });
}

test('curl: sends a message with a key', { skip: lacks('curl') }, async () => {
  const { customerId, appId, db } = api;
  const { apiKey } = await buildKey(db.pool, { customerId, appId, scopes: ['messages:send'] });
  assert.match(await runSample('curl', makeKeySample({ baseUrl, apiKey }), {}), /"messageId":"\d{15,18}"/);
});

const documented = path.resolve(import.meta.dirname, '../../../../packages/contract/src/samples');

/** Programs of the documentation that send, by their language: a file, and what runs it. `build`: first of all. */
const senders: Record<string, { file: string; run: readonly string[]; build?: readonly string[]; probe: string[] }> = {
  php: { file: 'send.php', run: ['php', 'send.php'], probe: ['php', '-r', 'curl_init();'] },
  go: { file: 'send.go', run: ['go', 'run', 'send.go'], probe: ['go', 'version'] },
  java: { file: 'Send.java', run: ['java', 'Send.java'], probe: ['javac', '-version'] },
  'c#': {
    file: 'Send.cs',
    build: ['mcs', '-r:System.Net.Http.dll', 'Send.cs'],
    run: ['mono', 'Send.exe'],
    probe: ['mcs', '--version'],
  },
};

for (const [name, { file, run: command, build = [], probe }] of Object.entries(senders)) {
  const isMissing = spawnSync(probe[0]!, probe.slice(1)).status !== 0;
  test(`${name}: sends a message of the documentation, once for any number of runs`, {
    skip: isMissing && `no ${probe[0]} here`,
  }, async () => {
    const text = readFileSync(path.join(documented, file), 'utf8');
    writeFileSync(path.join(folder, file), text.replace('{{origin}}/api/v1', baseUrl));
    const start = async ([program = '', ...words]: readonly string[], appSecret: string): Promise<string> => {
      const env = { PATH: process.env['PATH'] ?? '', HOME: folder, PAHATID_APP_ID: api.appId };
      const options = { cwd: folder, env: { ...env, [appSecretVariable]: appSecret }, timeout: 120_000 };
      return (await promisify(execFile)(program, words, options)).stdout;
    };
    if (build.length > 0) await start(build, '');
    const [messageId = ''] = /\d{15,18}/.exec(await start(command, 'secret-of-an-app')) ?? [];
    assert.notEqual(messageId, '');
    assert.match(await start(command, 'secret-of-an-app'), new RegExp(messageId));
    await assert.rejects(start(command, 'wrong'), /APP_CREDENTIALS_INVALID/);
  });
}

/** Programs of the documentation that take callbacks: how each is started, and what its runtime is. */
interface Receiver {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly command: readonly string[];
  /** Prints its version. */
  readonly probe: readonly string[];
}

const readSample = (file: string): Pick<Receiver, 'file' | 'text'> => ({
  file,
  text: readFileSync(path.join(documented, file), 'utf8'),
});
const makeReceivers = (port: number): readonly Receiver[] => [
  {
    name: 'node',
    file: 'verify.mjs',
    text: verifySamples.node,
    command: [process.execPath],
    probe: [process.execPath, '--version'],
  },
  {
    name: 'python',
    file: 'verify.py',
    text: verifySamples.python,
    command: ['python3'],
    probe: ['python3', '--version'],
  },
  {
    name: 'php',
    ...readSample('verify.php'),
    command: ['php', '-S', `127.0.0.1:${port}`],
    probe: ['php', '--version'],
  },
  { name: 'go', ...readSample('verify.go'), command: ['go', 'run'], probe: ['go', 'version'] },
  { name: 'java', ...readSample('Verify.java'), command: ['java'], probe: ['javac', '-version'] },
];

for (const { name, probe } of makeReceivers(0)) {
  const isMissing = spawnSync(probe[0]!, probe.slice(1)).status !== 0;
  test(`${name}: takes what we signed, by the old secret or the new one, and refuses all else`, {
    skip: isMissing && `no ${probe[0]} here`,
  }, async (t) => {
    const [secret, nextSecret] = [makeCallbackSecret(), makeCallbackSecret()];
    const port = await freePort();
    const { command, file, text } = makeReceivers(port).find((each) => each.name === name)!;
    writeFileSync(path.join(folder, file), text);
    const child: ChildProcess = spawn(command[0]!, [...command.slice(1), path.join(folder, file)], {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, [callbackSecretVariable]: secret, PORT: String(port) },
      stdio: 'ignore',
      // `go run` starts the program as another process, which ends with its group.
      detached: true,
    });
    t.after(() => process.kill(-child.pid!, 'SIGKILL'));
    const url = `http://127.0.0.1:${port}/`;
    const post = (body: string, headers: Record<string, string>) => fetch(url, { method: 'POST', body, headers });
    const answers = () =>
      fetch(url).then(
        () => true,
        () => false,
      );
    await until(async () => child.exitCode !== null || (await answers()));
    assert.equal(child.exitCode, null, 'the program ended');
    const body = JSON.stringify({
      type: 'test',
      timestamp: new Date().toISOString(),
      data: { challenge: 'sulat-pahatid ₱' },
    });
    const headersOf = (secrets: string[], at = new Date()) => ({ ...signCallback(uuidV7(), at, body, secrets) });
    for (const secrets of [[secret], [nextSecret, secret]]) {
      const answer = await post(body, headersOf(secrets));
      assert.deepEqual([answer.status, await answer.text()], [200, 'sulat-pahatid ₱']);
    }
    const right = headersOf([secret]);
    for (const [why, wrongBody, headers] of [
      ['another secret', body, headersOf([nextSecret])],
      ['another body', body.replace('pahatid', 'pekeng'), right],
      ['another id', body, { ...right, 'webhook-id': 'msg_0' }],
      ['an old one', body, headersOf([secret], new Date(Date.now() - 600_000))],
      ['one of the future', body, headersOf([secret], new Date(Date.now() + 600_000))],
      ['no time', body, { ...right, 'webhook-timestamp': 'x' }],
      ['no headers', body, {}],
    ] as const)
      assert.equal((await post(wrongBody, headers as Record<string, string>)).status, 401, why);
  });
}
