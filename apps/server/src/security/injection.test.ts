/** Text that means something to a database, a shell, a template or a parser, put wherever a caller may put text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeOpenApi } from '@pahatid/contract';
import { startStopwatch } from '@pahatid/testkit';
import { digestTables } from './testing/digest-tables.ts';
import { injections } from './testing/injections.ts';
import { inputsOf } from './testing/inputs.ts';
import { allRoutes, makeSweep } from './testing/sweep.ts';

const sweep = await makeSweep();
const { api, ids, nobodys, fill, bodyOf, credentials, caller } = sweep;
const { pool } = api.db;
const { paths } = makeOpenApi();
const isSoak = process.env.PAHATID_SOAK !== undefined;
/** Injections per parameter; each parameter continues where the previous one stopped, so that all are used. */
const eachTakes = isSoak ? injections.length : 4;

/** Database error text for a value that was interpreted as SQL. */
const leaks =
  /syntax error|unterminated|pg_catalog|SQLSTATE|relation "|column "|invalid input syntax|operator does not exist|\bat .+\.[jt]s:\d+|node_modules/i;

interface Place {
  readonly key: (typeof allRoutes)[number][0];
  readonly where: string;
  put(text: string): { route: string; input: { query?: Record<string, string>; body?: object } };
}

const places: Place[] = allRoutes.flatMap(([key, definition]): Place[] => {
  if (definition.multipart === true || definition.answer === 'events') return [];
  // Calls that would destroy test data use nonexistent ids.
  const by = /^DELETE |\/suspend$|\/erase$|\/disable$/.test(key) ? nobodys : ids;
  const { body = {} } = bodyOf(key);
  const { path, query, text } = inputsOf(paths, key);
  const route = fill(key, by);
  return [
    ...path.map((name) => ({
      key,
      where: `:${name}`,
      put: (value: string) => ({
        route: fill(key, { ...by, [name]: encodeURIComponent(value) || '%20' }),
        input: bodyOf(key),
      }),
    })),
    ...query.map((name) => ({
      key,
      where: `?${name}`,
      put: (value: string) => ({ route, input: { query: { [name]: value }, ...bodyOf(key) } }),
    })),
    ...text.map((name) => ({
      key,
      where: `.${name}`,
      put: (value: string) => ({ route, input: { body: { ...body, [name]: value } } }),
    })),
  ];
});

test('S24 60 injections and more: no parameter of any route reads them as anything but text', async () => {
  assert.ok(injections.length >= 60 && new Set(injections).size === injections.length);
  assert.ok(places.length >= 250, `${places.length} parameters`);
  const tables = Object.keys(await digestTables(pool));
  let next = 0;
  let slowest = 0;
  const watch = startStopwatch();
  const used = new Set<string>();
  for (const { key, where, put } of places)
    for (let n = 0; n < eachTakes; n++) {
      const injection = injections[next++ % injections.length] ?? '';
      used.add(injection);
      // No call signs out or in, and no attempts run out: they are not tested here.
      const { route, input } = put(injection);
      const who = key === 'DELETE /session' ? 'viewer' : caller(key);
      const began = performance.now();
      const { status, text } = await api.ask(who, route, { ...input, ...credentials(key, 'app') });
      slowest = Math.max(slowest, performance.now() - began);
      const about = `${key} ${where} = ${injection}: ${status} ${text.slice(0, 300)}`;
      assert.ok(status < 500, about);
      assert.ok(status < 300 || [400, 401, 403, 404, 409, 410, 415, 422, 429].includes(status), about);
      if (status >= 400) assert.doesNotMatch(text.replaceAll(injection, ''), leaks, about);
    }
  assert.equal(used.size, injections.length);
  // Those that would sleep ask for 9 seconds.
  watch.assertSpan(slowest, 8_000, 'the slowest');
  assert.deepEqual(Object.keys(await digestTables(pool)), tables, 'no table has gone or come');
  assert.equal((await api.ask('owner', 'GET /session')).status, 200);
});

test('S24 a search finds by its text, not by what a database would make of it', async () => {
  for (const { key, where, put } of places) {
    if (!key.startsWith('GET ') || where !== '?search') continue;
    const all = await api.ask(caller(key), fill(key, ids));
    if (!Array.isArray(all.body?.items)) continue;
    for (const injection of ["' or '1'='1", "x' or 1=1 --", '%', '_', '%%%', '\\%', "') or true or ('", '.*', '*']) {
      const { route, input } = put(injection);
      const { status, body, text } = await api.ask(caller(key), route, input);
      if (status === 400) continue;
      assert.equal(status, 200, `${key} ${injection}: ${text}`);
      const bears = JSON.stringify(body.items.map((item: object) => Object.values(item)));
      assert.ok(
        body.items.length === 0 || bears.includes(injection.slice(0, 1)),
        `${key} finds ${body.items.length} by ${injection}`,
      );
    }
  }
});

