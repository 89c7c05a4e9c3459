/** Walls between customers, walked over every route of the contract. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { findScope, makeOpenApi, type Role, type RouteKey, staffRoles } from '@pahatid/contract';
import { many, run, sql } from '@pahatid/db';
import type { Answer, Ask, Who } from '../http/testing/test-api.ts';
import { inputsOf } from './testing/inputs.ts';
import { allRoutes, type Ids, makeSweep } from './testing/sweep.ts';
import { tablesFile } from './testing/sweep-tables.ts';

const sweep = await makeSweep();
const { api, ids, own, nobodys, fill, bodyOf, credentials, caller } = sweep;

const { paths } = makeOpenApi();
/** Fields that reference an object with an owner; `senderId` is text for people, `smppId` and the like do not exist. */
const isIdName = (name: string): boolean => /(?:^id|Id)$/.test(name) && name !== 'senderId';
/** Kinds and free lists are terms of the contract, without an owner. */
const isWord = (name: string): boolean => name === 'kind' || name === 'list';
const pathNames = (key: string): string[] => [...key.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
const queryNames = (key: string): string[] => inputsOf(paths, key).query;
const bodyNames = (key: string): string[] => inputsOf(paths, key).text;

/** Statistics that reach the present contain their end time. */
const instant = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const withoutNow = (said: string): string =>
  said.replaceAll(instant, (at) => (Math.abs(Date.now() - Date.parse(at)) < 86_400_000 ? 'NOW' : at));
/** Returns what distinguishes responses; the request id differs in each, and so does the requested id. */
const tellOf = ({ status, body, text, headers }: Answer, asked: readonly string[]): string => {
  const whole = withoutNow(body === undefined ? text : JSON.stringify({ ...body, requestId: '' }));
  // The digits of our own address may be an id.
  const said = whole.replaceAll(api.deps.config.publicUrl, 'SITE');
  return [status, headers['content-type'], asked.reduce((all, id) => all.replaceAll(id, 'ID'), said)].join('\n');
};

/** The statements that a call makes the database run: two calls that make the same ones are of one class of time. */
const statements: string[] = [];
/** Set in what a call runs, and not in what the server does by the clock at the same time. */
const asking = new AsyncLocalStorage<true>();
{
  const client = (await api.db.pool.connect()) as unknown as { release(): void; constructor: { prototype: object } };
  const { prototype } = client.constructor as { prototype: { query(...args: unknown[]): unknown } };
  client.release();
  const { query } = prototype;
  prototype.query = function (this: object, ...args: unknown[]) {
    const [first] = args as [string | { text?: string }];
    if (asking.getStore()) statements.push(typeof first === 'string' ? first : (first.text ?? ''));
    return query.apply(this, args);
  };
}
/** Statements that the server begins with a call and continues on its own: listening, refusals, its writer's lease. */
const byTheClock = ['listen ', 'application_refusal', 'update writer_lease'];
const askCounting = async (who: Who, route: string, input: Ask): Promise<{ answer: Answer; ran: string[] }> => {
  statements.length = 0;
  const answer = await asking.run(true, () => api.ask(who, route, input));
  return { answer, ran: statements.filter((text) => !byTheClock.some((each) => text.includes(each))) };
};

/**
 * Compares the route with one id of the first customer and with a nonexistent one; all other ids are the caller's own.
 */
async function compare(
  key: RouteKey,
  name: string,
  make: (id: string) => { route: string; input: Ask },
): Promise<Answer> {
  const [theirs, random] = [ids[name], nobodys[name]];
  assert.ok(
    theirs && random,
    `${key}: the sweeps have no ${name} of a customer. Add a real one of each to makeIds in apps/server/src/security/testing/sweep.ts, and one of nobody to makeNobodys in ${tablesFile}.`,
  );
  const ask = async (id: string) => {
    const { route, input } = make(id);
    return askCounting('other', route, { ...input, ...credentials(key, 'otherApp') });
  };
  let asOfNobody = await ask(random);
  let asOfTheirs = await ask(theirs);
  // Data read into memory by the first call is not reread by the second, or a one-second cache expired between them: a
  // real difference in the queries would recur each time.
  for (let again = 0; again < 6 && asOfNobody.ran.join() !== asOfTheirs.ran.join(); again++)
    if (again % 2 === 0) asOfNobody = await ask(random);
    else asOfTheirs = await ask(theirs);
  assert.ok(asOfTheirs.ran.length > 0, `${key}: no statement was seen`);
  assert.equal(tellOf(asOfTheirs.answer, [theirs]), tellOf(asOfNobody.answer, [random]), `${key} ${name}`);
  assert.deepEqual(asOfTheirs.ran, asOfNobody.ran, `${key} ${name}: takes another way through the database`);
  return asOfTheirs.answer;
}

test('S1 another customer id in a path looks like an unknown id, on every route, by response and by queries run', async () => {
  const countActs = async () =>
    (await many(api.db.pool, sql`select 1 from audit_log where user_id = ${api.users.other.userId}`)).length;
  const before = await countActs();
  const swept = new Set<string>();
  for (const [key, { access }] of allRoutes) {
    if (access === 'public') continue;
    for (const name of pathNames(key)) {
      // Routes and carriers are the provider's, closed to customers by their role.
      if (isWord(name)) continue;
      const answer = await compare(key, name, (id) => ({
        route: fill(key, { ...own, [name]: id }),
        input: bodyOf(key),
      }));
      assert.equal(answer.status, 404, `${key} with ${name} of another customer: ${answer.text}`);
      swept.add(`${key} ${name}`);
    }
  }
  const named = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security.length > 0)
      .flatMap(([method]) =>
        [...path.matchAll(/\{(\w+)\}/g)].map(
          ([, name]) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')} ${name}`,
        ),
      ),
  );
  assert.deepEqual(
    named.filter((each) => !swept.has(each) && !isWord(each.slice(each.lastIndexOf(' ') + 1))),
    [],
    'of the OpenAPI document, and not swept',
  );
  assert.equal(await countActs(), before, 'a refused call changed something');
});

