import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { one, run, sql } from '@pahatid/db';
import { buildApplication, buildCustomer, buildTask, buildTemplate } from '@pahatid/db/builders';
import { matchLexicon } from '@pahatid/domain';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { makeReviewRules } from '../../review-rules/review-rules.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });

test('a reviewer sees rows of the file with masked numbers, and the customer before', async () => {
  const customer = await buildCustomer(api.db.pool, { customerName: 'Newcomer' });
  const app = await buildApplication(api.db.pool, { customerId: customer });
  const templateId = await buildTemplate(api.db.pool, { customerId: customer, appId: app });
  await buildTemplate(api.db.pool, { customerId: customer, appId: app, auditStatus: 2, auditReason: 'No' });
  const fileId = (await one<{ id: string }>(api.db.pool, sql`select gen_random_uuid() as id`)).id;
  const sample = [
    ['Ana', '09171234567'],
    ['Call 0917 765 4321', '+63 917 222 3333'],
    ['Broken', '12'],
  ];
  await run(
    api.db.pool,
    sql`insert into file (file_id, customer_id, file_name, file_status, valid_count, sample, reading)
        values (${fileId}, ${customer}, 'phones.csv', 'success', 2, ${JSON.stringify(sample)},
                ${JSON.stringify({ hasHeader: true, phoneColumn: 1 })})`,
  );
  const taskId = await buildTask(api.db.pool, {
    customerId: customer,
    appId: app,
    templateId,
    fileId,
    variables: [0],
    taskStatus: TaskStatus.PendingReview,
    smsType: 2,
    content: 'Hello {1}, welcome.',
    totalCount: 2,
  });
  const { status, body, text } = await api.ask('reviewer', `GET /reviews/tasks/${taskId}`);
  assert.equal(status, 200, text);
  assert.deepEqual(body.sample, {
    fileName: 'phones.csv',
    validCount: 2,
    rows: [
      { mobileNumber: '63******4567', text: 'Hello Ana, welcome.' },
      { mobileNumber: '63******3333', text: 'Hello Call *******4321, welcome.' },
    ],
  });
  assert.doesNotMatch(text, /1234567|7654321|765 4321/);
  assert.deepEqual([body.history.approvedCount, body.history.rejectedCount, body.history.isFirstTask], [1, 1, true]);
  await api.ask('reviewer', `POST /reviews/tasks/${taskId}/claim`);
  assert.equal((await api.ask('reviewer', `POST /reviews/tasks/${taskId}/approve`, { body: {} })).status, 204);
  const template = (await api.ask('reviewer', `GET /reviews/templates/${templateId}`)).body;
  assert.deepEqual([template.sample, template.history.approvedCount, template.history.isFirstTask], [null, 2, false]);
  for (const who of ['owner', 'other'] as const)
    assert.equal((await api.ask(who, `GET /reviews/tasks/${taskId}`)).status, 404);
  assert.equal((await api.ask(null, `GET /reviews/tasks/${taskId}`)).status, 401);
  assert.equal((await api.ask('reviewer', `GET /reviews/senders/${taskId}`)).status, 404);
});

