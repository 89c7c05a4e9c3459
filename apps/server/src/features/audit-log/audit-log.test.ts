import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, run, sql, uuidV7, writeAudit } from '@pahatid/db';
import { insertShortLink } from '@pahatid/db/queries/short-links';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { customerId, otherCustomerId, appId, users } = api;
const { pool } = api.db;

const at = { ip: '203.0.113.7', userAgent: 'A browser', before: null, after: null };
const byOwner = { userId: users.owner.userId, account: users.owner.account, role: 'owner' as const };
const byOperator = { userId: users.operator.userId, account: users.operator.account, role: 'operator' as const };
const nobody = { userId: null, account: null };
const ofTask = { subjectType: 'task', subjectId: '019a0000-0000-7000-8000-000000000001' };

await writeAudit(pool, {
  ...at,
  ...byOwner,
  customerId,
  action: 'edit',
  subjectType: 'application',
  subjectId: appId,
  before: { remarkInfo: 'old' },
  after: { remarkInfo: 'new', phone: '09171234567', appSecret: 'hidden-one' },
});
await writeAudit(pool, {
  ...at,
  ...byOperator,
  ...ofTask,
  customerId,
  action: 'pause',
  after: { routeId: 'r', paused: 1 },
});
await writeAudit(pool, { ...at, ...nobody, ...ofTask, customerId, appId, action: 'cancel' });
await writeAudit(pool, { ...at, ...nobody, ...ofTask, customerId, action: 'complete', ip: null, userAgent: null });
await writeAudit(pool, {
  ...at,
  userId: null,
  account: users.owner.account,
  customerId,
  action: 'signInFailed',
  subjectType: 'session',
  subjectId: users.owner.userId,
});
await writeAudit(pool, { ...at, ...byOperator, ...ofTask, customerId: null, action: 'edit', subjectType: 'supplier' });
await writeAudit(pool, { ...at, ...nobody, ...ofTask, customerId: otherCustomerId, action: 'edit', account: 'theirs' });

const actionsOf = (answer: { body: { items: { action: string }[] } }): string[] =>
  answer.body.items.map(({ action }) => action);
const list = (who: 'owner' | 'other' | 'reviewer' | 'operator' | 'admin', query: Record<string, string> = {}) =>
  api.ask(who, 'GET /audit-log', { query });

test("an owner reads its own customer's log, newest first, and nothing of another's or of the staff's", async () => {
  const answer = await list('owner');
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(actionsOf(answer), ['signInFailed', 'complete', 'cancel', 'pause', 'edit']);
  assert.doesNotMatch(answer.text, /theirs|supplier/);
  assert.deepEqual(actionsOf(await list('other')), ['edit']);
});

test('staff read all of it, or one customer of theirs', async () => {
  for (const who of ['reviewer', 'operator', 'admin'] as const) assert.equal((await list(who)).body.items.length, 7);
  const narrowed = await list('admin', { customerId: otherCustomerId });
  assert.deepEqual(
    narrowed.body.items.map((item: { operator: string }) => item.operator),
    ['Customer B'],
  );
});

test('actors are shown by kind; a customer does not see which staff user acted', async () => {
  const [, , , pause] = (await list('owner')).body.items;
  assert.deepEqual(pause.actor, { kind: 'staff', userId: null, account: null, name: null, role: null });
  assert.deepEqual([pause.ip, pause.userAgent, pause.operator], [null, null, undefined]);
  const kinds = (await list('owner')).body.items.map((item: { actor: { kind: string } }) => item.actor.kind);
  assert.deepEqual(kinds, ['visitor', 'system', 'application', 'staff', 'member']);
  const [forStaff] = (await list('operator', { action: 'pause' })).body.items;
  assert.deepEqual(forStaff.actor, { kind: 'staff', ...byOperator, name: users.operator.account });
  assert.deepEqual((await list('owner', { actor: users.operator.account })).body.items, []);
  assert.deepEqual((await list('owner', { actor: users.operator.userId })).body.items, []);
});

test('filters narrow by person, kind, action, object and time', async () => {
  const cases: [Record<string, string>, string[]][] = [
    [{ actor: users.owner.account.slice(0, 12) }, ['signInFailed', 'edit']],
    [{ actor: users.owner.userId }, ['edit']],
    [{ actor: appId }, ['cancel']],
    [{ actorKind: 'staff' }, ['pause']],
    [{ actorKind: 'system' }, ['complete']],
    [{ action: 'pause,cancel' }, ['cancel', 'pause']],
    [{ subjectType: 'application' }, ['edit']],
    [{ subjectId: ofTask.subjectId }, ['complete', 'cancel', 'pause']],
    [{ to: '2020-01-01T00:00:00Z' }, []],
    [{ from: '2020-01-01T00:00:00Z', subjectType: 'session' }, ['signInFailed']],
  ];
  for (const [query, actions] of cases)
    assert.deepEqual(actionsOf(await list('owner', query)), actions, JSON.stringify(query));
});

test('a page follows another without a gap or a repeat', async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await list('owner', { limit: '2', ...(cursor !== undefined && { cursor }) });
    seen.push(...body.items.map((item: { auditId: string }) => item.auditId));
    cursor = body.nextCursor ?? undefined;
  } while (cursor !== undefined);
  assert.equal(new Set(seen).size, 5);
  assert.equal(seen.length, 5);
});

