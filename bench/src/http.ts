/** How many messages the HTTP API accepts a second, how long a call takes at half of that, and what it costs. */
import { fileURLToPath } from 'node:url';
import type { Bench, Figure } from './bench.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(new URL('../../apps/server/src/sending/testing/measure-http.ts', import.meta.url));
/** Messages a second to hold, and milliseconds that 99 of 100 calls may take at half of that. */
const goals = { single: 3_000, bulk: 25_000, p99Ms: 60 };

interface Result {
  connections: number;
  perCall: number;
  /** Messages a second asked for; null: as fast as the answers come. */
  rate: number | null;
  accepted: number;
  busy: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** Microseconds a message. */
  cpu: { api: number; database: number; client: number };
}

interface Measured {
  cores: number;
  messages: number;
  results: Result[];
}

const figuresOf = ({ connections, perCall, rate, perSecond, p50, p99, cpu }: Result): Figure[] => {
  const what = `${perCall} a call, ${connections} connections${rate === null ? '' : `, ${rate}/s`}`;
  const isSingle = perCall === 1;
  const goal = isSingle ? goals.single : goals.bulk;
  const lower = (name: string, value: number, unit: string, bound: number | null = null): Figure => ({
    what: `${what}: ${name}`,
    value,
    unit,
    goal: bound,
    higherIsBetter: false,
  });
  return [
    ...(rate === null
      ? [{ what: `${what}: accepted`, value: perSecond, unit: 'messages/s', goal, higherIsBetter: true }]
      : []),
    lower('p50', p50, 'ms'),
    lower('p99', p99, 'ms', rate === null ? null : goals.p99Ms),
    lower('CPU api', cpu.api, 'µs per message'),
    lower('CPU PostgreSQL', cpu.database, 'µs per message'),
    lower('CPU client', cpu.client, 'µs per message'),
  ];
};

export const http: Bench = {
  name: 'http',
  says: 'messages over `POST /messages`, each call answered after its commit: an api process, embedded PostgreSQL with fsync and a client over TCP, ten customers; as fast as the answers come, then at half of the figure to hold',
  async measure([seconds = '6', ...only]) {
    const { cores, messages, results } = await runProgram<Measured>(program, [seconds, ...only]);
    const busy = results.reduce((sum, each) => sum + each.busy, 0);
    return {
      figures: results.flatMap(figuresOf),
      remarks: [
        `${messages} messages in the table afterwards; ${busy} calls were asked to come again, because too much waited; ${seconds} s for each line, ${cores} cores.`,
      ],
    };
  },
};