test('admins edit the prohibited terms, all staff read them, and templates are checked against them', async () => {
  const word = { term: 'qwzrt', lang: 'en', category: 'violent', level: 'block' };
  const put = (who: 'admin' | 'reviewer' | 'operator' | 'owner', body: object) =>
    api.ask(who, 'PUT /prohibited-terms', { body });
  const [one, two] = await Promise.all([put('admin', word), put('admin', word)]);
  assert.deepEqual([one.status, two.status, one.body.id], [200, 200, two.body.id], 'twice at once is one word');
  const { id } = one.body;
  for (const [who, expected] of [
    ['reviewer', 403],
    ['operator', 403],
    ['owner', 404],
  ] as const) {
    assert.equal((await put(who, word)).status, expected, who);
    assert.equal((await api.ask(who, `DELETE /prohibited-terms/${id}`)).status, expected, who);
    assert.equal((await api.ask(who, 'GET /prohibited-terms')).status, expected === 404 ? 404 : 200, who);
  }
  for (const body of [
    {},
    { ...word, term: ' ' },
    { ...word, lang: 'xx' },
    { ...word, level: 'stop' },
    { ...word, more: 1 },
  ])
    assert.equal((await put('admin', body)).status, 400, JSON.stringify(body));
  const changed = await put('admin', { ...word, level: 'flag', exempt: ['qwzrt flower'] });
  assert.deepEqual(changed.body, { ...word, id, level: 'flag', exempt: ['qwzrt flower'] });
  const read = (query: Record<string, string>) => api.ask('reviewer', 'GET /prohibited-terms', { query });
  assert.deepEqual((await read({ search: 'QWZ' })).body, { items: [changed.body], nextCursor: null, total: 1 });
  assert.equal((await read({ search: 'qwz', level: 'block' })).body.total, 0);
  assert.equal((await put('admin', { ...word, term: 'qwzry' })).status, 200);
  const first = (await read({ search: 'qwz', limit: '1' })).body;
  const second = (await read({ search: 'qwz', limit: '1', cursor: first.nextCursor })).body;
  assert.deepEqual([first.items[0].term, second.items[0].term, second.nextCursor], ['qwzrt', 'qwzry', null]);
  const { lexicon, terms } = await makeReviewRules(api.db.pool)();
  assert.ok(terms.some(({ term }) => term === 'qwzrt'));
  assert.deepEqual(
    matchLexicon('A QWZRT and a qwzrt flower', lexicon).map(({ entry }) => [entry.term, entry.level]),
    [['qwzrt', 'flag']],
  );
  const removals = await Promise.all([
    api.ask('admin', `DELETE /prohibited-terms/${id}`),
    api.ask('admin', `DELETE /prohibited-terms/${id}`),
  ]);
  assert.deepEqual(
    removals.map(({ status }) => status).sort((a, b) => a - b),
    [204, 404],
    'twice at once removes once',
  );
});

test('admins edit the public holidays, all staff read them, and customers see what they delay', async () => {
  const put = (who: 'admin' | 'reviewer' | 'operator' | 'owner', day: string, body: object) =>
    api.ask(who, `PUT /holidays/${day}`, { body });
  assert.equal((await put('admin', '2026-05-27', { name: 'Eidul Adha' })).status, 200);
  const twice = await Promise.all([
    put('admin', '2026-05-27', { name: 'Eid al-Adha', nameZh: '宰牲节' }),
    put('admin', '2026-05-27', { name: 'Eid al-Adha', nameZh: '宰牲节' }),
  ]);
  assert.deepEqual(
    twice.map(({ status }) => status),
    [200, 200],
  );
  for (const [who, expected] of [
    ['reviewer', 403],
    ['operator', 403],
    ['owner', 404],
  ] as const) {
    assert.equal((await put(who, '2026-05-28', { name: 'x' })).status, expected, who);
    assert.equal((await api.ask(who, 'DELETE /holidays/2026-05-27')).status, expected, who);
    assert.equal((await api.ask(who, 'GET /holidays')).status, expected === 404 ? 404 : 200, who);
  }
  assert.equal((await put('admin', '2026-02-30', { name: 'x' })).status, 404, 'a day that never was');
  for (const body of [{}, { name: '' }, { name: 'x'.repeat(81) }, { name: 'x', other: 1 }])
    assert.equal((await put('admin', '2026-05-28', body)).status, 400, JSON.stringify(body));
  const { items } = (await api.ask('reviewer', 'GET /holidays', { query: { from: '2026-05-01' } })).body;
  assert.deepEqual(items, [{ day: '2026-05-27', name: 'Eid al-Adha', nameZh: '宰牲节' }]);

  // One rule for the queue and for the customers' screens.
  const rules = await makeReviewRules(api.db.pool)();
  const submitted = new Date('2026-05-27T10:00:00+08:00');
  const expected = rules.clockOf(submitted, submitted);
  assert.equal(expected.expectedTime, '2026-05-28T03:00:00.000Z');
  assert.deepEqual(expected.expectedDelay, { closed: false, holidays: items });
  assert.deepEqual(expected.clock, { leftS: 7_200, stopped: { why: 'holiday', until: '2026-05-28T01:00:00.000Z' } });
  assert.deepEqual(rules.expected(0, submitted), {
    expectedTime: expected.expectedTime,
    expectedDelay: expected.expectedDelay,
  });
  assert.deepEqual(rules.expected(1, submitted), { expectedTime: null, expectedDelay: null });
  const removals = await Promise.all([
    api.ask('admin', 'DELETE /holidays/2026-05-27'),
    api.ask('admin', 'DELETE /holidays/2026-05-27'),
  ]);
  assert.deepEqual(
    removals.map(({ status }) => status).sort((a, b) => a - b),
    [204, 404],
    'twice at once removes once',
  );
});
