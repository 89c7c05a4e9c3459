import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { many, run, sql, uuidV7 } from '@pahatid/db';
import { buildTask } from '@pahatid/db/builders';
import { until } from '@pahatid/testkit';
import { pino } from 'pino';
import { decodeBlock } from '../../files/blocks.ts';
import { makeXlsx } from '../../files/make-test-files.ts';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import type { JobContext } from '../../sending/job-context.ts';
import { parseNextFile } from './parse-next-file.ts';
import { registerFiles } from './routes.ts';

const api = await makeTestApi({ features: [registerFiles] });
const { pool } = api.db;
const context = (more: Partial<JobContext> = {}): JobContext => ({
  pool,
  log: pino({ level: 'silent' }),
  owner: uuidV7(),
  offsetMs: 0,
  ...more,
});
let port = 0;
before(async () => {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = (api.app.server.address() as AddressInfo).port;
});

const boundary = 'cut-here';
const formOf = (fileName: string, content: string | Buffer, field = 'file'): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${fileName}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);

/** A real request over a socket, as a browser's. */
async function post(
  who: Exclude<Who, null>,
  body: Buffer,
): Promise<{ status: number; body: { fileId: string; code: string; params: unknown } }> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/files`, {
    method: 'POST',
    headers: { cookie: api.users[who].cookie, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: new Uint8Array(body),
  });
  return { status: response.status, body: (await response.json()) as never };
}

const upload = async (fileName: string, content: string | Buffer): Promise<string> => {
  const answer = await post('owner', formOf(fileName, content));
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  return answer.body.fileId;
};
const countFiles = async (): Promise<{ files: number; chunks: number }> => {
  const [row] = await many(
    pool,
    sql<{
      files: number;
      chunks: number;
    }>`select (select count(*)::int from file) as files, (select count(*)::int from file_chunk) as chunks`,
  );
  return row ?? { files: -1, chunks: -1 };
};
const blocksOf = async (fileId: string) =>
  many(
    pool,
    sql<{
      generation: number;
      seq: number;
      bytes: Buffer;
    }>`select generation, seq, bytes from file_block where file_id = ${fileId} order by generation, seq`,
  );
const csv = (rows: number, from = 0): string =>
  `phone,name\n${Array.from({ length: rows }, (_, i) => `0917${String(from + i).padStart(7, '0')},Name ${i}`).join('\n')}\n`;

test('a csv goes from upload to counts, columns and sample', async () => {
  const text = `${csv(2_500)}bad,Nobody\n09170000001,Again\n`;
  const fileId = await upload('phones.csv', text);
  assert.equal((await api.ask('owner', `GET /files/${fileId}`)).body.fileStatus, 'processing');
  assert.equal(await parseNextFile(context()), true);
  const { body } = await api.ask('owner', `GET /files/${fileId}`);
  assert.equal(body.fileStatus, 'success');
  assert.deepEqual(
    [body.totalRows, body.validCount, body.duplicateCount, body.rejectedCount, body.size, body.progress],
    [2_502, 2_500, 1, 1, Buffer.byteLength(text), 100],
  );
  assert.deepEqual(body.reading, { hasHeader: true, phoneColumn: 0 });
  assert.deepEqual(body.columns[1], { index: 1, name: 'name', first: 'Name 0' });
  assert.equal((await blocksOf(fileId)).length, 3);
  assert.equal(await parseNextFile(context()), false);
});

test('a file being read shows rows read, total rows and time left', async () => {
  const text = csv(400_000);
  const fileId = await upload('long.csv', text);
  const read = async () => (await api.ask('owner', `GET /files/${fileId}`)).body;
  const waiting = await read();
  assert.deepEqual(
    [waiting.isWaiting, waiting.totalRows, waiting.estimatedRows, waiting.remainingSeconds],
    [true, 0, null, null],
  );
  await run(
    pool,
    sql`create table rows_seen as select total_rows, progress from file where false;
        create function note_rows() returns trigger language plpgsql as $$ begin
          insert into rows_seen values (new.total_rows, new.progress); return new; end $$;
        create trigger note_rows after update on file for each row when (new.file_status = 'processing')
          execute function note_rows()`,
  );
  assert.equal(await parseNextFile(context()), true);
  const seen = await many(
    pool,
    sql<{ total_rows: number; progress: number }>`select total_rows, progress from rows_seen where total_rows > 0`,
  );
  await run(pool, sql`drop trigger note_rows on file; drop function note_rows; drop table rows_seen`);
  assert.ok(seen.length > 0, 'rows are shown before the file is read');
  for (const { total_rows, progress } of seen) assert.ok(total_rows <= 400_000 && progress <= 100);
  const done = await read();
  assert.deepEqual(
    [done.totalRows, done.estimatedRows, done.remainingSeconds, done.isWaiting],
    [400_000, null, null, false],
  );

  await run(
    pool,
    sql`update file set file_status = 'processing', total_rows = 100000, progress = 25,
          parse_started_at = clock_timestamp() - interval '30 s', parse_owner = gen_random_uuid(),
          parse_lease_until = clock_timestamp() + interval '1 hour' where file_id = ${fileId}`,
  );
  const half = await read();
  assert.deepEqual([half.totalRows, half.estimatedRows, half.isWaiting], [100_000, 400_000, false]);
  assert.ok(half.remainingSeconds >= 90, 'three times as many rows take three times as long');
  await run(pool, sql`update file set file_status = 'success' where file_id = ${fileId}`);
});

test('an upload of many megabytes is stored in rows of one, byte for byte', async () => {
  const fileId = await upload('large.csv', csv(150_000));
  const rows = await many(
    pool,
    sql<{ bytes: Buffer }>`select bytes from file_chunk where file_id = ${fileId} order by seq`,
  );
  assert.ok(rows.length >= 3);
  assert.ok(rows.slice(0, -1).every((row) => row.bytes.length === 1024 * 1024));
  assert.equal(Buffer.concat(rows.map((row) => row.bytes)).toString(), csv(150_000));
  await api.ask('owner', `DELETE /files/${fileId}`);
});

test('a workbook whose first sheet has no phones offers the other sheets with detected columns', async () => {
  const cell = (ref: string, text: string) => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const workbook = await makeXlsx({
    sheets: [
      { name: 'Notes', rows: `<row r="1">${cell('A1', 'Phones of June')}</row>` },
      {
        name: 'Phones',
        rows: `<row r="1">${cell('A1', 'name')}${cell('B1', 'mobile')}</row><row r="2">${cell('A2', 'Ana')}${cell('B2', '09181234567')}</row>`,
      },
    ],
  });
  const fileId = await upload('notes-first.xlsx', workbook);
  assert.equal(await parseNextFile(context()), true);
  const refused = (await api.ask('owner', `GET /files/${fileId}`)).body;
  assert.deepEqual(
    [refused.fileStatus, refused.error.code, refused.sheetNames, refused.reading],
    ['fail', 'FILE_NO_PHONE_COLUMN', ['Notes', 'Phones'], null],
  );
  const half = await api.ask('owner', `POST /files/${fileId}/read`, { body: { phoneColumn: 0, sheetName: 'Phones' } });
  assert.equal(half.status, 400, 'both of the columns or neither');
  const again = await api.ask('owner', `POST /files/${fileId}/read`, { body: { sheetName: 'Phones' } });
  assert.deepEqual([again.status, again.body.fileStatus, again.body.reading], [202, 'processing', null]);
  assert.equal(await parseNextFile(context()), true);
  const read = (await api.ask('owner', `GET /files/${fileId}`)).body;
  assert.deepEqual(
    [read.fileStatus, read.validCount, read.reading],
    ['success', 1, { hasHeader: true, phoneColumn: 1, sheetName: 'Phones' }],
  );
});

test('a workbook is read, and again with another sheet', async () => {
  const row = (n: number, phone: string) =>
    `<row r="${n}"><c r="A${n}" t="inlineStr"><is><t>${phone}</t></is></c></row>`;
  const workbook = await makeXlsx({
    sheets: [
      { name: 'One', rows: row(1, '09171234567') },
      { name: 'Two', rows: row(1, '09181234567') + row(2, '09191234567') },
    ],
  });
  const fileId = await upload('book.xlsx', workbook);
  assert.equal(await parseNextFile(context()), true);
  const first = (await api.ask('owner', `GET /files/${fileId}`)).body;
  assert.deepEqual([first.fileStatus, first.validCount, first.sheetNames], ['success', 1, ['One', 'Two']]);
  const again = await api.ask('owner', `POST /files/${fileId}/read`, {
    body: { hasHeader: false, phoneColumn: 0, sheetName: 'Two' },
  });
  assert.deepEqual([again.status, again.body.fileStatus], [202, 'processing']);
  assert.equal(
    (await api.ask('owner', `POST /files/${fileId}/read`, { body: { hasHeader: false, phoneColumn: 0 } })).body.code,
    'FILE_PROCESSING',
  );
  // Until the switch the blocks of the first reading stay.
  assert.deepEqual(
    (await blocksOf(fileId)).map((block) => block.generation),
    [1],
  );
  assert.equal(await parseNextFile(context()), true);
  const second = (await api.ask('owner', `GET /files/${fileId}`)).body;
  assert.deepEqual([second.fileStatus, second.validCount, second.reading.sheetName], ['success', 2, 'Two']);
  assert.deepEqual(
    (await blocksOf(fileId)).map((block) => block.generation),
    [2],
  );
});

test('errors visible from name and first bytes are rejected immediately, each with its own code, and nothing is left', async () => {
  const before = await countFiles();
  const refusals: [string, string | Buffer, number, string][] = [
    ['phones.txt', csv(3), 400, 'FILE_EXTENSION'],
    ['phones.csv', '', 400, 'FILE_EMPTY'],
    ['phones.csv', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(5_000_000, 7)]), 400, 'FILE_CONTENT_MISMATCH'],
    ['phones.xlsx', csv(3), 400, 'FILE_CONTENT_MISMATCH'],
    ['phones.xls', Buffer.from('%PDF-1.7 …'), 400, 'FILE_CONTENT_MISMATCH'],
    ['../../phones.csv.exe', csv(3), 400, 'FILE_EXTENSION'],
  ];
  for (const [name, content, status, code] of refusals) {
    const answer = await post('owner', formOf(name, content));
    assert.deepEqual([answer.status, answer.body.code], [status, code], name);
  }
  const wrongField = await post('owner', formOf('phones.csv', csv(3), 'other'));
  assert.deepEqual([wrongField.status, wrongField.body.code], [400, 'VALIDATION_FAILED']);
  assert.deepEqual(await countFiles(), before);
});

test('what follows a refusal is taken to its end, or a browser would never read the answer', async () => {
  for (const name of ['phones.csv', 'phones.txt']) {
    const body = formOf(name, Buffer.concat([Buffer.from('MZ'), Buffer.alloc(30_000_000, 7)]));
    const request = httpRequest({
      port,
      method: 'POST',
      path: '/api/v1/files',
      headers: {
        cookie: api.users.owner.cookie,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': body.length,
      },
    });
    const answered = once(request, 'response');
    const taken = once(request, 'finish', { signal: AbortSignal.timeout(120_000) });
    request.end(body);
    const [response] = (await answered) as [IncomingMessage];
    assert.equal(response.statusCode, 400, name);
    await taken;
    response.resume();
    await once(response, 'end');
  }
});

test('more than the limit is refused before a byte is read, and while reading where the size was not announced', async () => {
  const before = await countFiles();
  const announced = await new Promise<number>((resolve, reject) => {
    const request = httpRequest({
      port,
      method: 'POST',
      path: '/api/v1/files',
      headers: {
        cookie: api.users.owner.cookie,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': 300 * 1024 * 1024,
      },
    });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.on('error', reject);
    request.write(formOf('phones.csv', csv(10)));
  });
  assert.equal(announced, 413);
  const { uploadFile } = await import('./upload-file.ts');
  const { Readable } = await import('node:stream');
  const bytes = Readable.from(Array.from({ length: 40 }, () => Buffer.from(csv(5_000))));
  await assert.rejects(
    uploadFile({
      pool,
      scope: { customerId: api.customerId },
      userId: api.users.owner.userId,
      fileName: 'phones.csv',
      bytes,
      limitBytes: 3 * 1024 * 1024,
    }),
    { code: 'FILE_TOO_LARGE', params: { limitMb: 3 } },
  );
  assert.deepEqual(await countFiles(), before);
});

test('an upload that is broken off leaves nothing', async () => {
  const before = await countFiles();
  const body = formOf('phones.csv', csv(200_000));
  for (const share of [0.3, 0.6, 0.999]) {
    const request = httpRequest({
      port,
      method: 'POST',
      path: '/api/v1/files',
      headers: {
        cookie: api.users.owner.cookie,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': body.length,
      },
    });
    const closed = new Promise<void>((resolve) => request.on('error', () => resolve()).on('close', () => resolve()));
    request.write(body.subarray(0, Math.floor(body.length * share)));
    // It had begun: there is something to be left.
    await until(async () => (await countFiles()).chunks > before.chunks, { what: 'a first piece' });
    request.destroy();
    await closed;
    // Each on its own: what one left would otherwise be taken for the beginning of the next.
    await until(async () => JSON.stringify(await countFiles()) === JSON.stringify(before), { what: 'an empty table' });
  }
});

test('a process that died during an upload leaves a row that is swept when its lease has passed', async () => {
  const { sweepFiles } = await import('@pahatid/db/queries/file-parsing');
  const { insertUpload, appendChunk } = await import('@pahatid/db/queries/files');
  const before = await countFiles();
  const fileId = uuidV7();
  const { customerId } = api;
  await insertUpload(pool, {
    fileId,
    customerId,
    fileName: 'a.csv',
    createdBy: api.users.owner.userId,
    leaseMs: 60_000,
  });
  await appendChunk(pool, { fileId, customerId, seq: 0, bytes: Buffer.from('x'), leaseMs: 60_000 });
  assert.equal(await sweepFiles(pool, 86_400_000), 0);
  assert.equal(await sweepFiles(pool, 86_400_000, 61_000), 1);
  assert.deepEqual(await many(pool, sql`select from file where file_id = ${fileId}`), []);
  await until(async () => JSON.stringify(await countFiles()) === JSON.stringify(before), { what: 'nothing left' });
});

test('a parser that is killed is started again and gives identical rows', async () => {
  const text = csv(60_000, 100_000);
  const whole = await upload('whole.csv', text);
  assert.equal(await parseNextFile(context()), true);
  const expected = await blocksOf(whole);

  const killed = await upload('killed.csv', text);
  let pid = 0;
  const first = parseNextFile(context(), {
    onStart: (started) => {
      pid = started;
    },
  });
  await until(async () => (await blocksOf(killed)).length > 3, { everyMs: 2, what: 'some blocks' });
  process.kill(pid, 'SIGKILL');
  assert.equal(await first, true);
  assert.equal((await api.ask('owner', `GET /files/${killed}`)).body.fileStatus, 'processing');
  assert.equal(await parseNextFile(context()), true);
  const again = await blocksOf(killed);
  const rowsOf = (blocks: typeof again) => blocks.map((block) => JSON.stringify(decodeBlock(block.bytes)));
  assert.deepEqual(rowsOf(again), rowsOf(expected));
  assert.equal((await api.ask('owner', `GET /files/${killed}`)).body.validCount, 60_000);
});

test('a dead jobs process holds a file until its lease ends; its partial output is not visible', async () => {
  const { claimFile, insertBlock } = await import('@pahatid/db/queries/file-parsing');
  const { withTransaction } = await import('@pahatid/db');
  const fileId = await upload('left.csv', csv(1_200));
  const dead = await withTransaction(pool, (tx) => claimFile(tx, { owner: uuidV7(), leaseMs: 25_000, offsetMs: 0 }));
  assert.equal(dead?.fileId, fileId);
  assert.ok(dead && (await insertBlock(pool, dead, { seq: 0, rowCount: 1, bytes: Buffer.from('half') })));
  // One parse for each customer: nothing else of the same customer begins meanwhile.
  const second = await upload('second.csv', csv(5));
  assert.equal(await parseNextFile(context()), false);
  assert.equal(await parseNextFile(context({ offsetMs: 26_000 })), true);
  assert.equal((await api.ask('owner', `GET /files/${fileId}`)).body.validCount, 1_200);
  assert.equal((await blocksOf(fileId)).length, 2);
  // The dead one comes back to life and can't write any more.
  assert.equal(await insertBlock(pool, dead, { seq: 9, rowCount: 1, bytes: Buffer.from('late') }), false);
  assert.equal(await parseNextFile(context()), true);
  assert.equal((await api.ask('owner', `GET /files/${second}`)).body.fileStatus, 'success');
});

test('an unusable file shows the reason, and can be read again differently', async () => {
  const fileId = await upload('names.csv', 'name,amount\nAna,5\nBen,6\n');
  assert.equal(await parseNextFile(context()), true);
  const { body } = await api.ask('owner', `GET /files/${fileId}`);
  assert.deepEqual([body.fileStatus, body.error.code, body.validCount], ['fail', 'FILE_NO_PHONE_COLUMN', 0]);
  assert.equal(
    (await api.ask('owner', `POST /files/${fileId}/read`, { body: { hasHeader: true, phoneColumn: 1 } })).status,
    202,
  );
  assert.equal(await parseNextFile(context()), true);
});

test('numbers that opted out are counted', async () => {
  await pool.query(`insert into opt_out values ($1, '639171112222', 'reply', 'T', now())`, [api.customerId]);
  const fileId = await upload('optout.csv', 'phone\n09171112222\n09171112223\n');
  assert.equal(await parseNextFile(context()), true);
  const { body } = await api.ask('owner', `GET /files/${fileId}`);
  assert.deepEqual([body.validCount, body.optedOutCount], [2, 1]);
});

test('rejected rows are downloaded in the language asked for, formulas defused', async () => {
  const fileId = await upload('rejects.csv', 'phone\n09171234567\n=1+1\n12\n');
  assert.equal(await parseNextFile(context()), true);
  const en = await api.ask('member', `GET /files/${fileId}/rejects`, { query: { lang: 'en-US' } });
  assert.equal(en.status, 200);
  assert.match(en.text, /^\ufeffLine,Text,Code,Reason\r\n/);
  assert.match(en.text, /3,'=1\+1,FORMULA,A formula instead of a number/);
  const zh = await api.ask('member', `GET /files/${fileId}/rejects`, { query: { lang: 'zh-CN' } });
  assert.match(zh.text, /^\ufeff行号,内容,代码,原因\r\n/);
});

test('a viewer and staff see phones masked', async () => {
  const fileId = await upload('mask.csv', 'phone,friend\n09171234567,+63 918 765 4321\n');
  assert.equal(await parseNextFile(context()), true);
  for (const who of ['viewer', 'reviewer', 'admin'] as const) {
    const { status, text } = await api.ask(who, `GET /files/${fileId}`);
    assert.equal(status, 200);
    assert.doesNotMatch(text, /1234567|765 4321/);
  }
  assert.match((await api.ask('member', `GET /files/${fileId}`)).text, /09171234567/);
});

test('S57 a number is masked anywhere in a cell, in any spelling', async () => {
  const cells = [
    'Ana Cruz, Quezon City, call 09175550001 after six please',
    '+63 (917) 555-00-02',
    '0 9 1 7 5 5 5 0 0 0 3',
    '０９１７５５５０００４',
    '+639175550005 or +639175550006',
  ];
  const fileId = await upload(
    'within.csv',
    `phone,note 09175550007\n${cells.map((cell, i) => `0918555000${i},"${cell}"`).join('\n')}\n`,
  );
  assert.equal(await parseNextFile(context()), true);
  const { body } = await api.ask('viewer', `GET /files/${fileId}`);
  assert.equal(body.validCount, cells.length);
  const shown: string[] = [
    ...body.columns.flatMap((column: { name: string; first: string }) => [column.name, column.first]),
    ...body.sample.flat(),
  ];
  // Of a number that is hidden, the digits between operator and last four are nowhere.
  for (const text of shown) assert.doesNotMatch(text.normalize('NFKC').replaceAll(/[^\d*]/g, ''), /55500/, text);
  assert.equal(body.sample[0][1], 'Ana Cruz, Quezon City, call *******0001 after six please');
  assert.equal((await api.ask('member', `GET /files/${fileId}`)).body.sample[0][1], cells[0]);
});

test('S29 names that hide something are stored without it, and no name is no fault', async () => {
  const part = (disposition: string): Buffer =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="file"${disposition}\r\ncontent-type: application/octet-stream\r\n\r\n`,
      ),
      Buffer.from(csv(1)),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
  const nameOf = async (fileId: string): Promise<string> =>
    (await api.ask('owner', `GET /files/${fileId}`)).body.fileName;
  for (const [disposition, expected] of [
    [`; filename*=UTF-8''a%00b.csv`, 'ab.csv'],
    ['; filename="list\u202Evsc.exe.csv"', 'listvsc.exe.csv'],
    ['; filename="../../etc/名单.csv"', '名单.csv'],
  ] as const) {
    const answer = await post('owner', part(disposition));
    assert.equal(answer.status, 202, `${disposition}: ${JSON.stringify(answer.body)}`);
    assert.equal(await nameOf(answer.body.fileId), expected);
    const [entry] = await many<{ name: string }>(
      pool,
      sql`select after ->> 'fileName' as name from audit_log where subject_id = ${answer.body.fileId}`,
    );
    assert.equal(entry?.name, expected);
    assert.equal(await parseNextFile(context()), true);
  }
  const nameless = await post('owner', part(''));
  assert.deepEqual([nameless.status, nameless.body.code], [400, 'FILE_EXTENSION']);
});

