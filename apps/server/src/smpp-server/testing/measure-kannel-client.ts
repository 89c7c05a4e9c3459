/**
 * Measures Kannel as the client of the SMPP server, with two binds: messages go to its smsbox over HTTP, and are counted once
 * they are committed here. Arguments: messages, window of each bind. Prints one JSON object, or null where Kannel is not
 * installed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { one, sql } from '@pahatid/db';
import { cpuMs, until } from '@pahatid/testkit';
import { hasKannel, startKannel } from './kannel-client.ts';
import { PASSWORD, startSmppProcess } from './smpp-process.ts';

const [count = 20_000, window = 100] = process.argv.slice(2).map(Number);
/** Sent before: connections, plans and compiled code are there. */
const WARM_UP = 1_000;
const SENDER = 'KANNEL';

async function measure() {
  const folder = mkdtempSync(path.join(tmpdir(), 'pahatid-kannel-'));
  const server = await startSmppProcess();
  try {
    const systemId = await server.addApplication(SENDER, 1_000_000);
    const client = await startKannel({ folder, port: server.port, systemId, password: PASSWORD, window });
    try {
      const stored = async () =>
        await one<{ total: number; numbers: number }>(
          server.pool,
          sql`select count(*)::int as total, count(distinct msisdn)::int as numbers from message`,
        );
      let from = 0;
      const send = async (messages: number): Promise<void> => {
        const first = from;
        from += messages;
        await client.send(messages, (n) => ({
          from: SENDER,
          to: `63917${String(first + n).padStart(7, '0')}`,
          text: `Your order ${100_000 + n} is ready.`,
        }));
        await until(async () => (await stored()).total >= from, { timeoutMs: 600_000, everyMs: 100, what: 'all' });
      };
      await send(WARM_UP);
      const cpu = () => ({
        smpp: cpuMs(server.pids.smpp),
        database: cpuMs(server.pids.database, true),
        kannel: client.pids.reduce((sum, pid) => sum + cpuMs(pid), 0),
      });
      const [before, startedMs] = [cpu(), performance.now()];
      await send(count);
      const [after, seconds] = [cpu(), (performance.now() - startedMs) / 1_000];
      const each = (name: 'smpp' | 'database' | 'kannel'): number => ((after[name] - before[name]) * 1_000) / count;
      const micros = { smpp: each('smpp'), database: each('database'), kannel: each('kannel') };
      const { total, numbers } = await stored();
      return {
        ...{ cores: availableParallelism(), count, window },
        perSecond: count / seconds,
        micros,
        total,
        numbers,
      };
    } finally {
      await client.stop();
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.stdout.write(`${JSON.stringify(hasKannel ? await measure() : null)}\n`);
