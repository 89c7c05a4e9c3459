/** Rate limits hold over several api processes: each has its own buckets and hears what the others admitted. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { testDatabase } from '@pahatid/testkit';
import { ProblemError } from './problem.ts';
import { makeRateLimiter, type Tenant } from './rate-limit.ts';
import { CallCounts, SHARED_EVERY_MS } from './share-call-counts.ts';

const db = await testDatabase();
const SECONDS = 60;
const PER_SECOND = 20;
const STEP_MS = 10;
/** More than the limit, of one process. */
const ASKED_PER_STEP = 2;

/** Returns how many calls processes admit in a minute; a process that is not asked is `false`. */
async function count(tenant: Tenant, asked: readonly boolean[]): Promise<number> {
  let atMs = 0;
  const rates = { people: PER_SECOND, application: PER_SECOND, address: PER_SECOND };
  const processes = asked.map((isAsked) => {
    const limiter = makeRateLimiter(rates, 1_000, () => atMs);
    return { isAsked, limiter, counts: new CallCounts(limiter, db.pool) };
  });
  let admitted = 0;
  while (atMs < SECONDS * 1_000) {
    atMs += STEP_MS;
    for (const { isAsked, limiter } of processes)
      for (let n = 0; isAsked && n < ASKED_PER_STEP; n++) if (isAdmitted(limiter, tenant)) admitted += 1;
    if (atMs % SHARED_EVERY_MS === 0) for (const { counts } of processes) await counts.exchange();
  }
  return admitted;
}

function isAdmitted(limiter: ReturnType<typeof makeRateLimiter>, tenant: Tenant): boolean {
  const raw = new EventEmitter();
  try {
    limiter.admit(tenant, { raw, header: () => undefined } as never, false);
    raw.emit('close');
    return true;
  } catch (error) {
    assert.ok(error instanceof ProblemError && error.code === 'RATE_LIMITED');
    return false;
  }
}

const LIMIT = PER_SECOND * SECONDS;

for (const [name, asked] of [
  ['one process', [true]],
  ['one of three processes', [true, false, false]],
  ['three processes', [true, true, true]],
] as const) {
  test(`S65 a caller that reaches ${name} gets its limit, within 20 %`, async (t) => {
    const admitted = await count({ kind: 'application', id: name }, asked);
    t.diagnostic(`${admitted} of ${LIMIT} in a minute`);
    assert.ok(admitted > 0.8 * LIMIT && admitted < 1.2 * LIMIT, `${admitted} of ${LIMIT}`);
  });
}

test('S65 callers of one name in different limits, and of one IPv6 network, are counted apart and together', async () => {
  let atMs = 0;
  const rates = { people: 1, application: 1, address: 1 };
  const [here, there] = [1, 2].map(() => makeRateLimiter(rates, 1_000, () => atMs));
  const [mine, other] = [new CallCounts(here!, db.pool), new CallCounts(there!, db.pool)];
  const use = (limiter: ReturnType<typeof makeRateLimiter>, tenant: Tenant): number => {
    let n = 0;
    while (isAdmitted(limiter, tenant)) n += 1;
    return n;
  };
  const network = (host: string): Tenant => ({ kind: 'address', ip: `2001:db8::${host}` });
  assert.equal(use(there!, { kind: 'people', id: 'same' }), 4);
  assert.equal(use(there!, network('1')), 4);
  assert.ok(isAdmitted(here!, { kind: 'people', id: 'same' }));
  assert.ok(isAdmitted(here!, { kind: 'application', id: 'same' }));
  assert.ok(isAdmitted(here!, network('2')));
  atMs += 500;
  await other.exchange();
  await mine.exchange();
  assert.equal(use(here!, { kind: 'people', id: 'same' }), 0);
  assert.equal(use(here!, network('3')), 0);
  assert.equal(use(here!, { kind: 'application', id: 'same' }), 3);
  // What is owed is one burst at most.
  atMs += 4_000;
  assert.ok(isAdmitted(here!, network('3')));
});

test('S65 one statement names at most 500 callers, and none that is far below its limit', () => {
  let atMs = 0;
  const limiter = makeRateLimiter({ people: 1_000, application: 1_000, address: 1 }, 1_000, () => atMs);
  for (let n = 0; n < 1_000; n++)
    isAdmitted(limiter, { kind: 'address', ip: `10.0.${Math.floor(n / 250)}.${n % 250}` });
  for (let n = 0; n < 9; n++) isAdmitted(limiter, { kind: 'people', id: 'quiet' });
  atMs += 500;
  const counts = limiter.takeCounts();
  assert.equal(counts.length, 500);
  assert.ok(counts.every(({ key }) => key.startsWith('address:')));
  assert.deepEqual(limiter.takeCounts(), []);
});
