/** The same work through Kannel and through the product, in turns in one run. */
import { Agent, createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestStatus, until } from '@pahatid/testkit';
import type { Bench, Figure } from './bench.ts';
import { findKannel, KannelGateway } from './kannel-gateway.ts';
import { measureCarrier } from './measure-carrier.ts';
import { SimulatorProcess } from './simulator.ts';

interface Turn {
  /** Taken by the carrier, from the first to the last. */
  perSecond: number;
  /** µs per message of everything but the carrier and the load. */
  cpuMicros: number;
}

interface Cell {
  windowSize: number;
  /** Milliseconds from submit to response. */
  answerMs: number;
}

const binds = 2;
const defaultWindows = '1,10,50,100,1000';
const defaultAnswers = '0,20,100';
/** Of each turn, if it is as fast as it can be. */
const idealSeconds = 4;
/** Milliseconds of work in each response that no pipeline can hide. */
const overheadMs = 2;
const mostPerSecond = 15_000;
/** Milliseconds: long enough that a receipt is not there before Kannel has noted its message, which would lose it. */
const receiptDelay = '500-1000';
/** Concurrent requests. */
const concurrency = 64;
/** After so long without a receipt none is expected any more. */
const silenceMs = 10_000;
const watchEveryMs = 10;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Messages a second that windows and answer time allow. */
const idealOf = ({ windowSize, answerMs }: Cell): number =>
  Math.min(mostPerSecond, (1_000 * binds * windowSize) / (answerMs + overheadMs));

/** Messages a second that the carrier takes until it has so many, once the first has come. */
async function watchCarrier(simulator: SimulatorProcess, count: number): Promise<number> {
  let first: { at: number; seen: number } | null = null;
  for (;;) {
    const { unique } = await simulator.counters('globe');
    const at = performance.now();
    if (first === null && unique > 0) first = { at, seen: unique };
    if (unique >= count) return (1_000 * (count - (first?.seen ?? 0))) / Math.max(1, at - (first?.at ?? at));
    await sleep(watchEveryMs);
  }
}

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
    /** Waits for so many, or until no more arrive. */
    async wait(count: number): Promise<void> {
      const asked = performance.now();
      const isSilent = () => performance.now() - Math.max(asked, lastAt) > silenceMs;
      await until(() => seen.size === count || isSilent(), { timeoutMs: 900_000, everyMs: 20 });
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

interface Part extends Cell {
  count: number;
  firstNumber: number;
}

const runKannel = async (
  programs: { bearerbox: string; smsbox: string },
  simulator: SimulatorProcess,
  { count, firstNumber, windowSize }: Part,
): Promise<Turn> => {
  const receipts = await listenForReceipts();
  const kannel = await KannelGateway.start(programs, { smppPort: simulator.port, binds, window: windowSize });
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  try {
    const cpu = kannel.cpuMs();
    const rate = watchCarrier(simulator, count);
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
        const status = await requestStatus(agent, url.href);
        if (status !== 202) throw new Error(`Kannel answered ${status}`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, sendOn));
    const perSecond = await rate;
    await receipts.wait(count);
    return { perSecond, cpuMicros: ((kannel.cpuMs() - cpu) * 1_000) / count };
  } finally {
    agent.destroy();
    await kannel.stop();
    receipts.close();
  }
};

const runOurs = async (simulator: SimulatorProcess, { count, firstNumber, windowSize }: Part): Promise<Turn> => {
  const of = { port: simulator.port, count, firstNumber, bindCount: binds, windowSize, tps: 100_000 };
  const [perSecond, { cpuMicros }] = await Promise.all([watchCarrier(simulator, count), measureCarrier(of)]);
  return { perSecond, cpuMicros: cpuMicros.sender + cpuMicros.postgres };
};

/** Of one window and answer time, in turns: what both reached, and how they compare. */
function figuresOf(cell: Cell, theirs: readonly Turn[], ours: readonly Turn[]): Figure[] {
  const name = `window ${cell.windowSize}, ${cell.answerMs} ms: `;
  const rateOf = (turns: readonly Turn[]): number => median(turns.map(({ perSecond }) => perSecond));
  const costOf = (turns: readonly Turn[]): number => median(turns.map(({ cpuMicros }) => cpuMicros));
  const isWide = cell.windowSize >= 50 && cell.answerMs === 0;
  const plain = { goal: null, higherIsBetter: true };
  const times = { unit: 'times', goal: isWide ? 4 : 1, higherIsBetter: true };
  return [
    { what: `${name}ours`, value: rateOf(ours), unit: 'messages/s', ...plain },
    { what: `${name}Kannel`, value: rateOf(theirs), unit: 'messages/s', ...plain },
    {
      what: `${name}of what is possible`,
      value: rateOf(ours) / idealOf(cell),
      unit: '',
      goal: 0.9,
      higherIsBetter: true,
    },
    { what: `${name}as fast as Kannel`, value: rateOf(ours) / rateOf(theirs), ...times },
    { what: `${name}CPU of ours`, value: costOf(ours), unit: 'µs per message', goal: null, higherIsBetter: false },
    { what: `${name}as little CPU as Kannel`, value: costOf(theirs) / costOf(ours), ...times },
  ];
}

const numbersOf = (words: string): number[] => words.split(',').map(Number);

export const kannel: Bench = {
  name: 'kannel',
  says: `messages to one simulated carrier over ${binds} binds, by window and answer time: Kannel from HTTP to HTTP callback with its file store, ours from accepted to receipt in the record with fsync; in turns`,
  async measure([turns = '1', windows = defaultWindows, answers = defaultAnswers]) {
    const programs = findKannel();
    if (programs === null) {
      return { figures: [], remarks: ['Not measured: Kannel is not installed (Debian: apt-get install kannel).'] };
    }
    const figures: Figure[] = [];
    for (const answerMs of numbersOf(answers)) {
      const simulator = await SimulatorProcess.start(`--receipt-delay=${receiptDelay}`, `--latency=${answerMs}`);
      try {
        for (const windowSize of numbersOf(windows)) {
          const cell = { windowSize, answerMs };
          const count = Math.ceil(idealOf(cell) * idealSeconds);
          const [theirs, ours]: [Turn[], Turn[]] = [[], []];
          for (let turn = 0; turn < Number(turns); turn++) {
            const part = { ...cell, count, firstNumber: turn * count };
            await simulator.reset();
            theirs.push(await runKannel(programs, simulator, part));
            await assertOnce(simulator, count);
            await simulator.reset();
            ours.push(await runOurs(simulator, part));
            await assertOnce(simulator, count);
          }
          figures.push(...figuresOf(cell, theirs, ours));
        }
      } finally {
        await simulator.stop();
      }
    }
    return {
      figures,
      remarks: [
        `Medians of ${turns} turns; after each the carrier had every message once. Possible: windows by answer time and ${overheadMs} ms, at most ${mostPerSecond}/s. CPU: bearerbox and smsbox; sender and PostgreSQL.`,
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
