/** How many submit_sm the SMPP server accepts a second, how long a response takes, and what idle sessions weigh. */
import { fileURLToPath } from 'node:url';
import type { Bench, Figure } from './bench.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(new URL('../../apps/server/src/smpp-server/testing/measure-smpp.ts', import.meta.url));
const goals = { perSecond: 10_000, p99Ms: 50, slower: 1.2, refusalMs: 10, idleMiB: 1_024 };

interface Result {
  perSecond: number;
  throttled: number;
  p50: number;
  p99: number;
  /** Microseconds a message. */
  cpu: { smpp: number; database: number };
}

interface Measured {
  cores: number;
  most: Result;
  half: Result;
  /** Of another account: milliseconds; and what the flood was answered. */
  flood: { aloneP99: number; duringP99: number; accepted: number; throttled: number };
  /** Milliseconds until a submit_sm beyond the rate had its 0x58. */
  refusalP99: number;
  idle: { sessions: number; rssMiB: number; beforeMiB: number; bindMs: number; idleCpu: number } | null;
}

export const smppServer: Bench = {
  name: 'smpp-server',
  says: 'submit_sm over TCP, each answered after its commit: the smpp role, embedded PostgreSQL with fsync and a client in separate processes; 4 binds with a window of 100, then 5,000/s, then 100/s in eleven turns alone and while another account floods from another process, then a burst beyond a rate, then idle sessions',
  async measure(words) {
    const { cores, most, half, flood, refusalP99, idle } = await runProgram<Measured>(program, words);
    const lower = (what: string, value: number, unit: string, goal: number | null = null): Figure => ({
      what,
      value,
      unit,
      goal,
      higherIsBetter: false,
    });
    const figures: Figure[] = [
      {
        what: '4 binds, window 100: accepted',
        value: most.perSecond,
        unit: 'submit_sm/s',
        goal: goals.perSecond,
        higherIsBetter: true,
      },
      lower('4 binds, window 100: p99', most.p99, 'ms'),
      lower('4 binds, window 100: CPU smpp', most.cpu.smpp, 'µs per message'),
      lower('4 binds, window 100: CPU PostgreSQL', most.cpu.database, 'µs per message'),
      { what: '5,000/s: accepted', value: half.perSecond, unit: 'submit_sm/s', goal: 5_000, higherIsBetter: true },
      lower('5,000/s: p50', half.p50, 'ms'),
      lower('5,000/s: p99', half.p99, 'ms', goals.p99Ms),
      lower('100/s alone: p99, median of turns', flood.aloneP99, 'ms'),
      lower('100/s during a flood: p99, median of turns', flood.duringP99, 'ms', goals.slower * flood.aloneP99),
      lower('beyond the rate, refused with 0x58: p99', refusalP99, 'ms', goals.refusalMs),
      ...(idle === null
        ? []
        : [
            lower(`${idle.sessions} idle sessions: memory of the process`, idle.rssMiB, 'MiB', goals.idleMiB),
            lower(`${idle.sessions} idle sessions: processor`, 100 * idle.idleCpu, '% of a core'),
          ]),
    ];
    return {
      figures,
      remarks: [
        `The flood was at 500/s, ${flood.accepted} accepted and ${flood.throttled} refused with ESME_RTHROTTLED; ${cores} cores.`,
      ],
    };
  },
};
