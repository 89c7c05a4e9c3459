import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { callbackBodies } from './callback-bodies.ts';
import { callbackTypes } from './callbacks-values.ts';
import { makeOpenApi, routes } from './index.ts';

test('what is made out of the contract is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(makeOpenApi()) as unknown as Record<string, unknown>);
  assert.deepEqual(result.valid ? [] : result.errors, []);
  assert.equal(validator.version, '3.1');
});

test('every type of callback is a webhook, whose example is what its schema says', () => {
  const { webhooks } = makeOpenApi();
  assert.deepEqual(Object.keys(webhooks), [...callbackTypes]);
  for (const type of callbackTypes) {
    const { data, example } = callbackBodies[type];
    assert.deepEqual(data.parse(example), example, type);
  }
});

test('every route is in it once, with a unique id', () => {
  const { paths } = makeOpenApi();
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  assert.equal(operations.length, Object.keys(routes).length);
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
});

test('query parameters follow the schema: numbers are numbers, closed sets patterns or enums', () => {
  const parameters = makeOpenApi().paths['/tasks']?.get?.parameters ?? [];
  const schemaOf = (name: string) => parameters.find((each) => each.name === name)?.schema;
  assert.equal(schemaOf('limit')?.type, 'integer');
  assert.equal(schemaOf('limit')?.maximum, 200);
  assert.equal(schemaOf('taskStatus')?.type, 'string');
  assert.deepEqual(schemaOf('sort')?.enum, ['-createTime', 'createTime']);
});

/** Has items, and is no list that is read in pages: by path, why. */
const noLists: Readonly<Record<string, string>> = {
  '/account/passkeys': 'a few of one person, all in one answer',
  '/account/sessions': 'of one person, the last 200 in one answer',
  '/billing/charges': 'a report: sums of a period, with what is beyond its rows as one more',
  '/billing/invoices': 'of one customer, at most 60 months, all in one answer',
  '/charts': 'of one person or customer, at most 20, in the order that they were put in',
  '/dev/outbox': 'the mails of a demo, for its tests',
  '/files/{fileId}/rows': 'a window of a file, by the place of its first row',
  '/notices/settings': 'a person’s settings, all in one answer',
  '/opt-outs/imports': 'the last ten, whose progress is watched',
  '/consents/imports': 'the last ten, whose progress is watched',
  '/routes/notices': 'what is amiss now, all in one answer',
  '/saved-filters': 'of one person for one list, at most 50, and those shared',
  '/search': 'the best of each kind',
  '/short-links/statistics': 'a report of a period',
  '/statistics': 'a report of a period',
  '/view-settings': 'a person’s settings, all in one answer',
};

/** Lists of messages, in parts by id, live and archived: by path, why they have one order. */
const oneOrder: Readonly<Record<string, string>> = {
  '/conversations/{conversationId}/entries': 'read backwards from the newest, messages and replies each by id',
  '/messages': 'read backwards from the newest through the archive, a bounded part at a time',
  '/records': 'read backwards from the newest through the archive, a bounded part at a time',
  '/tasks/{taskId}/details': 'read forwards through the batches of the task, a bounded part at a time',
};

test('every list is read in pages by limit, cursor and sort, returns the next cursor, and is there as csv', () => {
  const problems: string[] = [];
  for (const [path, { get }] of Object.entries(makeOpenApi().paths)) {
    const content = get?.responses['200']?.content ?? {};
    const properties = content['application/json']?.schema.properties as Record<string, unknown> | undefined;
    if (properties?.items === undefined || path in noLists) continue;
    if (!('nextCursor' in properties)) problems.push(`${path}: no nextCursor`);
    const names = (get?.parameters ?? []).map(({ name }) => name);
    for (const name of ['limit', 'cursor', 'sort']) if (!names.includes(name)) problems.push(`${path}: no ${name}`);
    const sorts = get?.parameters?.find(({ name }) => name === 'sort')?.schema.enum as readonly string[] | undefined;
    if ((sorts ?? []).length < 2 && !(path in oneOrder)) problems.push(`${path}: one order alone`);
    if (!('text/csv' in content)) problems.push(`${path}: no csv`);
  }
  assert.deepEqual(problems, []);
});
