/** What a database is asked for by few and many senders at the same rate, simulated: the figures of docs/scale.md. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Bench, Figure } from './bench.ts';

const program = fileURLToPath(new URL('../../apps/server/src/sending/testing/simulate-cell.ts', import.meta.url));

interface Simulated {
  sent: number;
  groups: number;
  perGroup: number;
  batches: number;
  flushes: number;
  perFlush: number;
  looks: number;
  leaseRounds: number;
  accountsOfSender: number;
  counterRows: number;
  counterRowsPerMessage: number;
  waitingAtEnd: number;
  tooFast: number;
}

const monthS = 30 * 86_400;
/** The mean of 1,000,000,000 messages a month. */
const mean = Math.round(1_000_000_000 / monthS);
const runs: readonly { readonly rate: number; readonly senders: number }[] = [
  { rate: mean, senders: 3 },
  { rate: mean * 10, senders: 3 },
  { rate: mean * 10, senders: 10 },
  { rate: mean * 10, senders: 100 },
];

export const scale: Bench = {
  name: 'scale',
  says: 'Transactions and rows of counters that senders cause in one database, simulated for a minute with the product’s rules of flushes, binds and pace; the same figures in each run.',
  async measure() {
    const figures: Figure[] = [];
    const remarks: string[] = [];
    for (const { rate, senders } of runs) {
      const out = execFileSync(process.execPath, [program, String(rate), String(senders)], { encoding: 'utf8' });
      const found = JSON.parse(out) as Simulated;
      const at = `${rate}/s, ${senders} senders: `;
      const figure = (what: string, value: number, unit: string, goal: number | null = null): void =>
        void figures.push({ what: at + what, value, unit, goal, higherIsBetter: false });
      figure('groups of calls', found.groups, '/s');
      figure('flushes', found.flushes, '/s');
      figure('results and receipts a flush', found.perFlush, '');
      figure('looks for batches', found.looks, '/s');
      figure('rounds of pace and binds', found.leaseRounds, '/s');
      figure('rows of counters by minute a message', found.counterRowsPerMessage, '');
      remarks.push(
        `${at}${Math.round(found.sent)} sent a second, ${found.waitingAtEnd} waiting at the end, shares of an account above its pace: ${found.tooFast} times, ${found.accountsOfSender.toFixed(1)} accounts a sender.`,
      );
    }
    return { figures, remarks };
  },
};
