import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus, TaskStatus } from '@pahatid/contract/enums';
import { buildGroup } from '@pahatid/db/builders';
import { useNumberHash } from '@pahatid/db/queries/erased-opt-outs';
import { registerFiles } from '../features/files/routes.ts';
import { registerGroups } from '../features/groups/routes.ts';
import { registerOptOuts } from '../features/opt-outs/routes.ts';
import { registerTasks } from '../features/tasks/routes.ts';
import { makeTaskWorld, msisdnAt } from '../http/testing/task-world.ts';
import { makeTestApi } from '../http/testing/test-api.ts';
import { findDifferences } from '../verify/find-differences.ts';
import { options as all } from '../verify/testing/agrees.ts';
import { emptyDeletedGroups, type ImportOptions, runNextImport } from './run-next-import.ts';

const api = await makeTestApi({ features: [registerGroups, registerOptOuts, registerFiles, registerTasks] });
const { customerId, otherCustomerId } = api;
const { pool } = api.db;
useNumberHash(api.deps.secrets.hashNumber);
const world = await makeTaskWorld(pool, customerId, api.appId);
const jobs = await world.jobs();
const nobody = '0190a000-0000-7000-8000-000000000000';

let names = 0;
const nextName = (): string => `Group ${++names}`;
const ask = api.ask;
const add = async (body: object = {}) =>
  (await ask('member', 'POST /groups', { body: { groupName: nextName(), ...body } })).body;
const detailOf = async (groupId: string) => (await ask('owner', `GET /groups/${groupId}`)).body;
const membersOf = async (groupId: string, query: Record<string, string> = {}) =>
  (await ask('owner', `GET /groups/${groupId}/members`, { query: { limit: '200', ...query } })).body.items as {
    mobileNumber: string;
    variables: string[];
    state: string;
  }[];
const numbersOf = async (groupId: string, query: Record<string, string> = {}) =>
  (await membersOf(groupId, query)).map((each) => each.mobileNumber);
const fill = async (options: ImportOptions = {}): Promise<void> => {
  while (await runNextImport(jobs, options));
};
/** Asserts that the stored member counts of groups match. */
const assertCounted = async (): Promise<void> => {
  const { differences } = await findDifferences(pool, all);
  assert.deepEqual(
    differences.filter((each) => each.check === 'group'),
    [],
  );
};
const group = (members: number[], more: object = {}) =>
  buildGroup(pool, {
    customerId,
    groupName: nextName(),
    members: members.map((index) => ({ msisdn: msisdnAt(index), variables: [`Name ${index}`] })),
    variableNames: ['name'],
    ...more,
  });

