/** Sessions over loopback: round trips by window, and a carrier of the simulator at full speed without a database. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { connectSession, encodeText, makePdu, readReceipt } from '@pahatid/smpp';
import { cpuMs, peakMemory } from '@pahatid/testkit';
import type { Bench, Figure } from './bench.ts';

interface Load {
  perSecond: number;
  /** µs per message. */
  client: number;
  server: number;
}

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A process that prints its port first. */
const start = async (name: string, words: readonly string[] = []): Promise<{ child: ChildProcess; port: number }> => {
  const child = spawn(process.execPath, [file(name), ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(/\d{4,5}/.exec(line.toString())?.[0]) };
};

const stop = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
};

/** Sends `count` messages over `binds` and waits for every response, and for every receipt if there are any. */
const load = async (
  { child, port }: { child: ChildProcess; port: number },
  { count, window, binds, receipts }: { count: number; window: number; binds: number; receipts: boolean },
): Promise<Load> => {
  const done = Promise.withResolvers<void>();
  let [sent, answered, reported] = [0, 0, 0];
  const check = () => {
    if (answered === count && (!receipts || reported === count)) done.resolve();
  };
  const fills: (() => void)[] = [];
  const sessions = await Promise.all(
    Array.from({ length: binds }, async () => {
      const account = {
        host: '127.0.0.1',
        port,
        mode: 'transceiver',
        system_id: 'globe',
        password: 'globepw',
      } as const;
      const result = await connectSession<number>(
        { ...account, window },
        {
          onResponse(_token, status) {
            if (status !== 0) done.reject(new Error(`refused: ${status}`));
            answered++;
            check();
          },
          onUnknown: (_token, reason) => done.reject(new Error(reason)),
          onWindow: () => fill(),
          onDeliver(pdu, respond) {
            if (readReceipt(pdu)?.stat !== 'DELIVRD') done.reject(new Error('no receipt'));
            respond();
            reported++;
            check();
          },
          onClose() {},
        },
      );
      if (!result.bound) throw new Error(result.detail);
      const { session } = result;
      const fill = () => {
        while (sent < count && session.writableSlots > 0) session.send(message(sent++), sent);
      };
      fills.push(fill);
      return session;
    }),
  );
  const [own, theirs, startedAt] = [process.cpuUsage(), cpuMs(child.pid ?? 0), performance.now()];
  for (const fill of fills) fill();
  await done.promise;
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(own);
  const server = ((cpuMs(child.pid ?? 0) - theirs) * 1_000) / count;
  await Promise.all(sessions.map((session) => session.stop()));
  return { perSecond: count / seconds, client: (user + system) / count, server };
};

const message = (n: number) =>
  makePdu('submit_sm', {
    source_addr_ton: 5,
    source_addr: 'PAHATID',
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    destination_addr: `639${String(170_000_000 + (n % 9_000_000))}`,
    registered_delivery: 1,
    short_message: encodeText(`Message ${n}. Your one-time PIN is 482913. It ends in 3 minutes.`, 'gsm7'),
  });

const rate = (what: string, value: number, goal: number | null = null): Figure => ({
  what,
  value,
  unit: 'messages/s',
  goal,
  higherIsBetter: true,
});

const cost = (what: string, value: number, goal: number | null = null): Figure => ({
  what: `CPU ${what}`,
  value,
  unit: 'µs per message',
  goal,
  higherIsBetter: false,
});

export const session: Bench = {
  name: 'session',
  says: 'one client session and a server in another process over loopback, without a database; then two sessions and a carrier of the simulator, every message with its receipt read and answered',
  async measure([words = '200000']) {
    const count = Number(words);
    const figures: Figure[] = [];
    const server = await start('session-server.ts');
    await load(server, { count: count / 10, window: 100, binds: 1, receipts: false });
    for (const window of [10, 100, 1_000]) {
      const found = await load(server, { count, window, binds: 1, receipts: false });
      figures.push(
        rate(`window ${window}, round trips`, found.perSecond),
        cost(`window ${window}, client`, found.client),
        cost(`window ${window}, server`, found.server),
      );
    }
    await stop(server.child);
    const carrier = await start('../../apps/carrier-simulator/src/main.ts', [
      ...['--port', '0', '--control', '0', '--outcomes', 'delivered=1', '--receipt-delay', '5-100'],
    ]);
    await load(carrier, { count: count / 10, window: 200, binds: 2, receipts: true });
    const found = await load(carrier, { count: count * 5, window: 200, binds: 2, receipts: true });
    const peak = peakMemory(carrier.child.pid ?? 0);
    await stop(carrier.child);
    figures.push(
      rate('submit and receipt, both processes at once', found.perSecond, 20_000),
      rate('submit and receipt, client on one core', 1e6 / found.client, 20_000),
      cost('submit and receipt, client', found.client),
      rate('carrier simulator on one core', 1e6 / found.server, 50_000),
      cost('carrier simulator', found.server, 20),
      { what: 'carrier simulator, most memory', value: peak, unit: 'MiB', goal: null, higherIsBetter: false },
    );
    return {
      figures,
      remarks: [`${count} round trips each; ${count * 5} messages with receipts, all in the simulator's journal.`],
    };
  },
};
