/** How long a code takes from its 202 to the carrier's socket, when idle and during a campaign. */
import { fileURLToPath } from 'node:url';
import type { Bench, Figure } from './bench.ts';
import { runProgram } from './run-program.ts';

interface Spread {
  p50: number;
  p99: number;
  max: number;
}

/** Milliseconds. */
interface Latencies {
  codes: number;
  fromAnswer: Spread;
  fromCall: Spread;
  call: Spread;
}

interface Measured {
  load: number;
  seconds: number;
  perSecond: number;
  cores: number;
  idle: Latencies;
  /** Null if the load ended before a code was sent. */
  loaded: Latencies | null;
}

const program = fileURLToPath(new URL('../../apps/server/src/sending/testing/measure-latency.ts', import.meta.url));

const measure = async (words: readonly string[]): Promise<Measured> => {
  return await runProgram<Measured>(program, words);
};

const figure = (what: string, value: number, goal: number | null = null): Figure => ({
  what,
  value,
  unit: 'ms',
  goal,
  higherIsBetter: false,
});

const beside = (when: string, { fromAnswer, fromCall, call }: Latencies, p50: number | null, p99: number): Figure[] => [
  figure(`${when}: answered to written, p50`, fromAnswer.p50, p50),
  figure(`${when}: answered to written, p99`, fromAnswer.p99, p99),
  figure(`${when}: answered to written, longest`, fromAnswer.max),
  figure(`${when}: asked to written, p50`, fromCall.p50),
  figure(`${when}: asked to written, p99`, fromCall.p99),
  figure(`${when}: asked to answered, p50`, call.p50),
  figure(`${when}: asked to answered, p99`, call.p99),
];

export const sendLatency: Bench = {
  name: 'send-latency',
  says: 'a code over HTTP from its 202 to the carrier’s socket, as the sender notes it in the row; embedded PostgreSQL with fsync, HTTP, sender and carriers in processes of their own; idle, then while another customer’s marketing is being sent',
  async measure([load = '200000', idleCodes = '300']) {
    const { idle, loaded, ...measured } = await measure([load, idleCodes]);
    return {
      figures: [...beside('idle', idle, 15, 60), ...(loaded === null ? [] : beside('loaded', loaded, null, 250))],
      remarks: [
        `${idle.codes} codes when idle, ${loaded?.codes ?? 0} beside ${measured.load} marketing messages, which took ${measured.seconds.toFixed(1)} s (${Math.round(measured.perSecond)}/s); ${measured.cores} cores.`,
      ],
    };
  },
};
