/** The same work through Kannel and through the product, in turns in one run. */
import { Agent, createServer, get } from 'node:http';
import { until } from '@pahatid/testkit';
import type { Bench, Figure } from './bench.ts';
import { findKannel, KannelGateway } from './kannel-gateway.ts';
import { measureCarrier } from './measure-carrier.ts';
import { SimulatorProcess } from './simulator.ts';

interface Turn {
  perSecond: number;
  /** µs per message of everything but the carrier and the load. */
  cpuMicros: number;
  /** Messages whose receipt was not reported. */
  unreported: number;
}

const binds = 2;
const windowSize = 100;
/** Milliseconds: long enough that a receipt is not there before Kannel has noted its message, which would lose it. */
const receiptDelay = '500-1000';
/** Concurrent requests. */
const concurrency = 64;
/** After so long without a receipt none is expected any more. */
const silenceMs = 10_000;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Server to which Kannel reports receipts. */
const listenForReceipts = async () => {
  const seen = new Set<string>();
  let lastAt = performance.now();
  const server = createServer((request, response) => {
    response.end('ok');
    const id = new URL(request.url ?? '/', 'http://localhost').searchParams.get('id');
    if (id === null || seen.has(id)) return;
    seen.add(id);
    lastAt = performance.now();
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** Waits for so many, or until no more arrive; returns how many arrived and when the last did. */
    async wait(count: number): Promise<{ told: number; lastAt: number }> {
      const asked = performance.now();
      const isSilent = () => performance.now() - Math.max(asked, lastAt) > silenceMs;
      await until(() => seen.size === count || isSilent(), { timeoutMs: 900_000, everyMs: 20 });
      return { told: seen.size, lastAt };
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

const request = (agent: Agent, url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    }).once('error', reject);
  });

const runKannel = async (
  programs: { bearerbox: string; smsbox: string },
  simulator: SimulatorProcess,
  { count, firstNumber }: { count: number; firstNumber: number },
): Promise<Turn> => {
  const receipts = await listenForReceipts();
  const kannel = await KannelGateway.start(programs, { smppPort: simulator.port, binds, window: windowSize });
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  try {
    const [cpu, startedAt] = [kannel.cpuMs(), performance.now()];
    let next = 0;
    const sendOn = async (): Promise<void> => {
      while (next < count) {
        const n = next++;
        const url = new URL(`http://127.0.0.1:${kannel.sendPort}/cgi-bin/sendsms`);
        const values = {
          username: 'bench',
          password: 'bench',
          from: 'PAHATID',
          to: `63917${String(firstNumber + n).padStart(7, '0')}`,
          text: `Message ${n}. Your one-time PIN is 482913. It ends in 3 minutes.`,
          'dlr-mask': '3',
          'dlr-url': `http://127.0.0.1:${receipts.port}/receipt?id=${n}&status=%d`,
        };
        url.search = new URLSearchParams(values).toString();
        const status = await request(agent, url.href);
        if (status !== 202) throw new Error(`Kannel answered ${status}`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, sendOn));
    const { told, lastAt } = await receipts.wait(count);
    const seconds = (lastAt - startedAt) / 1_000;
    return { perSecond: told / seconds, cpuMicros: ((kannel.cpuMs() - cpu) * 1_000) / count, unreported: count - told };
  } finally {
    agent.destroy();
    await kannel.stop();
    receipts.close();
  }
};

const runOurs = async (
  simulator: SimulatorProcess,
  { count, firstNumber }: { count: number; firstNumber: number },
): Promise<Turn> => {
  const of = { port: simulator.port, count, firstNumber, bindCount: binds, windowSize, tps: 100_000 };
  const { seconds, cpuMicros } = await measureCarrier(of);
  return { perSecond: count / seconds, cpuMicros: cpuMicros.sender + cpuMicros.postgres, unreported: 0 };
};

const figuresOf = (who: string, turns: readonly Turn[]): Figure[] => [
  {
    what: `${who}, sent to receipt told`,
    value: median(turns.map(({ perSecond }) => perSecond)),
    unit: 'messages/s',
    goal: null,
    higherIsBetter: true,
  },
  {
    what: `${who}, CPU`,
    value: median(turns.map(({ cpuMicros }) => cpuMicros)),
    unit: 'µs per message',
    goal: null,
    higherIsBetter: false,
  },
];

export const kannel: Bench = {
  name: 'kannel',
  says: `messages to one simulated carrier over ${binds} binds with a window of ${windowSize}: Kannel from HTTP to HTTP callback with its file store, ours from accepted to receipt in the record with fsync; in turns`,
  async measure([words = '20000', turns = '3']) {
    const programs = findKannel();
    if (programs === null) {
      return { figures: [], remarks: ['Not measured: Kannel is not installed (Debian: apt-get install kannel).'] };
    }
    const count = Number(words);
    const simulator = await SimulatorProcess.start(`--receipt-delay=${receiptDelay}`);
    const [theirs, ours]: [Turn[], Turn[]] = [[], []];
    try {
      for (let turn = 0; turn < Number(turns); turn++) {
        const part = { count, firstNumber: turn * count };
        await simulator.reset();
        theirs.push(await runKannel(programs, simulator, part));
        await assertOnce(simulator, count);
        await simulator.reset();
        ours.push(await runOurs(simulator, part));
        await assertOnce(simulator, count);
      }
    } finally {
      await simulator.stop();
    }
    const [kannelRate, kannelCost, ourRate, ourCost] = [...figuresOf('Kannel', theirs), ...figuresOf('ours', ours)] as [
      Figure,
      Figure,
      Figure,
      Figure,
    ];
    const times = (what: string, value: number): Figure => ({
      what,
      value,
      unit: 'times',
      goal: 1,
      higherIsBetter: true,
    });
    return {
      figures: [
        kannelRate,
        kannelCost,
        { ...ourRate, goal: kannelRate.value },
        { ...ourCost, goal: kannelCost.value },
        times('as many messages/s as Kannel', ourRate.value / kannelRate.value),
        {
          what: 'receipts Kannel never told',
          value: theirs.reduce((sum, { unreported }) => sum + unreported, 0),
          unit: '',
          goal: null,
          higherIsBetter: false,
        },
        times('as little CPU as Kannel', kannelCost.value / ourCost.value),
      ],
      remarks: [
        `Medians of ${turns} turns of ${count} messages; after each the carrier had every message once. CPU: bearerbox and smsbox; sender and PostgreSQL.`,
        'Kannel takes messages over HTTP while it sends; ours had accepted them before. Kannel does not call fsync.',
      ],
    };
  },
};

const assertOnce = async (simulator: SimulatorProcess, count: number): Promise<void> => {
  const { messages, unique, duplicates } = await simulator.counters('globe');
  if (unique !== count)
    throw new Error(`the carrier has ${messages} of ${count} messages, ${duplicates} of them twice`);
};
