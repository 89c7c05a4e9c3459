/** Fields a caller may not set: those missing from the contract, on every route; the database stays unchanged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestTables } from './testing/digest-tables.ts';
import { allRoutes, makeSweep } from './testing/sweep.ts';

const sweep = await makeSweep();
const { api, ids, bodies, fill, bodyOf, credentials, caller } = sweep;
const { pool } = api.db;

/** Each is a column or a response field that is set by others. */
const forbidden: Record<string, unknown> = {
  customerId: api.otherCustomerId,
  customer_id: api.otherCustomerId,
  userId: api.users.admin.userId,
  role: 'admin',
  auditStatus: 1,
  taskStatus: 5,
  chargeType: 'ReceiverPays',
  useState: 1,
  price: 0,
  balance: 1_000_000,
  reviewPolicy: 'never',
  isAdmin: true,
  createTime: '2020-01-01T00:00:00Z',
  operator: 'somebody',
  mustEnrol: false,
};

test('S5 a field that the contract does not name is refused on every route that takes a body, and the database is as before', async () => {
  const before = await digestTables(pool);
  let asked = 0;
  for (const [key, definition] of allRoutes) {
    if (definition.multipart === true) continue;
    const { body = {} } = bodyOf(key);
    const [method] = key.split(' ');
    if (definition.body === undefined && method === 'GET') continue;
    for (const [field, value] of Object.entries(forbidden)) {
      // Some routes are about just this.
      if (field in body || isNamed(key, field)) continue;
      asked += 1;
      const answer = await api.ask(caller(key), fill(key, ids), {
        body: { ...body, [field]: value },
        ...credentials(key, 'app'),
      });
      const about = `${key} with ${field}: ${answer.status} ${answer.text.slice(0, 200)}`;
      assert.equal(answer.status, 400, about);
      assert.equal(answer.body.code, 'VALIDATION_FAILED', about);
      assert.ok(
        answer.body.errors.some(
          (each: { field: string; code: string }) => each.field === field && each.code === 'UNKNOWN_FIELD',
        ),
        about,
      );
    }
  }
  assert.ok(asked >= 800, `${asked} calls`);
  assert.deepEqual(await digestTables(pool), before);
});

test('S5 unknown fields inside lists and objects are rejected like those of the body', async () => {
  const before = await digestTables(pool);
  for (const [key, body, field] of [
    ['POST /messages', { messages: [{ ...bodies['POST /messages'], price: 0 }] }, 'messages.0.price'],
    [
      'POST /tasks',
      { taskName: 'Nested', draft: true, mapping: { variables: [], taskStatus: 5 } },
      'mapping.taskStatus',
    ],
  ] as const) {
    const { status, body: said, text } = await api.ask(caller(key), key, { body, ...credentials(key, 'app') });
    assert.equal(status, 400, `${key}: ${text}`);
    assert.ok(
      said.errors.some(
        (each: { field: string; code: string }) => each.field === field && each.code === 'UNKNOWN_FIELD',
      ),
      text,
    );
  }
  assert.deepEqual(await digestTables(pool), before);
});

function isNamed(key: string, field: string): boolean {
  const { body } = Object.fromEntries(allRoutes)[key as never] as { body?: { safeParse(value: unknown): SafeResult } };
  const result = body?.safeParse({ ...bodies[key], [field]: forbidden[field] });
  if (result === undefined || result.success) return result !== undefined;
  return !result.error.issues.some((issue) => issue.code === 'unrecognized_keys' && issue.keys?.includes(field));
}

interface SafeResult {
  success: boolean;
  error: { issues: { code?: string; keys?: string[] }[] };
}