test('a file that fails by an internal error does not block others', async () => {
  const broken = await upload('broken.csv', csv(3));
  await pool.query('delete from file_chunk where file_id = $1', [broken]);
  const answer = await post('other', formOf('theirs.csv', csv(2)));
  assert.equal(answer.status, 202);
  await assert.rejects(parseNextFile(context()));
  assert.equal(await parseNextFile(context()), true);
  const theirs = await api.ask('other', `GET /files/${answer.body.fileId}`);
  assert.equal(theirs.body.fileStatus, 'success');
  await pool.query('delete from file where file_id = $1', [broken]);
});

test('a file in use is neither read again nor removed', async () => {
  const fileId = await upload('used.csv', csv(3));
  assert.equal(await parseNextFile(context()), true);
  const taskId = await buildTask(pool, { customerId: api.customerId, taskStatus: 1, fileId, taskName: 'Uses it' });
  const refused = await api.ask('owner', `DELETE /files/${fileId}`);
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.params],
    [409, 'FILE_IN_USE', { taskName: 'Uses it' }],
  );
  // A draft does not mind that the file is read otherwise.
  const reading = { hasHeader: true, phoneColumn: 0 };
  assert.equal((await api.ask('owner', `POST /files/${fileId}/read`, { body: reading })).status, 202);
  assert.equal(await parseNextFile(context()), true);
  await pool.query(`update task set task_status = 7 where task_id = $1`, [taskId]);
  assert.equal((await api.ask('owner', `POST /files/${fileId}/read`, { body: reading })).status, 202);
  assert.equal(await parseNextFile(context()), true);
  await pool.query(`delete from task where task_id = $1`, [taskId]);
  assert.equal((await api.ask('owner', `DELETE /files/${fileId}`)).status, 204);
  assert.equal((await api.ask('owner', `GET /files/${fileId}`)).status, 404);
});

