/** Runs a whole machine as in production, sending to faulty carriers: its metrics and logs. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { before, test } from 'node:test';
import { findChildren, freePort, Program, testDatabase, until } from '@pahatid/testkit';
import { parseMetrics, type Sample, sumOf } from '../metrics/testing/parse-metrics.ts';
import { masterKey, Scene } from '../sending/testing/scene.ts';

const MAIN = path.join(import.meta.dirname, '../main.ts');
const DOCUMENT = path.join(import.meta.dirname, '../../../../docs/metrics.md');
const PLAIN = 900;
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pahatid-machine-'));
const db = await testDatabase({ strict: false });
const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const scene = await Scene.build({
  pool: db.pool,
  carriers: {
    outcomes: { delivered: 0.8, undeliv: 0.2 },
    // A sender that is asked for more gets ESME_RTHROTTLED.
    tps: 400,
  },
});
const machine = new Program([MAIN, 'start', '--roles', 'api,sender,jobs,smpp'], {
  env: {
    DATABASE_URL: db.url,
    PAHATID_SECRET: masterKey.toString('hex'),
    PAHATID_DEMO: 'off',
    PAHATID_PORT: String(port),
    PAHATID_SIM_PORT: 'off',
    PAHATID_SMPP_PORT: String(await freePort()),
    PAHATID_API_PROCESSES: '2',
    PAHATID_DATA: dataDir,
  },
});
db.beforeClose(async () => {
  await machine.kill();
  await scene.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const scrape = async (): Promise<Sample[]> => parseMetrics(await (await fetch(`${address}/metrics`)).text());

const faults = {
  errors: [
    // Refused temporarily, permanently, and with throttling.
    { status: 0x08, rate: 0.05 },
    { status: 0x0b, rate: 0.05 },
    { status: 0x58, rate: 0.05 },
  ],
  disconnect: 0.005,
};

before(async () => {
  await machine.says('Pahatid is ready');
  await until(async () => sumOf(await scrape(), 'pahatid_process_up', { child: 'api-2' }) === 1);
  scene.setFaults(faults);
  await scene.accept(scene.recipients(PLAIN));
  const isOver = async (): Promise<boolean> => {
    const states = await scene.states();
    return (states['0/0'] ?? 0) === 0 && (states['3/1'] ?? 0) === 0;
  };
  await until(isOver, { what: 'the end of sending' });
  scene.setFaults({ errors: [], disconnect: 0 });
});

test('metrics by lane, supplier and outcome are those of the rows, those of answers the ones of the carriers', async () => {
  const samples = await scrape();
  const { rows } = await db.pool.query<{
    supplier: string;
    submitted: number;
    failed: number;
    delivered: number;
    undelivered: number;
    doubts: number;
  }>(
    `select s.supplier_account as supplier,
       count(*) filter (where m.send_status = 3)::int as submitted, count(*) filter (where m.send_status = 2)::int as failed,
       count(*) filter (where m.client_status = 2)::int as delivered,
       count(*) filter (where m.send_status = 3 and m.client_status in (3, 4, 5))::int as undelivered,
       (select count(*)::int from in_doubt d where d.supplier_id = s.supplier_id) as doubts
     from message m join supplier s using (supplier_id) group by s.supplier_id`,
  );
  assert.equal(rows.length, 3);
  for (const row of rows) {
    const count = (outcome: string): number =>
      sumOf(samples, 'pahatid_messages_total', { lane: 'notification', supplier: row.supplier, outcome });
    assert.deepEqual(
      [count('submitted'), count('failed'), count('delivered'), count('undelivered'), count('in_doubt')],
      [row.submitted, row.failed, row.delivered, row.undelivered, row.doubts],
      row.supplier,
    );
    assert.ok(row.submitted > 0 && row.failed > 0 && row.undelivered > 0);
  }
  const journal = [...(scene.simulator?.journal.entries() ?? [])];
  const journalled = (status: number): number => journal.filter((entry) => entry.status === status).length;
  const answered = (name: string): number => sumOf(samples, 'pahatid_submit_responses_total', { class: name });
  // A response lost with its session was sent, but is unknown to us.
  const unanswered = sumOf(samples, 'pahatid_submit_unanswered_total', {});
  const near = (counted: number, given: number): void =>
    assert.ok(counted <= given && given - counted <= unanswered, `${counted} counted, ${given} given`);
  near(answered('accepted'), journalled(0));
  near(answered('throttled'), journalled(0x58));
  near(answered('temporary'), journalled(0x08));
  near(answered('permanent'), journalled(0x0b));
  assert.ok(answered('throttled') > 0);
  const open = await db.pool.query('select from in_doubt where resolved_at is null');
  // What waits is read from the database every few seconds only.
  await until(async () => {
    const latest = await scrape();
    const batches = sumOf(latest, 'pahatid_queue_batches', {});
    return batches === 0 && sumOf(latest, 'pahatid_in_doubt_open', {}) === open.rowCount;
  });
  assert.equal(sumOf(samples, 'pahatid_binds_wanted', {}), 6);
  assert.ok(sumOf(samples, 'pahatid_flush_messages_sum', {}) >= PLAIN);
});

test('it covers every process of the machine, and is readable only by the machine or with the token', async () => {
  const samples = await scrape();
  const roles = new Set(samples.map(({ labels }) => labels['role']));
  assert.deepEqual([...roles].sort(), ['api', 'api-2', 'jobs', 'sender', 'smpp', 'supervisor']);
  for (const child of ['api', 'api-2', 'jobs', 'sender', 'smpp'])
    assert.equal(sumOf(samples, 'pahatid_process_up', { child }), 1, child);
  for (const role of roles) assert.ok(sumOf(samples, 'process_resident_memory_bytes', { role: role ?? '' }) > 0);
  const proxied = await fetch(`${address}/metrics`, { headers: { 'x-forwarded-for': '127.0.0.1' } });
  assert.equal(proxied.status, 404);
  const ready = (await (await fetch(`${address}/readyz`)).json()) as {
    status: string;
    database: string;
    storage: string;
    roles: unknown;
  };
  assert.deepEqual(ready, {
    database: 'ok',
    storage: 'ok',
    durability: 'ok',
    draining: false,
    roles: ['api', 'sender', 'jobs', 'smpp', 'api-2'].map((process) => ({
      role: process.replace('-2', ''),
      process,
      state: 'running',
    })),
    status: 'ready',
  });
});

test('/readyz counts every role: it returns 503 while one restarts', async () => {
  const [pid = 0] = findChildren(machine.pid, 'run --role jobs');
  const look = async (): Promise<{ status: number; jobs: string | undefined }> => {
    const answer = await fetch(`${address}/readyz`);
    const { roles } = (await answer.json()) as { roles: { role: string; state: string }[] };
    return { status: answer.status, jobs: roles.find(({ role }) => role === 'jobs')?.state };
  };
  process.kill(pid, 'SIGKILL');
  const broken = await until(async () => {
    const seen = await look();
    return seen.jobs !== 'running' && seen;
  });
  assert.equal(broken.status, 503);
  assert.deepEqual(
    await until(async () => {
      const seen = await look();
      return seen.jobs === 'running' && seen;
    }),
    { status: 200, jobs: 'running' },
  );
});

test('docs/metrics.md lists each metric with its type and labels, and no others', async () => {
  const text = await (await fetch(`${address}/metrics`)).text();
  const samples = parseMetrics(text);
  const exported = new Map(
    [...text.matchAll(/^# TYPE (pahatid_\w+) (\w+)$/gm)].map(([, name = '', type]) => [name, type] as const),
  );
  const described = new Map<string, { type: string; labels: string[] }>();
  for (const [, name = '', type = '', labels = ''] of readFileSync(DOCUMENT, 'utf8').matchAll(
    /^\| `(pahatid_\w+)` \| (\w+) \| ([\w, ]*?) ?\|/gm,
  ))
    described.set(name, { type, labels: labels.split(', ').filter((label) => label.trim() !== '') });
  assert.deepEqual([...exported.keys()].sort(), [...described.keys()].sort());
  for (const [name, { type, labels }] of described) {
    assert.equal(exported.get(name), type, name);
    for (const sample of samples) {
      if (sample.name.replace(/_(bucket|sum|count)$/, '') !== name && sample.name !== name) continue;
      const given = Object.keys(sample.labels).filter((label) => label !== 'role' && label !== 'le');
      assert.deepEqual(given.sort(), [...labels].sort(), name);
    }
  }
});

test('S57 no line of any process holds a phone, a text or a secret, and lines about a batch name it', async () => {
  // Causes of log lines: a carrier that disconnects, a database that breaks off, a sender that dies with batches in
  // progress.
  scene.setFaults({ disconnect: 0.05 });
  await scene.accept(scene.recipients(600, 5_000));
  const sender = (): Promise<number | null> =>
    db.pool
      .query<{ n: number }>('select count(*)::int n from batch where state = 1 and owner is not null')
      .then(({ rows }) => rows[0]?.n ?? null);
  await until(async () => ((await sender()) ?? 0) > 0);
  await db.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'pahatid %' and application_name <> 'pahatid test'`,
  );
  const pid = Number(/"role":"sender","pid":(\d+)/.exec(machine.output)?.[1]);
  process.kill(pid, 'SIGKILL');
  await until(() => /batch recovered by/.test(machine.output));
  const lines = machine.output.split('\n').filter((line) => line.startsWith('{'));
  assert.ok(lines.length > 10);
  for (const line of lines) assert.equal(typeof JSON.parse(line).role, 'string');
  const taken = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg.startsWith('batch recovered by'));
  assert.match(taken.batchId, /^\d{15,18}$/);

  const { rows } = await db.pool.query<{ msisdn: string; content: string }>('select msisdn, content from message');
  const secrets = [masterKey.toString('hex'), 'globepw', 'smartpw', 'ditopw', new URL(db.url).password];
  const said = machine.output;
  for (const { msisdn, content } of rows) {
    assert.ok(!said.includes(msisdn.slice(-10)), `a phone: ${msisdn}`);
    assert.ok(!said.includes(content.trim()), `a text: ${content}`);
  }
  for (const secret of secrets) assert.ok(!said.includes(secret), 'a secret');
});