test('S1 with all ids of the other customer at the same time, as json and as csv, nothing is found', async () => {
  for (const [key, definition] of allRoutes) {
    if (pathNames(key).every(isWord) || definition.access === 'public') continue;
    for (const accept of ['application/json', 'text/csv']) {
      const { headers } = credentials(key, 'otherApp');
      const ask = (by: Ids) => api.ask('other', fill(key, by), { ...bodyOf(key), headers: { ...headers, accept } });
      const theirs = await ask(ids);
      assert.equal(theirs.status, 404, `${key}: ${theirs.text}`);
      assert.equal(tellOf(theirs, Object.values(ids)), tellOf(await ask(nobodys), Object.values(nobodys)), key);
    }
  }
});

test('S1 an application password opens nothing of another customer, nor of another application of its own', async () => {
  for (const [key, { access }] of allRoutes) {
    if (access !== 'application' || !key.includes(':')) continue;
    const answer = await api.ask(null, fill(key, ids), {
      ...bodyOf(key),
      headers: { authorization: api.basic.otherApp },
    });
    assert.equal(answer.status, 404, `${key}: ${answer.text}`);
  }
  for (const [key, definition] of allRoutes) {
    if (definition.access === 'application' || definition.access === 'public') continue;
    if (findScope(key, definition) !== null && pathNames(key).length === 0) continue;
    const answer = await api.ask(null, fill(key, ids), {
      ...bodyOf(key),
      headers: { authorization: api.basic.otherApp },
    });
    // What is for people alone is refused before anything is looked up.
    const expected = findScope(key, definition) === null ? [403, 'FORBIDDEN'] : [404, 'NOT_FOUND'];
    assert.deepEqual([answer.status, answer.body.code], expected, `${key} by an application: ${answer.text}`);
  }
});

test('S1 an id issued to one visitor looks unknown to every other visitor', async () => {
  const open = allRoutes.filter(([key, { access }]) => access === 'public' && key.includes(':'));
  for (const [key] of open) {
    const ask = (by: Ids) => api.ask(null, fill(key, by), bodyOf(key));
    const theirs = await ask(ids);
    assert.ok(theirs.status >= 400 && theirs.status < 500, `${key}: ${theirs.text}`);
    assert.equal(tellOf(theirs, Object.values(ids)), tellOf(await ask(nobodys), Object.values(nobodys)), key);
  }
});