test('access: no anonymous calls, no viewer writes, nothing of another customer', async () => {
  const fileId = await upload('guarded.csv', csv(3));
  assert.equal(await parseNextFile(context()), true);
  const reading = { hasHeader: true, phoneColumn: 0 };
  const calls: [string, unknown][] = [
    [`GET /files/${fileId}`, undefined],
    [`POST /files/${fileId}/read`, reading],
    [`GET /files/${fileId}/rejects`, undefined],
    [`DELETE /files/${fileId}`, undefined],
  ];
  for (const [route, body] of calls) {
    assert.equal((await api.ask(null, route, { body })).status, 401, route);
    assert.equal((await api.ask('other', route, { body })).status, 404, route);
    if (route !== `GET /files/${fileId}`) assert.equal((await api.ask('viewer', route, { body })).status, 403, route);
    const unknown = route.replace(fileId, uuidV7());
    assert.equal((await api.ask('owner', unknown, { body })).status, 404, route);
  }
  assert.equal((await post('viewer', formOf('a.csv', csv(1)))).status, 403);
  assert.equal((await api.ask('owner', `POST /files/${fileId}/read`, { body: { hasHeader: 'x' } })).status, 400);
  assert.equal((await api.ask('owner', `GET /files/${fileId}/rejects`, { query: { lang: 'fr' } })).status, 400);
});

test('a customer keeps at most fifty files that no task uses', async () => {
  await pool.query(`delete from file`);
  await pool.query(
    `insert into file (file_id, customer_id, file_name, file_status) select gen_random_uuid(), $1, 'x.csv', 'success' from generate_series(1, 50)`,
    [api.customerId],
  );
  const refused = await post('owner', formOf('one-more.csv', csv(1)));
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.params],
    [429, 'FILE_LIMIT_REACHED', { limit: 50 }],
  );
  assert.equal((await post('other', formOf('theirs.csv', csv(1)))).status, 202);
});
