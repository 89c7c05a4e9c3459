import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { helpText, readCommandLine } from './command-line.ts';
import { startSimulator } from './simulator.ts';
import { boundCustomer, control, startQuick } from './test-customer.ts';

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

test('a tail of a span, and a flag apart from its value', () => {
  const options = readCommandLine(['--latency', '20-80,0.01:2000', '--queue-limit', '500']);
  assert.ok(options !== 'help');
  assert.deepEqual(options.all, { latency: { fromMs: 20, toMs: 80, tailShare: 0.01, tailMs: 2_000 }, queueLimit: 500 });
  assert.equal(readCommandLine(['-h']), 'help');
});

const MISTAKES: readonly (readonly [words: string[], line: RegExp])[] = [
  [['--nonsense'], /no such flag: --nonsense; --help lists them/],
  [['stray'], /no such flag: stray/],
  [['--port'], /--port needs N/],
  [['--port=70000'], /--port 70000: must be a port/],
  [['--tps=many'], /--tps many: must be a number/],
  [['--reorder=2'], /--reorder 2: must be a share/],
  [['--receipt-delay=soon'], /--receipt-delay soon: must be milliseconds/],
  [['--latency=80-20'], /smaller number/],
  [['--outcomes=perfect=1'], /"perfect=1" is no outcome/],
  [['--carrier={"systemId"'], /--carrier \{"systemId": /],
  [['--carrier=[]'], /must be a JSON object/],
  [['--carrier={"systemId":"sun"}'], /a carrier needs systemId and password/],
  [['--carrier={"systemId":"globe","tps":"fast"}'], /tps must be a number/],
  [['--carrier={"systemId":"globe","latency":{"from":1}}'], /latency must be \{ "fromMs"/],
  [['--carrier={"systemId":"globe","outcomes":{"perfect":1}}'], /outcomes must be weights of delivered/],
  [['--carrier={"systemId":"globe","receipt":{"text":"long"}}'], /receipt.text must be one of labelled, short, none/],
  [['--carrier={"systemId":"globe","receipt":{"txt":"short"}}'], /no such setting: receipt.txt/],
  [['--carrier={"systemId":"globe","password":"ninechars"}'], /password must be 0 to 8 ASCII/],
  [['--config=/nowhere.json'], /--config \/nowhere.json: ENOENT/],
];

for (const [words, line] of MISTAKES) {
  test(`${words.join(' ')} is rejected with a one-line error`, async () => {
    const start = async () => {
      const options = readCommandLine(['--port=0', '--control=0', ...words]);
      if (options !== 'help') await (await startSimulator(options)).stop();
    };
    await assert.rejects(start, line);
    await assert.rejects(start, /^Error: [^\n]+$/);
  });
}

test('run as a process, prints an error in one line and exits', async (t) => {
  const { code, errors } = await runSimulator(t, ['--carrier={"systemId":"globe","tps":"fast"}']);
  assert.equal(code, 1);
  assert.equal(errors, 'carrier simulator: tps must be a number from 0 up\n');
});

test('reports a port already in use in one line', async (t) => {
  const simulator = await startQuick(t);
  const { code, errors } = await runSimulator(t, [`--port=${simulator.port}`]);
  assert.equal(code, 1);
  assert.equal(
    errors,
    `carrier simulator: port ${simulator.port} is taken; --port and --control choose others, 0 takes a free one\n`,
  );
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
    'slowReader',
    'tlv_beyond',
    'queueLimit',
  ]) {
    assert.ok(help.includes(word), word);
  }
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`run as a separate process, serves an extra carrier and unbinds on ${signal}, frozen or not`, async (t) => {
    const child = spawnSimulator(t, [
      '--port=0',
      '--control=0',
      '--receipt-delay=0',
      '--outcomes=delivered=1',
      '--carrier={"systemId":"sun","password":"sunpw"}',
    ]);
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
    assert.equal((await control(Number(ports[2]), 'GET /counters'))['messages'], 1);
    await control(Number(ports[2]), 'PATCH /carriers/sun/faults', { frozen: signal === 'SIGINT' });
    const exited = once(child, 'exit');
    child.kill(signal);
    assert.deepEqual(await exited, [0, null]);
    await customer.waitFor('close');
    assert.equal(customer.of('close')[0]?.reason, 'peer_unbind');
  });
}

type Cleanup = { after(run: () => Promise<void> | void): void };

function spawnSimulator(t: Cleanup, words: readonly string[]) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url)), ...words], {
    timeout: 20_000,
  });
  t.after(() => void child.kill('SIGKILL'));
  return child;
}

/** Runs a simulator that exits without being stopped. */
async function runSimulator(t: Cleanup, words: readonly string[]): Promise<{ code: number | null; errors: string }> {
  const child = spawnSimulator(t, ['--port=0', '--control=0', ...words]);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, errors };
}