test('a group is added, renamed and deleted; its name is its own in any case of letters, and free again afterwards', async () => {
  const made = await ask('member', 'POST /groups', {
    body: { groupName: 'Suki', description: 'Regulars', variableNames: ['name', 'points'] },
  });
  assert.equal(made.status, 201);
  assert.deepEqual(
    [made.body.groupName, made.body.memberCount, made.body.suppressedCount, made.body.status, made.body.variableNames],
    ['Suki', 0, 0, 'ready', ['name', 'points']],
  );
  const { groupId } = made.body;
  const twice = await ask('owner', 'POST /groups', { body: { groupName: 'SUKI' } });
  assert.deepEqual([twice.status, twice.body.code], [409, 'GROUP_NAME_TAKEN']);
  const theirs = await ask('other', 'POST /groups', { body: { groupName: 'Suki' } });
  assert.equal(theirs.status, 201);
  const second = await add();
  const taken = await ask('owner', `PATCH /groups/${second.groupId}`, { body: { groupName: 'suki' } });
  assert.deepEqual([taken.status, taken.body.code], [409, 'GROUP_NAME_TAKEN']);
  const fewer = await ask('owner', `PATCH /groups/${groupId}`, { body: { variableNames: ['name'] } });
  assert.equal(fewer.status, 400);
  const counted = async (search: string) => {
    const { items, total } = (await ask('owner', 'GET /groups', { query: { search, limit: '1' } })).body;
    return [items.length, total];
  };
  assert.deepEqual(
    [await counted('u'), await counted('SUKI'), await counted('%')],
    [
      [1, 2],
      [1, 1],
      [0, 0],
    ],
  );
  const renamed = await ask('owner', `PATCH /groups/${groupId}`, {
    body: { groupName: 'Loyal', variableNames: ['first name', 'points', 'city'] },
  });
  assert.deepEqual(
    [renamed.body.groupName, renamed.body.variableNames.length, renamed.body.description],
    ['Loyal', 3, 'Regulars'],
  );
  assert.equal((await ask('owner', `DELETE /groups/${groupId}`)).status, 204);
  assert.equal((await ask('owner', `GET /groups/${groupId}`)).status, 404);
  assert.equal((await ask('owner', `DELETE /groups/${groupId}`)).status, 404);
  assert.equal((await ask('owner', 'POST /groups', { body: { groupName: 'Loyal' } })).status, 201);
  for (const body of [{ groupName: '' }, { groupName: 'x'.repeat(31) }, { groupName: 'x', variableNames: ['a', 'A'] }])
    assert.equal((await ask('owner', 'POST /groups', { body })).status, 400);
});

test('of two concurrent additions of a name one succeeds', async () => {
  const body = { groupName: nextName() };
  const answers = await Promise.all([1, 2, 3].map(() => ask('member', 'POST /groups', { body })));
  assert.deepEqual(answers.map((each) => each.status).sort(), [201, 409, 409]);
});

test('access: no anonymous calls, viewers and staff read with masked phones, another customer finds nothing', async () => {
  const groupId = await group([1, 2]);
  const path = `/groups/${groupId}`;
  assert.equal((await ask(null, `GET ${path}`)).status, 401);
  for (const route of [`GET ${path}`, `GET ${path}/members`, `DELETE ${path}`])
    assert.equal((await ask('other', route)).status, 404);
  assert.equal((await ask('other', `PATCH ${path}`, { body: { groupName: 'x' } })).status, 404);
  for (const who of ['viewer', 'reviewer'] as const) {
    const { body } = await ask(who, `GET ${path}/members`);
    assert.match(body.items[0].mobileNumber, /^63\*{6}\d{4}$/);
    assert.equal((await ask(who, 'POST /groups', { body: { groupName: 'x' } })).status, 403);
    assert.equal((await ask(who, `DELETE ${path}`)).status, 403);
  }
  const listed = await ask('reviewer', 'GET /groups');
  assert.equal(typeof listed.body.items[0].operator, 'string');
  assert.equal('operator' in (await ask('owner', 'GET /groups')).body.items[0], false);
  const foreign = { groupName: nextName(), combination: 'merge', groupIds: [groupId, nobody] };
  assert.equal((await ask('other', 'POST /groups/combine', { body: foreign })).body.code, 'GROUP_NOT_FOUND');
});

