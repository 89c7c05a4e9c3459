import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readReceipt } from '../receipts/parse-receipt.ts';
import { readUserData } from '../text/user-data.ts';
import { encodePdu, PduEncodeError } from './encode-pdu.ts';
import type { Pdu } from './field-specs.ts';
import { makeRandom, mutate } from './mutated-octets.ts';
import { PduDecoder } from './pdu-decoder.ts';

const ROUNDS = process.env['PAHATID_SOAK'] === '1' ? 1_000_000 : 100_000;
const MAX_GROWTH_OCTETS = 10 * 1_048_576;
/** About 5 µs each are usual; delays on a busy machine are far less than this. */
const MAX_MS_EACH = 5_000;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Applies the product's operations to a PDU, whatever its octets. */
function use(pdu: Pdu): void {
  if (pdu.command === 'deliver_sm' || pdu.command === 'data_sm') readReceipt(pdu, 'gsm7');
  if (pdu.command === 'submit_sm') readUserData(pdu);
  try {
    encodePdu(pdu);
  } catch (error) {
    // Taken although longer than the standard allows; not to be sent on.
    if (!(error instanceof PduEncodeError)) throw error;
  }
}

function runRound(random: (below: number) => number, kinds: Map<string, number>): void {
  const bytes = mutate(random);
  const decoder = new PduDecoder({ strictTlvs: random(2) === 0, maxPduOctets: random(2) === 0 ? 1_024 : 65_536 });
  const at = random(bytes.length + 1);
  decoder.push(bytes.subarray(0, at));
  decoder.push(bytes.subarray(at));
  // Every outcome uses up 16 octets or more.
  for (let left = Math.floor(bytes.length / 16) + 2; ; left--) {
    assert.ok(left > 0, `no end: ${bytes.toString('hex')}`);
    const decoded = decoder.next();
    if (decoded === undefined) break;
    kinds.set(decoded.kind, (kinds.get(decoded.kind) ?? 0) + 1);
    if (decoded.kind === 'broken') break;
    if (decoded.kind === 'pdu') use(decoded.pdu);
    if (decoded.kind === 'malformed' && decoded.mandatory !== undefined) use(decoded.mandatory);
  }
}

test(`K13: ${ROUNDS.toLocaleString('en-US')} mutated streams: nothing throws, nothing hangs, memory stays`, () => {
  const random = makeRandom(20_261_121);
  const kinds = new Map<string, number>();
  let slowest = 0;
  let before = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // The first tenth compiles the code and lets the heap find its size.
    if (round === ROUNDS / 10) before = memory();
    const startedAt = performance.now();
    runRound(random, kinds);
    slowest = Math.max(slowest, performance.now() - startedAt);
  }
  const growth = memory() - before;
  assert.ok(slowest < MAX_MS_EACH, `${slowest} ms`);
  assert.ok(growth < MAX_GROWTH_OCTETS, `${(growth / 1_048_576).toFixed(1)} MiB more`);
  for (const kind of ['pdu', 'malformed', 'unknown_command', 'broken']) {
    assert.ok((kinds.get(kind) ?? 0) > ROUNDS / 100, `${kind}: ${kinds.get(kind)}`);
  }
});

test('K13: streams torn at every octet decode to the same, however mutated', () => {
  const random = makeRandom(7);
  for (let round = 0; round < 300; round++) {
    const bytes = mutate(random);
    const whole = outcomes([bytes]);
    for (let at = 1; at < bytes.length; at++) {
      assert.deepEqual(outcomes([bytes.subarray(0, at), bytes.subarray(at)]), whole, bytes.toString('hex'));
    }
  }
});

function outcomes(chunks: readonly Buffer[]): unknown[] {
  const decoder = new PduDecoder();
  const found: unknown[] = [];
  for (const chunk of chunks) {
    decoder.push(chunk);
    for (let next = decoder.next(); next !== undefined; next = decoder.next()) {
      // How much of the header was there when the length was refused is the only thing a split may change.
      found.push(next.kind === 'broken' ? { kind: next.kind, command_length: next.command_length } : next);
      if (next.kind === 'broken') return found;
    }
  }
  return found;
}

function memory(): number {
  collectGarbage();
  return process.memoryUsage.rss();
}
