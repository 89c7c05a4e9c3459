/**
 * Measures the redirect time of a click: the API as in a process, on an embedded PostgreSQL with fsync, called by
 * another process at a steady rate, each time with a code that was not requested before. Run by the bench; arguments:
 * clicks, clicks a second. Prints one JSON object: milliseconds, sorted.
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makePool, migrate, one, sql, withTransaction } from '@pahatid/db';
import { buildCustomer, buildShortLink } from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { insertLinkCodes } from '@pahatid/db/queries/short-links';
import { makeShortCodes } from '@pahatid/domain';
import { pino } from 'pino';
import { makeApp } from '../../../http/app.ts';
import { readConfig } from '../../../process/config.ts';
import { makeSecrets } from '../../../secrets/secrets.ts';
import { registerRedirect } from '../redirect.ts';

const [clicks = 6_000, perSecond = 200] = process.argv.slice(2).map(Number);
const userAgent = 'Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36';

/** Asks for each code when its time comes, however long the ones before take. */
async function load(port: number, codes: readonly string[]): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const taken: number[] = [];
  const begun = performance.now();
  const ask = (code: string) =>
    new Promise<void>((resolve, reject) => {
      const from = performance.now();
      const sent = request({ agent, port, path: `/s/${code}`, headers: { 'user-agent': userAgent } }, (answer) => {
        answer.resume();
        answer.on('end', () => {
          taken.push(performance.now() - from);
          if (answer.statusCode === 302) resolve();
          else reject(new Error(`${code}: ${String(answer.statusCode)}`));
        });
      });
      sent.on('error', reject).end();
    });
  const asked: Promise<void>[] = [];
  for (const [index, code] of codes.entries()) {
    await wait(Math.max(0, begun + (index * 1_000) / perSecond - performance.now()));
    asked.push(ask(code));
  }
  await Promise.all(asked);
  agent.destroy();
  return taken;
}

if (process.send) {
  process.once('message', ({ port, codes }: { port: number; codes: string[] }) => {
    void load(port, codes).then((taken) => process.send?.(taken));
  });
} else {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
  const database = await startEmbedded({ dataDir });
  const child = fork(import.meta.filename, process.argv.slice(2));
  try {
    await migrate({ url: database.url });
    const pool = makePool({ url: database.url, applicationName: 'pahatid bench' });
    const customerId = await buildCustomer(pool, {});
    const place = { domain: 'go.example', targetUrl: 'https://example.com/' };
    // A fifth more, asked for first: connections and caches are warm when the measured ones come.
    const [own = '', ...codes] = makeShortCodes(Math.ceil(clicks * 1.2) + 1, randomBytes);
    const linkId = await buildShortLink(pool, { customerId, linkName: 'Bench', code: own, ...place });
    await withTransaction(pool, (tx) =>
      insertLinkCodes(
        tx,
        codes.map((code, index) => ({ code, customerId, linkId, messageId: BigInt(index + 1) })),
      ),
    );
    const config = readConfig({ PAHATID_DATA: dataDir, PAHATID_SECRET: '00'.repeat(32) });
    const app = await makeApp(
      {
        config: { ...config, rates: { people: 1e9, application: 1e9, address: 1e9 } },
        log: pino({ level: 'warn' }),
        pools: { control: pool, data: pool },
        secrets: makeSecrets(Buffer.alloc(32, 1)),
        now: () => new Date(),
        signal: new AbortController().signal,
        checkAnswers: false,
      },
      [registerRedirect],
    );
    await app.listen({ host: '127.0.0.1', port: 0 });
    child.send({ port: (app.server.address() as AddressInfo).port, codes });
    const [taken] = (await once(child, 'message')) as [number[]];
    const { n } = await one<{ n: number }>(pool, sql`select count(*)::int as n from link_click`);
    await app.close();
    await pool.end();
    const milliseconds = taken.slice(-clicks).sort((a, b) => a - b);
    console.log(JSON.stringify({ clicks, perSecond, kept: n, asked: codes.length, milliseconds }));
  } finally {
    child.kill();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