test('numbers handed over are read in any spelling, kept once, and refused by their place with the reason', async () => {
  const { groupId } = await add({ variableNames: ['name', 'city'] });
  const path = `POST /groups/${groupId}/members`;
  const members = [
    { mobileNumber: '0917 000 0001', variables: { name: 'Ana' } },
    { mobileNumber: '+63 917-000-0001', variables: { name: 'Again' } },
    { mobileNumber: '12' },
    { mobileNumber: '(02) 8123 4567' },
    { mobileNumber: '9180000002' },
  ];
  const first = (await ask('member', path, { body: { members } })).body;
  assert.deepEqual([first.addedCount, first.updatedCount, first.keptCount, first.memberCount], [2, 0, 1, 2]);
  assert.deepEqual(first.rejected, [
    { index: 2, reason: 'TOO_SHORT' },
    { index: 3, reason: 'FIXED_LINE' },
  ]);
  const again = [{ mobileNumber: '09170000001', variables: { city: 'Cebu' } }, { mobileNumber: '09990000003' }];
  const kept = (await ask('member', path, { body: { members: again } })).body;
  assert.deepEqual([kept.addedCount, kept.updatedCount, kept.keptCount], [1, 0, 1]);
  const over = (await ask('member', path, { body: { members: again, onDuplicate: 'overwrite' } })).body;
  assert.deepEqual([over.addedCount, over.updatedCount, over.keptCount], [0, 2, 0]);
  assert.deepEqual(
    (await membersOf(groupId)).map((each) => [each.mobileNumber, each.variables]),
    [
      ['639170000001', ['Ana', 'Cebu']],
      ['639180000002', ['', '']],
      ['639990000003', ['', '']],
    ],
  );
  const unknown = await ask('member', path, {
    body: { members: [{ mobileNumber: '09170000009', variables: { nick: 'x' } }] },
  });
  assert.equal(unknown.status, 400);
  const gone = await ask('member', `${path}/remove`, { body: { mobileNumbers: ['09170000001', '09170000001', '1'] } });
  assert.deepEqual(gone.body, { removedCount: 1, memberCount: 2 });
  await assertCounted();
});

test('an application adds members only to groups of its own customer', async () => {
  const { groupId } = await add({ variableNames: ['name'] });
  const body = { members: [{ mobileNumber: '09170000001', variables: { name: 'Ana' } }], onDuplicate: 'overwrite' };
  const put = (authorization: string) =>
    ask(null, `PUT /groups/${groupId}/members`, { body, headers: { authorization } });
  assert.deepEqual((await put(api.basic.app)).body.addedCount, 1);
  assert.deepEqual((await put(api.basic.app)).body.updatedCount, 1);
  assert.equal((await put(api.basic.otherApp)).status, 404);
  assert.equal((await ask(null, `PUT /groups/${groupId}/members`, { body })).status, 401);
});

test('members are found by how the number begins, by range holder and by state, page by page; csv has them all', async () => {
  const groupId = await group([0, 1, 2, 3, 4, 5], {
    members: [0, 1, 2, 3, 4, 5].map((index) => ({
      msisdn: msisdnAt(index),
      variables: ['=1+1'],
      rangeHolder: ['Globe', 'Smart', 'DITO'][index % 3],
    })),
  });
  await ask('member', 'POST /opt-outs', { body: { mobileNumbers: [msisdnAt(4)] } });
  await world.addBatch(await world.addTask({ taskStatus: TaskStatus.Sending }), [
    { msisdn: msisdnAt(2), content: 'x', carrier: 'DITO', clientStatus: ClientStatus.Rejected },
  ]);
  await pool.query(`update message set deal_result = 'REFUSED_INVALID_DESTINATION' where msisdn = $1`, [msisdnAt(2)]);
  assert.deepEqual(await numbersOf(groupId, { mobileNumber: '0918' }), [msisdnAt(1), msisdnAt(4)]);
  assert.deepEqual(await numbersOf(groupId, { rangeHolder: 'DITO' }), [msisdnAt(2), msisdnAt(5)]);
  assert.deepEqual(await numbersOf(groupId, { state: 'optedOut' }), [msisdnAt(4)]);
  assert.deepEqual(await numbersOf(groupId, { state: 'invalid' }), [msisdnAt(2)]);
  assert.equal((await numbersOf(groupId, { state: 'active' })).length, 4);
  assert.equal((await detailOf(groupId)).suppressedCount, 1);
  const [dead] = await membersOf(groupId, { state: 'invalid' });
  assert.deepEqual(dead && 'lastResult' in dead && dead.lastResult, 'REFUSED_INVALID_DESTINATION');
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: Record<string, string> = { limit: '4', ...(cursor !== '' && { cursor }) };
    const { body } = await ask('owner', `GET /groups/${groupId}/members`, { query });
    seen.push(...body.items.map((each: { mobileNumber: string }) => each.mobileNumber));
    cursor = body.nextCursor;
  }
  assert.deepEqual(seen, [...seen].sort());
  assert.equal(new Set(seen).size, 6);
  const csv = await ask('owner', `GET /groups/${groupId}/members`, { headers: { accept: 'text/csv' } });
  assert.equal(csv.text.trim().split('\r\n').length, 7);
  assert.match(csv.text, /'=1\+1/);
  const { rows } = await pool.query(`select count(*)::int as n from audit_log where action = 'export'`);
  assert.ok(rows[0].n >= 1);
});

