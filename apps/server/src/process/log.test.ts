import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

test('S55 what is secret by its name is hidden in the log, at any depth', () => {
  const script = `
    const { makeLog } = await import(${JSON.stringify(path.join(import.meta.dirname, 'log.ts'))});
    const log = makeLog('info', 'test');
    const secrets = { password: 'canary', appSecret: 'canary', token: 'canary' };
    log.info({ ...secrets, user: secrets, req: { headers: { authorization: 'canary', cookie: 'canary' } } }, 'said');
    log.child({ smppPassword: 'canary' }).info('child');
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(output.trim().split('\n').length, 2);
  assert.ok(output.includes('(hidden)'));
  assert.ok(!output.includes('canary'));
});

test('S32 a line break or escape in a field stays one line of JSON', () => {
  const script = `
    const { makeLog } = await import(${JSON.stringify(path.join(import.meta.dirname, 'log.ts'))});
    makeLog('info', 'test').info({ name: 'a\\r\\nb\\u001b[31m' }, 'x\\ny');
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(output.split('\n').length, 2);
  assert.equal(JSON.parse(output).msg, 'x\ny');
  assert.ok(!output.includes('\u001b'));
});

test('S32 with any field, key, message or error, each entry is one line of JSON without control characters', () => {
  const script = `
    const { makeLog } = await import(${JSON.stringify(path.join(import.meta.dirname, 'log.ts'))});
    const log = makeLog('info', 'test');
    const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter((c) => /\\p{Cc}/u.test(c));
    for (const each of [...controls, '\\u2028', '\\u2029', '\\r\\n{"level":60,"msg":"forged"}', '\\ud800'])
      log.info({ field: 'a' + each + 'b', ['k' + each]: 1, deep: [{ each }], err: new Error('e' + each) }, 'x' + each + 'y');
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const lines = output.trimEnd().split(/[\n\r\u0085\u2028\u2029]/);
  assert.equal(lines.length, 65 + 4);
  for (const line of lines) {
    assert.doesNotMatch(line, /[\p{Cc}\u2028\u2029]/u);
    const entry = JSON.parse(line) as { level: number; msg: string; field: string };
    assert.equal(entry.level, 30, 'none was forged');
    assert.equal(entry.field.slice(1, -1), entry.msg.slice(1, -1), 'and none was lost');
  }
});

test('S57 a phone or a text that reaches the log by accident does not leave it', () => {
  const script = `
    const { makeLog } = await import(${JSON.stringify(path.join(import.meta.dirname, 'log.ts'))});
    const log = makeLog('info', 'test');
    const error = Object.assign(new Error('bad value 639171234567'), {
      code: '22P02', detail: 'Key (msisdn)=(639171234567)', where: 'COPY message: "Your code is 1234"', parameters: ['09171234567'],
    });
    log.warn({ err: new Error('outer +639171234567', { cause: error }) }, 'failed for 09171234567');
    log.warn({ receipt: { msisdn: '4915112345678', content: 'Your code is 1234' }, batchId: '163500003456789012' }, 'receipt');
    log.warn({ err: 'plain 639171234567' }, 'text for an error');
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.ok(!/9171234567|Your code|4915112345678/.test(output), output);
  const [failed, receipt] = output.split('\n').map((line) => JSON.parse(line || '{}'));
  assert.equal(failed.err.cause.code, '22P02');
  assert.match(failed.err.stack, /Error: outer/);
  assert.equal(receipt.batchId, '163500003456789012');
});
