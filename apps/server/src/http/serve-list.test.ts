import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProblemError } from './problem.ts';
import { serveList } from './serve-list.ts';
import { makeTestApi } from './testing/test-api.ts';

const sender = {
  areaCode: 'PH',
  appId: 'app',
  appName: 'App',
  useState: 1,
  auditStatus: 1,
  auditReason: null,
  auditCode: null,
  auditTime: null,
  operateTime: '2026-01-01T00:00:00.000Z',
  remarkInfo: '',
  expectedTime: null,
  expectedDelay: null,
} as const;
const senders = [0, 1, 2, 3, 4].map((n) => ({
  ...sender,
  id: `019a0000-0000-7000-8000-00000000000${n}`,
  senderId: `SHOP${n}`,
  carriers: [],
}));

let prepared = 0;
let pages: [cursor: string | undefined, limit: number][] = [];

const api = await makeTestApi({
  features: [
    (app) =>
      serveList(app, 'GET /senders', async ({ query }) => {
        prepared += 1;
        if (query.search === 'unknown') throw new ProblemError('NOT_FOUND');
        return {
          fileName: 'senders',
          columns: [{ head: { 'en-US': 'Sender ID', 'zh-CN': '发送方' }, value: (row) => row.senderId }],
          csvPage: 2,
          // The cursor is the number of rows of the pages before.
          readPage: async (cursor, limit) => {
            pages.push([cursor, limit]);
            const start = Number(cursor ?? 0);
            const end = start + limit;
            return { items: senders.slice(start, end), nextCursor: end < senders.length ? String(end) : null };
          },
        };
      }),
  ],
});

async function list(query: Record<string, string>, headers: Record<string, string> = {}) {
  prepared = 0;
  pages = [];
  return api.ask('owner', 'GET /senders', { query, headers });
}

test('one page as JSON: of the length and from the cursor that the query names', async () => {
  const first = await list({ limit: '3' });
  assert.deepEqual([first.status, first.body.items.length, first.body.nextCursor], [200, 3, '3']);
  const second = await list({ limit: '3', cursor: first.body.nextCursor });
  assert.deepEqual(
    second.body.items.map((item: { senderId: string }) => item.senderId),
    ['SHOP3', 'SHOP4'],
  );
  assert.equal(second.body.nextCursor, null);
  assert.deepEqual([prepared, pages], [1, [['3', 3]]]);
});

test('csv holds all rows, whatever page the query names; it is prepared once and read in pages of its own', async () => {
  const answer = await list({ limit: '1', cursor: '4' }, { accept: 'text/csv' });
  assert.equal(answer.text, '\ufeffSender ID\r\nSHOP0\r\nSHOP1\r\nSHOP2\r\nSHOP3\r\nSHOP4\r\n');
  assert.match(String(answer.headers['content-disposition']), /filename="senders\.csv"/);
  assert.equal(prepared, 1);
  assert.deepEqual(pages, [
    [undefined, 2],
    ['2', 2],
    ['4', 2],
  ]);
});

test('a list that the caller may not see is refused in both forms, and no page is read', async () => {
  for (const accept of ['application/json', 'text/csv']) {
    const answer = await list({ search: 'unknown' }, { accept });
    assert.deepEqual([answer.status, answer.body.code], [404, 'NOT_FOUND'], accept);
    assert.deepEqual([prepared, pages], [1, []], accept);
  }
});