test('a file’s recipients become members with its columns as values, block by block, however often the job dies', async () => {
  const { groupId } = await add({ variableNames: ['order'] });
  const fileId = await world.addFile(9_500);
  await ask('member', `POST /groups/${groupId}/members`, {
    body: { members: [{ mobileNumber: msisdnAt(0), variables: { order: 'old' } }] },
  });
  const variables = [
    { name: 'Order', column: 2 },
    { name: 'name', column: 1 },
  ];
  const path = `POST /groups/${groupId}/import`;
  const answer = await ask('member', path, { body: { fileId, variables, onDuplicate: 'overwrite' } });
  assert.deepEqual([answer.status, answer.body.state, answer.body.totalCount], [202, 'waiting', 9_500]);
  assert.equal((await detailOf(groupId)).status, 'importing');
  // A job starts and stops responding: its lease expires, and another continues after what it wrote.
  await runNextImport(jobs);
  await pool.query(`update intake set owner = $1, lease_until = now() + interval '25 s' where state = 'waiting'`, [
    nobody,
  ]);
  assert.equal(await runNextImport(jobs), false);
  const later = await world.jobs({ offsetMs: 26_000 });
  while (await runNextImport(later));
  const after = await detailOf(groupId);
  assert.deepEqual([after.memberCount, after.status, after.variableNames], [9_500, 'ready', ['order', 'name']]);
  const [recipientImport] = after.imports;
  assert.deepEqual(
    [
      recipientImport.state,
      recipientImport.addedCount,
      recipientImport.updatedCount,
      recipientImport.keptCount,
      recipientImport.progress,
    ],
    ['done', 9_499, 1, 0, 100],
  );
  assert.deepEqual((await membersOf(groupId, { mobileNumber: msisdnAt(0) }))[0]?.variables, ['A-0', 'Name 0']);
  const wrong = [
    [{ fileId: nobody }, 'FILE_NOT_FOUND'],
    [{ fileId, variables: [{ name: 'x', column: 0 }] }, 'MAPPING_INVALID'],
    [{ fileId, variables: [{ name: 'x', column: 9 }] }, 'MAPPING_INVALID'],
  ] as const;
  for (const [body, code] of wrong) assert.equal((await ask('member', path, { body })).body.code, code);
  await assertCounted();
});

test('an import fills a group to its limit, and reports it; a call that would exceed it adds nothing', async () => {
  const { groupId } = await add();
  await ask('member', `POST /groups/${groupId}/import`, { body: { fileId: await world.addFile(50) } });
  await fill({ memberLimit: 20 });
  const { memberCount, imports } = await detailOf(groupId);
  assert.deepEqual(
    [memberCount, imports[0].state, imports[0].error, imports[0].addedCount],
    [20, 'fail', 'GROUP_FULL', 20],
  );
  await pool.query(`update message_group set member_count = 1000000 where group_id = $1`, [groupId]);
  const members = [{ mobileNumber: '09190000001' }];
  const full = await ask('member', `POST /groups/${groupId}/members`, { body: { members } });
  assert.deepEqual([full.status, full.body.code], [409, 'GROUP_FULL']);
  await pool.query(`update message_group set member_count = 20 where group_id = $1`, [groupId]);
  await assertCounted();
});

