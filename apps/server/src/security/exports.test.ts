/** Exports are opened in a spreadsheet program, and their content was not written by the exporter. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, utils } from '@e965/xlsx';
import { apiPrefix, routes } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { buildKey } from '@pahatid/db/builders';
import { emptyOldFile } from '@pahatid/db/queries/retention';
import { collect } from '../files/collect-for-test.ts';
import { csvAnswer, csvStream } from '../http/csv.ts';
import { type Answer, makeTestApi } from '../http/testing/test-api.ts';
import { apiFeatures } from '../roles/api.ts';

interface Row {
  text: string;
  phone: string;
  count: number;
}

const starters = ['=', '+', '-', '@', '\t', '\r', '\0', '=\t', "'=", ' ='];
const commands = [
  '1+1',
  "cmd|' /C calc'!A0",
  'HYPERLINK("http://evil.example","x")',
  'SUM(A1:A9)',
  '',
  '"',
  '1,2',
  'a\r\nb',
];
const plain = [
  '',
  'Ana',
  'a,b',
  'say "hi"',
  'one\ntwo',
  'one\r\ntwo',
  '漢字',
  'مرحبا',
  '007',
  '1e5',
  '2026-11-21',
  'TRUE',
  "'quoted",
];
const texts = [...starters.flatMap((start) => commands.map((command) => `${start}${command}`)), ...plain];

async function exported(rows: readonly Row[]): Promise<Buffer> {
  const answer = csvAnswer<Row>({
    fileName: 'list',
    columns: [
      { head: { 'en-US': 'Text', 'zh-CN': '文本' }, value: ({ text }) => text },
      { head: { 'en-US': 'Phone', 'zh-CN': '手机' }, value: ({ phone }) => phone },
      { head: { 'en-US': 'Count', 'zh-CN': '数' }, value: ({ count }) => count },
    ],
    rows: (async function* () {
      yield* rows;
    })(),
  });
  const parts: Buffer[] = [];
  for await (const part of csvStream(answer, 'en-US')) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const rows = texts.map((text, index) => ({
  text,
  phone: `6391700${String(index).padStart(5, '0')}`,
  count: 7 - index,
}));
/** As it comes out again: defused by one apostrophe, which a spreadsheet shows as none. */
const undefused = (text: string): string => (/^'[=+\-@\t\r\0]/.test(text) ? text.slice(1) : text);

test('S28 opened with SheetJS no cell of an export is a formula, whatever its content', async () => {
  const bytes = await exported(rows);
  assert.equal(bytes.subarray(0, 3).toString('hex'), 'efbbbf', 'UTF-8 by its mark');
  const sheet = read(bytes, { type: 'buffer', raw: false, cellFormula: true }).Sheets['Sheet1'];
  assert.ok(sheet);
  const cells = Object.entries(sheet).filter(([name]) => /^[A-Z]+\d+$/.test(name));
  assert.ok(cells.length > rows.length * 2);
  for (const [name, cell] of cells) assert.equal((cell as { f?: string }).f, undefined, name);
  // The same without our care is one: the reader would have found it.
  const bare = read(Buffer.from('Text\n=1+1\n'), { type: 'buffer', raw: false }).Sheets['Sheet1'];
  assert.deepEqual((bare?.['A2'] as { f?: string } | undefined)?.f, '1+1');
});

test('S28 read back by the rules of RFC 4180, every text and number is the one that was exported', async () => {
  const bytes = await exported(rows);
  const sheet = read(bytes, { type: 'buffer', raw: true }).Sheets['Sheet1'];
  assert.ok(sheet);
  const found = utils.sheet_to_json<string[]>(sheet, { header: 1, raw: true, defval: '', blankrows: true }).slice(1);
  assert.equal(found.length, rows.length);
  for (const [index, row] of rows.entries()) {
    const [text, phone, count] = (found[index] ?? []).map(String);
    assert.equal(undefused(text ?? ''), undefused(row.text), JSON.stringify(row.text));
    assert.equal(phone, row.phone);
    assert.equal(Number(count), row.count);
  }
});

test('S28 phones leave without a plus, which the defusing would damage, and are read again as the same phones', async () => {
  const bytes = await exported(rows.map((row, index) => ({ ...row, text: `Person ${index}` })));
  assert.doesNotMatch(bytes.toString(), /'\d|\+63/);
  const { parsed, rows: again } = await collect('list.csv', bytes);
  assert.equal(parsed.rejectedCount, 0);
  assert.deepEqual(
    again.map(({ msisdn }) => msisdn),
    rows.map(({ phone }) => phone),
  );
});

test('S28 every list that is given out as csv is defused: no cell of any begins as a formula', async () => {
  const api = await makeTestApi({ features: apiFeatures });
  const { pool } = api.db;
  const evil = '=HYPERLINK("http://evil.example","Click")';
  await pool.query('update customer set customer_name = $1 where customer_id = $2', [evil, api.customerId]);
  await pool.query(`update application set app_name = $1, remark_info = '@SUM(1)'`, [evil]);
  await pool.query(`update app_user set name = '+' || account`);
  const lists = Object.entries(routes).filter(([, route]) => 'csv' in route && route.csv === true);
  assert.ok(lists.length >= 10);
  let cells = 0;
  const day = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' };
  const queries: Record<string, string>[] = [{}, day, { customerId: api.customerId }];
  for (const [key] of lists) {
    const [method, pattern = ''] = key.split(' ');
    if (pattern.includes(':') || method !== 'GET') continue;
    for (const who of ['owner', 'admin'] as const)
      for (const query of queries) {
        const answer = await api.ask(who, `GET ${apiPrefix}${pattern}`, {
          headers: { accept: 'text/csv', 'user-agent': '=1+1' },
          query,
        });
        if (answer.status !== 200) continue;
        assert.match(String(answer.headers['content-type']), /^text\/csv/, key);
        assert.match(String(answer.headers['content-disposition']), /^attachment; /, key);
        const sheet = read(Buffer.from(answer.text), { type: 'buffer', raw: false }).Sheets['Sheet1'] ?? {};
        for (const [name, cell] of Object.entries(sheet)) {
          if (!/^[A-Z]+\d+$/.test(name)) continue;
          cells += 1;
          assert.equal((cell as { f?: string }).f, undefined, `${key} ${name}`);
        }
      }
  }
  assert.ok(cells > 50, `only ${cells} cells were looked at`);
});

test('S7 a download is only for its customer: no address opens it without a session, and no name can be guessed', async () => {
  const api = await makeTestApi({ features: apiFeatures });
  const { pool } = api.db;
  const fileId = uuidV7();
  await pool.query(
    `insert into file (file_id, customer_id, file_name, file_status, size, generation) values ($1, $2, 'list.csv', 'success', 1, 1)`,
    [fileId, api.customerId],
  );
  await pool.query(
    `insert into file_reject (file_id, generation, seq, customer_id, rows) values ($1, 1, 0, $2, '[[2, "canary", "NOT_A_NUMBER"]]')`,
    [fileId, api.customerId],
  );
  const route = `GET /files/${fileId}/rejects`;
  const accept = 'text/csv';
  const own = await api.ask('owner', route, { headers: { accept } });
  assert.equal(own.status, 200);
  assert.match(own.text, /canary/);
  // Software of the customer reads what its members read, if it has the scope.
  const software = await api.ask(null, route, { headers: { accept, authorization: api.basic.app } });
  assert.equal(software.status, 200);
  const { apiKey } = await buildKey(pool, { customerId: api.customerId, appId: api.appId, scopes: ['messages:read'] });
  const refused: [Answer, number][] = [
    [await api.ask(null, route, { headers: { accept } }), 401],
    [await api.ask(null, route, { headers: { accept, authorization: api.basic.otherApp } }), 404],
    [await api.ask(null, route, { headers: { accept, authorization: `Bearer ${apiKey}` } }), 403],
    [await api.ask('other', route, { headers: { accept } }), 404],
    [await api.ask('owner', route.replace(fileId, 'list.csv'), { headers: { accept } }), 404],
    [await api.ask('owner', route.replace(fileId, '1'), { headers: { accept } }), 404],
    // Nothing in a URL can replace a session.
    [await api.ask(null, `${route}?session=${api.users.owner.cookie.split('=')[1]}`, { headers: { accept } }), 401],
  ];
  for (const [answer, status] of refused) {
    assert.equal(answer.status, status, answer.text);
    assert.doesNotMatch(answer.text, /canary/);
  }
  // 128 bits, and no two alike; it only names the file, what opens it is the session.
  assert.equal(fileId.replaceAll('-', '').length * 4, 128);
  assert.equal(own.headers['cache-control'], 'no-store', 'no copy stays behind in the browser or on the way');
  // After its retention ends, the upload and its rows are deleted, however requested.
  await emptyOldFile(pool, api.customerId, new Date(Date.now() + 86_400_000), 30);
  assert.doesNotMatch((await api.ask('owner', route, { headers: { accept } })).text, /canary/);
});