test('S2 without a session, or with an ended, unknown or expired one: 401 on every route', async () => {
  const gone = await api.signIn(api.users.viewer.userId);
  assert.equal((await api.ask(null, 'DELETE /session', { headers: { cookie: gone } })).status, 204);
  const old = await api.signIn(api.users.viewer.userId);
  await run(
    api.db.pool,
    sql`update session set last_seen_at = now() - interval '31 minutes'
        where session_hash = (select session_hash from session where user_id = ${api.users.viewer.userId} order by created_at desc limit 1)`,
  );
  const disabled = await api.signIn(api.users.viewer.userId);
  const unknown = `pahatid=${'A'.repeat(43)}`;
  for (const [key, { access }] of allRoutes) {
    if (access === 'public') continue;
    for (const cookie of ['', gone, old, unknown]) {
      const { status, body } = await api.ask(null, fill(key, ids), { ...bodyOf(key), headers: { cookie } });
      assert.deepEqual([status, body?.code], [401, 'NOT_SIGNED_IN'], `${key} with ${cookie.slice(0, 12)}`);
    }
  }
  await run(api.db.pool, sql`update app_user set use_state = 0 where user_id = ${api.users.viewer.userId}`);
  for (const [key, { access }] of allRoutes) {
    if (access === 'public') continue;
    const { status } = await api.ask(null, fill(key, ids), { ...bodyOf(key), headers: { cookie: disabled } });
    assert.equal(status, 401, `${key} by a disabled person`);
  }
  await run(api.db.pool, sql`update app_user set use_state = 1 where user_id = ${api.users.viewer.userId}`);
  // All of its sessions ended with it.
  api.users.viewer.cookie = await api.signIn(api.users.viewer.userId);
});

test('S2 a role that the contract does not name is refused on every route, before anything else is looked at', async () => {
  let asked = 0;
  for (const [key, { access }] of allRoutes) {
    if (typeof access === 'string') continue;
    for (const role of ['owner', 'member', 'viewer', ...staffRoles] as const satisfies Role[]) {
      if (access.includes(role)) continue;
      asked += 1;
      for (const input of [{}, bodyOf(key), { body: '{' }]) {
        const { status } = await api.ask(role, fill(key, ids), input);
        assert.ok(status === 403 || status === 404, `${key} as ${role}: ${status}`);
      }
    }
  }
  assert.ok(asked >= 200, `${asked} pairs`);
});

test('S2 customers find no route of the staff, and a reviewer none of finance', async () => {
  for (const [key, { access }] of allRoutes) {
    if (typeof access === 'string' || access.some((role) => !(staffRoles as readonly Role[]).includes(role))) continue;
    for (const role of ['owner', 'member', 'viewer'] as const) {
      const { status, body } = await api.ask(role, fill(key, ids), bodyOf(key));
      assert.ok(status === 404 || (status === 403 && body.code === 'FORBIDDEN'), `${key} as ${role}: ${status}`);
    }
  }
  const finance = allRoutes.filter(([key]) => /\/(billing|prices|price-changes)\b|\/ledger$/.test(key));
  assert.ok(finance.length >= 10);
  for (const [key] of finance) {
    const { status } = await api.ask('reviewer', fill(key, ids), bodyOf(key));
    assert.ok(status === 403 || status === 404, `${key} as a reviewer: ${status}`);
  }
});

/** An empty list, or sums that are zero or not known. */
const isNothing = ({ items, ...sums }: Record<string, unknown>): boolean =>
  items === undefined
    ? Object.values(sums).every((sum) => sum === null || sum === 0)
    : Array.isArray(items) && items.length === 0;

