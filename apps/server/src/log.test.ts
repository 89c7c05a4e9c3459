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
