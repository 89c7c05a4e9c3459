import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { helpText, readCommandLine } from './command-line.ts';
import { boundCustomer, control } from './test-customer.ts';

test('flags become options', () => {
  const options = readCommandLine([
    '--port=0',
    '--outcomes=delivered=0.9,refused:0x14=0.1',
    '--receipt-delay=0-50',
    '--latency=5',
    '--carrier={"systemId":"sun","password":"sunpw","tps":300}',
  ]);
  assert.ok(options !== 'help');
  assert.equal(options.port, 0);
  assert.deepEqual(options.all?.outcomes, { delivered: 0.9, refused: 0.1, refusedStatus: 0x14 });
  assert.deepEqual(options.all?.receiptDelay, { fromMs: 0, toMs: 50 });
  assert.deepEqual(options.all?.latency, { fromMs: 5, toMs: 5 });
  assert.deepEqual(options.carriers, [{ systemId: 'sun', password: 'sunpw', tps: 300 }]);
});

test('what cannot be understood is said', () => {
  assert.throws(() => readCommandLine(['--outcomes=perfect=1']), /no outcome/);
  assert.throws(() => readCommandLine(['--receipt-delay=soon']), /no span/);
  assert.throws(() => readCommandLine(['--tps=many']), /must be a number/);
  assert.throws(() => readCommandLine(['--nonsense']));
});

test('the help names every flag, carrier, override, call and fault', () => {
  const help = helpText();
  for (const word of [
    '--journal FILE',
    'globe',
    'smart',
    'dito',
    '9999901',
    'GET /counters',
    'earlyReceipt',
    'receiptDelay',
  ]) {
    assert.ok(help.includes(word), word);
  }
});

test('as a process of its own it serves a further carrier and stops at SIGTERM', async (t) => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const child = spawn(process.execPath, [
    main,
    '--port=0',
    '--control=0',
    '--receipt-delay=0',
    '--outcomes=delivered=1',
    '--carrier={"systemId":"sun","password":"sunpw"}',
  ]);
  t.after(() => void child.kill('SIGKILL'));
  let output = '';
  const ports = await new Promise<RegExpExecArray>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const match = /SMPP port (\d+) \(globe, smart, dito, sun\), control http:\/\/127\.0\.0\.1:(\d+)/.exec(output);
      if (match !== null) resolve(match);
    });
  });
  const customer = await boundCustomer(t, Number(ports[1]), { system_id: 'sun', password: 'sunpw' });
  customer.submit('639170000001');
  await customer.waitFor('receipt');
  assert.equal((await control(Number(ports[2]), 'GET /counters')).messages, 1);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
  await customer.waitFor('close');
  assert.equal(customer.of('close')[0]?.reason, 'peer_unbind');
});