test('S3 another customer id in a query is rejected, or finds what an unknown id finds: nothing', async () => {
  let asked = 0;
  for (const [key, { access, csv }] of allRoutes) {
    if (access === 'public') continue;
    for (const name of queryNames(key).filter(isIdName)) {
      for (const accept of csv === true ? ['application/json', 'text/csv'] : ['application/json']) {
        asked += 1;
        const answer = await compare(key, name, (id) => ({
          route: fill(key, own),
          input: { query: { [name]: id }, headers: { accept } },
        }));
        if (name === 'customerId' || name === 'appId')
          assert.ok(answer.status === 400 || answer.status === 404, `${key}?${name}: ${answer.text}`);
        else if (answer.status === 200 && answer.body !== undefined)
          assert.ok(isNothing(answer.body), `${key}?${name}: ${answer.text}`);
        else if (answer.status === 200)
          assert.equal(answer.text.trimEnd().split('\r\n').length, 1, `${key}: ${answer.text}`);
      }
    }
  }
  assert.ok(asked >= 15, `${asked} queries`);
});

test('S3 a customer, tenant or application that is slipped into any query is 400 or 404', async () => {
  for (const [key, { access }] of allRoutes) {
    if (access === 'public' || !key.startsWith('GET ')) continue;
    for (const name of ['customerId', 'tenantId', 'customer_id', 'customerId[]', 'appId', 'account', 'userId']) {
      // The audit log is searched by account, within what the caller may see.
      if (queryNames(key).includes(name) && !isIdName(name)) continue;
      const { status, text } = await api.ask('other', fill(key, own), {
        query: { [name]: ids[name] ?? api.customerId },
        ...credentials(key, 'otherApp'),
      });
      assert.ok(status === 400 || status === 404, `${key}?${name}: ${status} ${text.slice(0, 200)}`);
    }
  }
});

test('S3 another customer id in a body gets the response of an unknown id, and nothing is created', async () => {
  const before = await many(api.db.pool, sql`select count(*)::int as n from audit_log`);
  let asked = 0;
  for (const [key, { access }] of allRoutes) {
    if (access === 'public' || caller(key) !== 'owner') continue;
    for (const name of bodyNames(key).filter(isIdName)) {
      asked += 1;
      const { body = {} } = bodyOf(key);
      const answer = await compare(key, name, (id) => ({
        route: fill(key, own),
        input: { body: { ...body, [name]: id } },
      }));
      assert.ok([400, 404, 409].includes(answer.status), `${key} ${name}: ${answer.status} ${answer.text}`);
    }
  }
  assert.ok(asked >= 8, `${asked} bodies`);
  assert.deepEqual(await many(api.db.pool, sql`select count(*)::int as n from audit_log`), before);
});

test('S3 sorts, groups and kinds are values of a list; column names are not', async () => {
  let asked = 0;
  for (const [key, { access }] of allRoutes) {
    if (access === 'public') continue;
    for (const name of queryNames(key).filter((each) =>
      /^(sort|by|kind|metric|group|groupBy|range|zone|lang)$/.test(each),
    )) {
      for (const value of [
        'customer_id',
        'customerId',
        'price_hash',
        '1;select 1',
        'createTime desc',
        '-customerId',
        'name,(select 1)',
      ]) {
        asked += 1;
        const { status, text } = await api.ask(caller(key), fill(key, ids), {
          query: { [name]: value },
          ...credentials(key, 'app'),
        });
        assert.equal(status, 400, `${key}?${name}=${value}: ${text.slice(0, 200)}`);
      }
    }
  }
  assert.ok(asked >= 50, `${asked} queries`);
});

test("S3 a cursor of another customer's list begins nowhere in it", async () => {
  for (const key of ['GET /applications', 'GET /templates', 'GET /senders', 'GET /tasks'] as const) {
    await run(api.db.pool, sql`select 1`);
    const theirs = await api.ask('owner', key, { query: { limit: '1' } });
    assert.equal(theirs.status, 200, theirs.text);
    const [item] = theirs.body.items;
    assert.ok(item, key);
    const cursor = theirs.body.nextCursor;
    if (cursor === null) continue;
    const { status, text } = await api.ask('other', key, { query: { cursor } });
    assert.ok(status === 200 || status === 400, `${key}: ${text}`);
    assert.ok(!text.includes(item.appId), `${key}: ${text}`);
  }
});