const hostileJson: Record<string, string> = {
  'not JSON': '{',
  'equal keys': '{"a":1,"a":2}',
  'equal keys, one of them escaped': '{"a":1,"\\u0061":2}',
  __proto__: '{"__proto__":{"role":"admin"}}',
  '__proto__, escaped': '{"\\u005f_proto__":{"role":"admin"}}',
  '__proto__, deep': '{"a":[{"b":{"__proto__":1}}]}',
  constructor: '{"constructor":{"prototype":{"role":"admin"}}}',
  prototype: '{"prototype":{"role":"admin"}}',
  deep: `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  'deep in an object': `{"a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
  'unclosed deep': '{"a":'.repeat(10_000),
  'a number past all numbers': '{"a":1e309}',
  'a number below them': '{"a":-1e309}',
  'half a surrogate pair': '{"a":"\\ud83d"}',
  'half a surrogate pair as a key': '{"\\udc00":1}',
  NUL: '{"a":"a\\u0000b"}',
  NaN: '{"a":NaN}',
  'a comment': '{"a":1/*x*/}',
  'a list': '[]',
  text: '"text"',
  number: '1',
  'byte order mark': '\ufeff\ufeff{}x',
};

test('S30 hostile JSON is 400 on every route that takes a body, and no object got a field by it', async () => {
  for (const [key, definition] of allRoutes) {
    if (definition.body === undefined) continue;
    for (const [name, text] of Object.entries(hostileJson)) {
      const answer = await api.ask(caller(key), fill(key, ids), { body: text, ...credentials(key, 'app') });
      assert.equal(answer.status, 400, `${key}, ${name}: ${answer.status} ${answer.text.slice(0, 300)}`);
      assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
    }
  }
  assert.equal(({} as Record<string, unknown>)['role'], undefined);
});

test('S30 the same in the fields that a body has', async () => {
  for (const { key, where, put } of places) {
    if (!where.startsWith('.')) continue;
    const { route, input } = put('MARK');
    for (const [name, value] of [
      ['half a pair', '"\\ud83d"'],
      ['NUL', '"a\\u0000b"'],
      ['past all numbers', '1e309'],
      ['__proto__', '{"__proto__":{"role":"admin"}}'],
      ['deep', `${'['.repeat(40)}${']'.repeat(40)}`],
    ]) {
      const text = JSON.stringify(input.body).replace('"MARK"', () => value ?? '');
      const answer = await api.ask(caller(key), route, { body: text, ...credentials(key, 'app') });
      assert.equal(answer.status, 400, `${key} ${where}, ${name}: ${answer.text.slice(0, 300)}`);
    }
  }
});

test('S30 hostile queries and headers are 400 on every route, whatever it reads of them', async () => {
  for (const [key, definition] of allRoutes) {
    if (definition.answer === 'events' || definition.multipart === true || key.startsWith('DELETE ')) continue;
    const { query } = inputsOf(paths, key);
    const [name = 'limit'] = query;
    for (const text of [
      '__proto__=1',
      '__proto__[role]=admin',
      'constructor=1',
      `${name}=1&${name}=2`,
      `${name}[]=1`,
      `${name}=%00`,
      ...(query.includes('limit') ? ['limit=1e309', 'limit=-1', 'limit=0x10', 'limit=NaN'] : []),
    ]) {
      const answer = await api.ask(caller(key), `${fill(key, ids)}?${text}`, {
        ...bodyOf(key),
        ...credentials(key, 'app'),
      });
      assert.equal(answer.status, 400, `${key}?${text}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
  }
  for (const [name, value, expected] of [
    ['cookie', `__proto__=1; constructor=2; ${api.users.owner.cookie}`, 200],
    ['accept', '__proto__', 200],
    ['accept-language', '__proto__,zh;q=1e309', 200],
    ['user-agent', '\u00ff'.repeat(4_000), 200],
    // The demo refuses forwarded requests.
    ['x-forwarded-for', '__proto__', 403],
  ] as const) {
    const { status } = await api.ask('owner', 'GET /tasks', { headers: { [name]: value } });
    assert.equal(status, expected, name);
  }
  assert.equal(({} as Record<string, unknown>)['role'], undefined);
});