test('groups are put together, cut and taken from each other; the first one’s values win, and names stay with their values', async () => {
  const a = await group([1, 2, 3]);
  const b = await group([2, 3, 4], {
    variableNames: ['city', 'name'],
    members: [2, 3, 4].map((index) => ({ msisdn: msisdnAt(index), variables: [`City ${index}`, `Other ${index}`] })),
  });
  const combine = async (combination: string, groupIds: string[]) => {
    const body = { groupName: nextName(), combination, groupIds };
    const answer = await ask('member', 'POST /groups/combine', { body });
    assert.deepEqual([answer.status, answer.body.status], [202, 'importing']);
    // Small steps, so that the cursor is used.
    await fill({ rowsAtOnce: 2 });
    const detail = await detailOf(answer.body.groupId);
    assert.equal(detail.imports[0].state, 'done');
    return [
      detail.variableNames,
      (await membersOf(detail.groupId)).map((each) => [each.mobileNumber, ...each.variables]),
    ];
  };
  const sorted = (rows: string[][]) => rows.sort(([x = ''], [y = '']) => (x < y ? -1 : 1));
  assert.deepEqual(await combine('merge', [a, b]), [
    ['name', 'city'],
    sorted([
      [msisdnAt(1), 'Name 1', ''],
      [msisdnAt(2), 'Name 2', ''],
      [msisdnAt(3), 'Name 3', ''],
      [msisdnAt(4), 'Other 4', 'City 4'],
    ]),
  ]);
  const both = sorted([
    [msisdnAt(2), 'Name 2'],
    [msisdnAt(3), 'Name 3'],
  ]);
  assert.deepEqual(await combine('intersect', [a, b]), [['name'], both]);
  assert.deepEqual(await combine('subtract', [a, b]), [['name'], [[msisdnAt(1), 'Name 1']]]);
  const same = { groupName: nextName(), combination: 'merge', groupIds: [a, a] };
  assert.equal((await ask('member', 'POST /groups/combine', { body: same })).status, 400);
  await assertCounted();
});

test('a combination fails if the group to subtract or intersect is deleted in the meantime', async () => {
  for (const combination of ['subtract', 'intersect']) {
    const [first, other] = [await group([1, 2, 3]), await group([1, 2, 3])];
    const body = { groupName: nextName(), combination, groupIds: [first, other] };
    const { groupId } = (await ask('member', 'POST /groups/combine', { body })).body;
    await ask('member', `DELETE /groups/${other}`);
    while (await emptyDeletedGroups(jobs));
    await fill();
    const { memberCount, imports } = await detailOf(groupId);
    assert.deepEqual([memberCount, imports[0].state, imports[0].error], [0, 'fail', 'GROUP_NOT_FOUND'], combination);
  }
  await assertCounted();
});

test('a group is created from task recipients whose messages have the chosen outcome', async () => {
  const taskId = await world.addTask({ taskStatus: TaskStatus.Completed, endedAt: new Date() });
  const ends = [ClientStatus.Delivered, ClientStatus.Undelivered, ClientStatus.Expired, ClientStatus.Delivered];
  await world.addBatch(
    taskId,
    ends.map((clientStatus, index) => ({
      msisdn: msisdnAt(300 + index),
      content: 'x',
      carrier: 'Globe',
      clientStatus,
    })),
  );
  const make = async (outcomes: string[]) => {
    const body = { groupName: nextName(), taskId, outcomes };
    const { body: made } = await ask('member', 'POST /groups/from-task', { body });
    await fill();
    return numbersOf(made.groupId);
  };
  assert.deepEqual(await make(['undelivered', 'expired']), [msisdnAt(301), msisdnAt(302)].sort());
  assert.deepEqual(await make(['delivered']), [msisdnAt(300), msisdnAt(303)].sort());
  const { rows } = await pool.query<{ id: string }>(`select message_id::text as id from message where msisdn = $1`, [
    msisdnAt(302),
  ]);
  await pool.query(
    `insert into link_code (code, customer_id, link_id, message_id, first_click_at) values ('clicked1', $1, $2, $3, now())`,
    [customerId, nobody, rows[0]?.id],
  );
  assert.deepEqual(await make(['clicked', 'undelivered']), [msisdnAt(301), msisdnAt(302)].sort());
  const foreign = await ask('other', 'POST /groups/from-task', {
    body: { groupName: 'x', taskId, outcomes: ['delivered'] },
  });
  assert.equal(foreign.body.code, 'TASK_NOT_FOUND');
});

