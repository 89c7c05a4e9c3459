/**
 * Calls generated from the OpenAPI document: bodies and queries that nearly fit it. 2,000 of them, 200,000 with
 * PAHATID_SOAK. The soak draws a new seed each time; PAHATID_SEED repeats the one reported with a failure.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCatalogue, makeOpenApi, type RouteKey } from '@pahatid/contract';
import { run, sql } from '@pahatid/db';
import { startStopwatch } from '@pahatid/testkit';
import fc from 'fast-check';
import { makeBodyArbitrary, makeQueryArbitrary } from './testing/arbitraries.ts';
import { bodySchemaOf, operationOf } from './testing/inputs.ts';
import { allRoutes, makeSweep } from './testing/sweep.ts';

const isSoak = process.env.PAHATID_SOAK !== undefined;
const calls = isSoak ? 200_000 : 2_000;
const seed = Number(process.env.PAHATID_SEED ?? (isSoak ? Date.now() % 2 ** 31 : 20_261_121));
const slowMs = 2_000;

const watch = startStopwatch();
const sweep = await makeSweep();
const { api, ids, nobodys, bodies, fill, credentials, caller } = sweep;
const { pool } = api.db;
const document = makeOpenApi();

/** Streams stay open, and uploads have separate tests. */
const swept = allRoutes.filter(([, { answer, multipart }]) => answer !== 'events' && multipart !== true);

/** Calls that would end the caller's own session, or lock its customer, use an expendable user or nonexistent ids. */
const ends = /^DELETE |\/(suspend|disable|erase|terminate|cancel)$/;
const asViewer = new Set<string>(['DELETE /session', 'DELETE /account/sessions', 'POST /password']);

const outside = new Set<string>();

async function ask(key: RouteKey, query: Record<string, string> | undefined, body: unknown): Promise<void> {
  const route = fill(key, ends.test(key) ? nobodys : ids);
  const who = asViewer.has(key) ? 'viewer' : caller(key);
  const began = performance.now();
  const {
    status,
    text,
    body: said,
  } = await api.ask(who, route, {
    ...(query && { query }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...credentials(key, 'app'),
  });
  const about = `seed ${seed}: ${key} ${JSON.stringify({ query, body })?.slice(0, 600)}: ${status} ${text.slice(0, 600)}`;
  // The server itself checks here that a response fits its schema: one that does not is a 500.
  assert.ok(status < 500, about);
  watch.assertSpan(performance.now() - began, slowMs, about);
  assert.doesNotMatch(text, /\bat .+\.[jt]s:\d+|node_modules|SQLSTATE/, about);
  if (status >= 400) {
    const catalogued = errorCatalogue[said.code as keyof typeof errorCatalogue];
    assert.equal(catalogued?.status, status, about);
    assert.deepEqual(
      [said.status, said.type],
      [status, `${api.deps.config.publicUrl}/docs/errors/${said.code}`],
      about,
    );
  }
  const { responses } = operationOf(document.paths, key);
  if (!(String(status) in responses)) outside.add(`${key}: ${status} ${said?.code}`);
}

/** Resets what the calls changed for the callers themselves, so that they get past authentication. */
async function fixCallers(): Promise<void> {
  await run(pool, sql`delete from attempt`);
  await run(pool, sql`update customer set require_two_factor = false, use_state = 1`).catch(() => 0);
  await run(pool, sql`update app_user set use_state = 1`);
  const { status } = await api.ask('viewer', 'GET /session');
  if (status === 401) api.users.viewer.cookie = await api.signIn(api.users.viewer.userId);
  for (const who of ['owner', 'admin'] as const)
    assert.equal((await api.ask(who, 'GET /applications')).status, 200, `${who} is out`);
}

test(`S31 ${calls.toLocaleString('en')} calls generated from the contract: no fault, no hang, valid responses, no internals leaked`, async () => {
  const rounds = Math.ceil(calls / swept.length);
  let made = 0;
  for (const [at, [key]] of swept.entries()) {
    const operation = operationOf(document.paths, key);
    const schema = bodySchemaOf(operation);
    const query = makeQueryArbitrary(operation);
    const body = schema === undefined ? fc.constant(undefined) : makeBodyArbitrary(schema, bodies[key] ?? {});
    for (const [q, b] of fc.sample(fc.tuple(query, body), { numRuns: rounds, seed: seed + at })) {
      made += 1;
      await ask(key, q, b);
      if (isSoak && made % 100 === 0) await fixCallers();
    }
    if (at % 8 === 7) await fixCallers();
  }
  await fixCallers();
  assert.ok(made >= calls, `${made} calls`);
  assert.deepEqual([...outside].sort(), [], 'answers with a status that the OpenAPI document does not name');
});

const hostile: readonly unknown[] = [
  null,
  '',
  ' ',
  '\u202e\u200b\ufeff',
  '%_\\\'";--',
  '{1}'.repeat(500),
  '😀'.repeat(200),
  'x'.repeat(5_000),
  -1,
  0,
  2 ** 53,
  1.5,
  true,
  [],
  [[[]]],
  {},
  '2026-13-45T99:99:99Z',
  '9999-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2026-01-01T00:00:00+23:59',
  // A zone to one table of zones, and not to another.
  'VST',
  '../../etc/passwd',
];

test('S31 no value of any field or query brings the server to a fault', async () => {
  let made = 0;
  let at = 0;
  /** All of them in the long run, the next six otherwise. */
  const next = () => (isSoak ? hostile : Array.from({ length: 6 }, () => hostile[at++ % hostile.length]));
  for (const [place, [key]] of swept.entries()) {
    const operation = operationOf(document.paths, key);
    for (const { name } of operation.parameters?.filter((each) => each.in === 'query') ?? [])
      for (const value of next()) {
        made += 1;
        await ask(key, { [name]: typeof value === 'string' ? value : JSON.stringify(value) }, bodies[key]);
      }
    // Signing in is slow on purpose.
    if (caller(key) === null) continue;
    for (const name of Object.keys(bodySchemaOf(operation)?.properties ?? {}))
      for (const value of next()) {
        made += 1;
        await ask(key, undefined, { ...bodies[key], [name]: value });
      }
    if (place % 8 === 7) await fixCallers();
  }
  await fixCallers();
  assert.ok(made > 800, `${made} calls`);
  assert.deepEqual([...outside].sort(), []);
});
