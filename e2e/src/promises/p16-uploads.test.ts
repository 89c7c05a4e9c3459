/**
 * P16: an upload is cut, its parser is killed: no partial data is ever stored, and the stored file yields the same
 * rows.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { findChildren, TcpProxy, until } from '@pahatid/testkit';
import { Chance } from './chance.ts';
import { type Journey, makeStaffedWorld, phoneFile } from './journey.ts';
import { patience, size } from './sizes.ts';
import { findEnds, sweepFiles } from './stored-files.ts';
import type { World } from './world.ts';

const SHARES = [0.01, 0.1, 0.5, 0.9, 0.999];
const BOUNDARY = 'of-an-upload';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The lease of an upload whose process died. */
const UPLOAD_LEASE_MS = 120_000;

/** The octets of an upload as a browser sends them, head and form. */
function requestOf(journey: Journey, file: Buffer): Buffer {
  const part = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="phones.csv"\r\n\r\n`;
  const form = Buffer.concat([Buffer.from(part), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  const head = [
    'POST /api/v1/files HTTP/1.1',
    'host: 127.0.0.1',
    `cookie: ${journey.cookie}`,
    `content-type: multipart/form-data; boundary=${BOUNDARY}`,
    `content-length: ${form.length}`,
    'connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), form]);
}

/** Returns what was received until the connection ended, in any way. */
async function send(port: number, octets: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString();
  });
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  await once(socket, 'connect');
  socket.write(octets);
  await closed;
  return answer;
}

/** A file that takes long to read: every phone so many times. */
function repeated(phones: readonly string[], times: number): Buffer {
  const plain = phoneFile(phones).toString();
  const rows = plain.slice(plain.indexOf('\n') + 1);
  return Buffer.from([plain, ...Array.from({ length: times - 1 }, () => rows)].join('\n'));
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const storedFiles = async (world: World) =>
  (
    await world.pool.query<{ files: number; chunks: number; blocks: number }>(
      `select (select count(*)::int from file) as files, (select count(*)::int from file_chunk) as chunks,
       (select count(*)::int from file_block) as blocks`,
    )
  ).rows[0];

/** Waits a second: data of a cut upload may still be being written to the table, and removed again. */
async function untilEmpty(world: World): Promise<void> {
  let since = performance.now();
  await until(
    async () => {
      if ((await storedFiles(world))?.files !== 0) since = performance.now();
      return performance.now() - since > 1_000;
    },
    { what: 'an empty table' },
  );
}

test('P16: an upload cut at 1, 10, 50, 90 and 99.9 % of its octets leaves nothing; a killed api leaves what is swept', {
  timeout: patience(90_000),
}, async (t) => {
  const chance = Chance.of(t);
  const staffed = await makeStaffedWorld(t);
  const { world, journey } = staffed;
  const apiPort = Number(new URL(journey.url).port);
  const proxy = await TcpProxy.start({ port: apiPort });
  t.after(() => proxy.close());
  const phones = journey.phones(100);
  let cuts = 0;
  for (let round = 0; round < size(2, 40); round++) {
    const request = requestOf(journey, repeated(phones, Math.floor(chance.between(200, 1_500))));
    for (const share of SHARES) {
      proxy.cutAfterBytes('toServer', Math.floor(request.length * share));
      assert.equal(await send(proxy.port, request), '', 'no answer, as none can be given');
      cuts += 1;
    }
    await untilEmpty(world);
  }
  proxy.heal();
  assert.deepEqual(await storedFiles(world), { files: 0, chunks: 0, blocks: 0 });

  // The api dies while one is half there.
  const bytes = repeated(phones, 1_500);
  const request = requestOf(journey, bytes);
  const dying = connect(apiPort, '127.0.0.1');
  dying.on('error', () => {});
  await new Promise((resolve) => void dying.write(request.subarray(0, Math.floor(request.length * 0.9)), resolve));
  await until(async () => ((await storedFiles(world))?.chunks ?? 0) > 0, { everyMs: 5, what: 'a first piece' });
  await staffed.api.kill();
  dying.destroy();
  await world.runApi(apiPort);
  const left = await world.pool.query<{ file_id: string; file_status: string }>(
    'select file_id, file_status from file',
  );
  assert.deepEqual(
    left.rows.map((row) => row.file_status),
    ['uploading'],
  );
  const fileId = left.rows[0]?.file_id ?? '';
  const refused = await journey.fetch('/tasks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(journey.taskBody(fileId, 'Of half a file')),
  });
  assert.ok(refused.status >= 400 && refused.status < 500, `a task of half a file: ${refused.status}`);
  assert.equal(await sweepFiles(world.pool, DAY_MS, UPLOAD_LEASE_MS - MINUTE_MS), 0);
  assert.equal(await sweepFiles(world.pool, DAY_MS, UPLOAD_LEASE_MS + MINUTE_MS), 1);
  assert.deepEqual(await storedFiles(world), { files: 0, chunks: 0, blocks: 0 });
  assert.equal((await world.pool.query('select from task where file_id is not null')).rowCount, 0);

  // Sent again in full it is unchanged.
  const answer = await send(proxy.port, request);
  assert.match(answer, /^HTTP\/1\.1 202 /);
  const { rows } = await world.pool.query<{ bytes: Buffer }>('select bytes from file_chunk order by seq');
  assert.equal(sha256(Buffer.concat(rows.map((row) => row.bytes))), sha256(bytes));
  t.diagnostic(`${cuts} uploads cut, of up to ${Math.round(request.length / 1024)} KB`);
});

test('P16: kill -9 of parser and jobs while a file is read: its task stays a draft, and the rows are the same', {
  timeout: patience(120_000),
  skip: process.platform === 'linux' ? false : 'looks for the parser in /proc',
}, async (t) => {
  const chance = Chance.of(t);
  const { world, journey, jobs: firstJobs } = await makeStaffedWorld(t, { tps: size(400, 2_000) });
  const phones = journey.phones(size(2_000, 50_000));
  const bytes = repeated(phones, 150);
  const undisturbed = await journey.uploadRead(bytes);
  const expected = await findEnds(world.pool, undisturbed);

  const answer = await journey.upload(bytes);
  const { fileId } = (await answer.json()) as { fileId: string };
  const body = { ...journey.taskBody(fileId, 'Read again'), draft: true };
  const { taskId } = await journey.call('POST /tasks', { body });
  const stillDraft = async (): Promise<void> => {
    const file = await journey.call('GET /files/:fileId', { params: { fileId } });
    assert.equal(file.fileStatus, 'processing');
    assert.equal(file.validCount, 0, 'nothing is told of half a file');
    const submitted = await journey.fetch(`/tasks/${taskId}/submit`, { method: 'POST' });
    assert.equal(((await submitted.json()) as { code: string }).code, 'FILE_PROCESSING');
    assert.equal((await journey.look(taskId)).taskStatus, TaskStatus.Draft);
  };
  let jobs = firstJobs;
  const killAgain = async (kill: (parser: number) => Promise<void>): Promise<void> => {
    const look = { everyMs: 2, timeoutMs: patience(20_000), what: 'a parser' };
    const parser = await until(() => findChildren(jobs.pid, 'parser')[0], look);
    await chance.pause(50, 200);
    await kill(parser);
    await stillDraft();
    await until(() => findChildren(jobs.pid, 'parser')[0] !== parser, { everyMs: 2 });
  };
  const kills = size(2, 20);
  for (let turn = 0; turn < kills; turn++) {
    // A parser ended three times under one jobs process counts as killed by its file.
    if (turn % 2 === 0) await killAgain(async (parser) => void process.kill(parser, 'SIGKILL'));
    else
      await killAgain(async () => {
        await jobs.kill();
        jobs = world.run('jobs');
      });
  }
  await journey.untilRead(fileId);
  assert.deepEqual(await findEnds(world.pool, fileId), expected);

  await journey.call('POST /tasks/:taskId/submit', { params: { taskId } });
  await journey.untilStatus(taskId, TaskStatus.ValidationPassed);
  await journey.confirm({ taskId, phones });
  await journey.untilEnded(taskId, TaskStatus.Completed);
  const verdict = await world.audit();
  assert.equal(verdict.delivered, phones.length);
  assert.equal(verdict.extraCopies, 0);

  // A file not used by any task is deleted after a day, the other is kept.
  assert.equal(await sweepFiles(world.pool, DAY_MS, DAY_MS - 10 * MINUTE_MS), 0);
  assert.equal(await sweepFiles(world.pool, DAY_MS, DAY_MS + MINUTE_MS), 1);
  const { rows } = await world.pool.query<{ file_id: string }>('select file_id from file');
  assert.deepEqual(rows, [{ file_id: fileId }]);
  t.diagnostic(`${kills} kills, ${expected.recipients} recipients ${expected.sha256.slice(0, 12)}`);
});