test('a deleted group’s members go some at a time, and nothing else’s', async () => {
  const [gone, stays] = [await group([1, 2, 3]), await group([1, 2, 3])];
  await ask('owner', `DELETE /groups/${gone}`);
  while (await emptyDeletedGroups(jobs));
  const { rows } = await pool.query(
    `select group_id, count(*)::int as n from group_member where group_id = any($1) group by 1`,
    [[gone, stays]],
  );
  assert.deepEqual(rows, [{ group_id: stays, n: 3 }]);
  await assertCounted();
});

test('opt-outs are listed, searched, added by hand and by file, and removed with the reason', async () => {
  const [a, b] = ['639195550001', '639195550002'];
  const added = await ask('member', 'POST /opt-outs', {
    body: { mobileNumbers: ['0919 555 0001', a, '5'], evidence: 'Asked at the counter' },
  });
  assert.deepEqual(added.body, { addedCount: 1, keptCount: 1, rejected: [{ index: 2, reason: 'TOO_SHORT' }] });
  const fileId = await world.addFile(2, (index) => ({ msisdn: [a, b][index]!, values: [] }));
  assert.equal((await ask('member', 'POST /opt-outs/import', { body: { fileId, evidence: '' } })).status, 202);
  await fill();
  const [recipientImport] = (await ask('viewer', 'GET /opt-outs/imports')).body.items;
  assert.deepEqual([recipientImport.state, recipientImport.addedCount, recipientImport.keptCount], ['done', 1, 1]);
  const found = (await ask('owner', 'GET /opt-outs', { query: { mobileNumber: '0919555' } })).body.items;
  assert.deepEqual(
    found.map((each: Record<string, unknown>) => [each.mobileNumber, each.source, each.evidence]),
    [
      [b, 'file', 'phones.csv'],
      [a, 'hand', 'Asked at the counter'],
    ],
  );
  assert.equal((await ask('owner', 'GET /opt-outs', { query: { source: 'file' } })).body.items.length, 1);
  assert.deepEqual((await ask('other', 'GET /opt-outs')).body.items, []);
  assert.match((await ask('viewer', 'GET /opt-outs')).body.items[0].mobileNumber, /\*\*\*/);
  const remove = (who: 'member' | 'viewer' | 'other', body: object) => ask(who, 'POST /opt-outs/remove', { body });
  assert.equal((await remove('viewer', { mobileNumber: a, reason: 'x' })).status, 403);
  assert.equal((await remove('other', { mobileNumber: a, reason: 'x' })).status, 404);
  assert.equal((await remove('member', { mobileNumber: a })).status, 400);
  assert.equal((await remove('member', { mobileNumber: '1', reason: 'x' })).body.code, 'MOBILE_NUMBER_INVALID');
  assert.equal((await remove('member', { mobileNumber: a, reason: 'Signed up again' })).status, 204);
  assert.equal((await remove('member', { mobileNumber: a, reason: 'Signed up again' })).status, 404);
  const { rows } = await pool.query(
    `select before, after from audit_log where action = 'remove' and subject_type = 'optOut' and customer_id = $1`,
    [customerId],
  );
  assert.equal(rows.length, 1);
  assert.deepEqual([rows[0].before.evidence, rows[0].after.reason], ['Asked at the counter', 'Signed up again']);
  assert.doesNotMatch(JSON.stringify(rows), /9195550001/);
  assert.notEqual(customerId, otherCustomerId);
});