test('one entry shows before and after with no secret and no whole phone, and its place in the chain', async () => {
  const [, , , , edit] = (await list('owner')).body.items;
  assert.equal(edit.subjectName.length > 0, true);
  const { status, body, text } = await api.ask('owner', `GET /audit-log/${edit.auditId}`);
  assert.equal(status, 200, text);
  assert.deepEqual(body.before, { remarkInfo: 'old' });
  assert.deepEqual(body.after, { remarkInfo: 'new', phone: '*******4567', appSecret: '•••' });
  assert.match(body.chain.hash, /^[0-9a-f]{64}$/);
  assert.equal(body.chain.seq, '1');
});

test('what only staff may know is left out of an entry that a customer reads', async () => {
  const [, , , pause] = (await list('owner')).body.items;
  assert.deepEqual((await api.ask('owner', `GET /audit-log/${pause.auditId}`)).body.after, { paused: 1 });
  assert.deepEqual((await api.ask('admin', `GET /audit-log/${pause.auditId}`)).body.after, { routeId: 'r', paused: 1 });
});

test('S1 an entry of another customer or of the staff is answered like one that does not exist', async () => {
  const all = (await list('admin')).body.items as { auditId: string; customerId: string | null }[];
  for (const { auditId } of all.filter((item) => item.customerId !== customerId)) {
    const answer = await api.ask('owner', `GET /audit-log/${auditId}`);
    assert.deepEqual([answer.status, answer.body.code], [404, 'NOT_FOUND']);
  }
  assert.equal((await api.ask('owner', 'GET /audit-log/999999999999')).status, 404);
});

test('S2 a member, a viewer and a visitor find no audit log', async () => {
  for (const route of ['GET /audit-log', 'GET /audit-log/1']) {
    assert.equal((await api.ask(null, route)).status, 401);
    for (const who of ['member', 'viewer'] as const) assert.equal((await api.ask(who, route)).status, 404);
  }
});

test('what can’t be asked for is refused', async () => {
  const cases: Record<string, string>[] = [
    ...[{ action: "'; drop" }, { actorKind: 'robot' }, { from: 'yesterday' }, { cursor: 'x' }, { customerId }],
  ];
  for (const query of cases) assert.equal((await list('owner', query)).status, 400, JSON.stringify(query));
});

test('S56 the log as csv has every entry with before and after, and is itself on record', async () => {
  const answer = await api.ask('owner', 'GET /audit-log', {
    headers: { accept: 'text/csv', 'accept-language': 'zh-CN' },
  });
  assert.equal(answer.status, 200);
  // The heading, the five, and this export itself, which is on record before its first byte.
  assert.equal(answer.text.trim().split('\r\n').length, 7);
  assert.match(answer.text, /更改前/);
  assert.doesNotMatch(answer.text, /hidden-one|9171234567/);
  assert.ok(!answer.text.includes(users.operator.account));
  const [newest] = (await list('owner')).body.items;
  assert.deepEqual([newest.action, newest.subjectType], ['export', 'audit-log']);
});

test('S56 an entry has the IP address, browser and role', async () => {
  const { body } = await api.ask('member', 'POST /senders', {
    body: { appId, areaCode: 'PH', senderId: 'AUDITED' },
    headers: { 'user-agent': `Mozilla/5.0 ${'x'.repeat(1_000)}` },
    ip: '2001:db8::7',
  });
  const { body: found } = await list('admin', { subjectId: body.id });
  const [entry] = found.items;
  assert.deepEqual([entry.ip, entry.actor.role, entry.userAgent.length], ['2001:db8::7', 'member', 300]);
  assert.equal(entry.subjectName, 'AUDITED');
});

test('an object has its current name, or the one in the entry if deleted; an application action has its name', async () => {
  const [price, link, gone] = [uuidV7(), uuidV7(), uuidV7()];
  await run(pool, sql`insert into price (price_id, carrier, price) values (${price}, 'Smart', 5000)`);
  await insertShortLink(pool, {
    linkId: link,
    customerId,
    domain: 'pahatid.test',
    code: 'Ab3dEf7',
    mode: 'shared',
    createdBy: null,
    linkName: 'Catalogue',
    targetUrl: 'https://shop.example/',
    fallbackUrl: null,
    appId: null,
    templateId: null,
    expireTime: new Date(),
    useState: 1,
    at: new Date(),
  });
  const write = (subjectType: string, subjectId: string, states: { before?: object; after?: object } = {}) =>
    writeAudit(pool, { ...at, ...byOwner, customerId, action: 'delete', subjectType, subjectId, ...states });
  await write('price', price);
  await write('shortLink', link);
  await write('group', gone, { before: { groupName: 'Suki' } });
  await write('invitation', gone, { after: { email: 'new@shop.example' } });
  await write('member', users.member.userId);
  await write('optOut', customerId);
  await write('chart', gone);
  const { items } = (await list('owner', { action: 'delete' })).body;
  assert.deepEqual(items.map((item: { subjectName: string | null }) => item.subjectName).slice(0, -1), [
    null,
    'Customer A',
    users.member.account,
    'new@shop.example',
    'Suki',
    'Catalogue',
  ]);
  assert.equal((await list('admin', { subjectId: price })).body.items[0].subjectName, 'PH · Smart');
  const [cancelled] = (await list('owner', { action: 'cancel' })).body.items;
  const [app] = await many<{ name: string }>(
    pool,
    sql`select app_name as name from application where app_id = ${appId}`,
  );
  assert.deepEqual([cancelled.actor.account, cancelled.actor.name], [appId, app?.name]);
});
