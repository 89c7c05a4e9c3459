/** How much memory an api process takes under mixed requests, and how much of it is still taken when it rests. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findChildren, freePort, Program } from '@pahatid/testkit';
import type { Bench, Figure } from './bench.ts';

const main = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
const clients = 8;
const restS = 60;
const fileRows = 20_000;
const lists = [
  '/api/v1/tasks?limit=200',
  '/api/v1/records?limit=200',
  '/api/v1/templates?limit=200',
  '/api/v1/groups?limit=200',
  '/api/v1/statistics?preset=last3Months',
  '/api/v1/overview?range=month',
  '/api/v1/short-links?limit=200',
  '/home',
];

const rssMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: 'demo', password: 'Demo@1234' }),
  });
  if (!answer.ok) throw new Error(`not signed in: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}

/** What one client does by turns: mostly lists, with csv, uploads and event streams between them. */
async function drive(url: string, cookie: string, untilMs: number, tally: Map<string, number>): Promise<void> {
  const rows = Array.from({ length: fileRows }, (_, n) => `09${170_000_000 + n},Name ${n}`).join('\n');
  for (let turn = 0; performance.now() < untilMs; turn++) {
    const headers = { cookie };
    let answer: Response;
    if (turn % 40 === 20) {
      const form = new FormData();
      form.set('file', new File([`phone,name\n${rows}`], 'numbers.csv'));
      answer = await fetch(`${url}/api/v1/files`, { method: 'POST', headers, body: form });
    } else if (turn % 20 === 10) {
      answer = await fetch(`${url}/api/v1/records`, { headers: { ...headers, accept: 'text/csv' } });
    } else if (turn % 10 === 5) {
      const ending = new AbortController();
      answer = await fetch(`${url}/api/v1/tasks/events`, { headers, signal: ending.signal });
      tally.set(`events ${answer.status}`, (tally.get(`events ${answer.status}`) ?? 0) + 1);
      ending.abort();
      continue;
    } else answer = await fetch(`${url}${lists[turn % lists.length]}`, { headers });
    await answer.arrayBuffer();
    const key = String(answer.status);
    tally.set(key, (tally.get(key) ?? 0) + 1);
  }
}

async function measure(seconds: number): Promise<{ figures: Figure[]; remarks: string[] }> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pahatid-bench-'));
  const port = await freePort();
  const program = new Program([main, 'start'], {
    env: {
      PAHATID_DATA: dataDir,
      PAHATID_PORT: String(port),
      PAHATID_SMPP_PORT: String(await freePort()),
      PAHATID_SIM_PORT: 'off',
      PAHATID_LOG: 'warn',
      PAHATID_API_PROCESSES: '1',
      PAHATID_RATE_PEOPLE: '1000000',
      PAHATID_RATE_ADDRESS: '1000000',
    },
  });
  try {
    await program.says('Pahatid is ready: ');
    const url = `http://127.0.0.1:${port}`;
    const pid = findChildren(program.pid, 'run --role api')[0] ?? 0;
    const cookie = await signIn(url);
    const readHeap = async () => {
      const text = await (await fetch(`${url}/metrics`)).text();
      const read = (name: string) => {
        const found = [...text.matchAll(new RegExp(`^${name}\\{[^}]*role="api"[^}]*\\} ([0-9.e+]+)`, 'gm'))];
        return found.reduce((sum, each) => sum + Number(each[1]), 0) / 1_048_576;
      };
      return ['heap_size_total', 'heap_size_used', 'external_memory']
        .map((name) => `${name} ${read(`nodejs_${name}_bytes`).toFixed(0)}`)
        .join(', ');
    };
    const remarks: string[] = [];
    const before = rssMb(pid);
    remarks.push(`before: ${before.toFixed(0)} MB, ${await readHeap()}`);
    const tally = new Map<string, number>();
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, rssMb(pid));
    }, 200);
    const untilMs = performance.now() + seconds * 1_000;
    await Promise.all(Array.from({ length: clients }, () => drive(url, cookie, untilMs, tally)));
    clearInterval(watch);
    remarks.push(`answers: ${[...tally].map(([key, n]) => `${n} x ${key}`).join(', ')}`);
    remarks.push(`at the end: ${rssMb(pid).toFixed(0)} MB, ${await readHeap()}`);
    await wait(restS * 1_000);
    const after = rssMb(pid);
    remarks.push(`after ${restS} s of rest: ${after.toFixed(0)} MB, ${await readHeap()}`);
    const figure = (what: string, value: number, goal: number | null): Figure => ({
      what,
      value,
      goal,
      unit: 'MB',
      higherIsBetter: false,
    });
    const figures = [
      figure('api: resident memory before requests', before, null),
      figure('api: its peak', peak, null),
      figure(`api: after ${restS} s of rest`, after, null),
    ];
    return { figures, remarks };
  } finally {
    await program.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export const memory: Bench = {
  name: 'memory',
  says: `resident memory of one api process with the demo’s data, under lists, csv, uploads and event streams of ${clients} clients`,
  measure: ([seconds = '120']) => measure(Number(seconds)),
};
