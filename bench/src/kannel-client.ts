/** Kannel as the client of the SMPP server, where it is installed. */
import { fileURLToPath } from 'node:url';
import type { Bench, Figure } from './bench.ts';
import { cpuFigure } from './measure-sending.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(
  new URL('../../apps/server/src/smpp-server/testing/measure-kannel-client.ts', import.meta.url),
);

interface Measured {
  cores: number;
  count: number;
  window: number;
  perSecond: number;
  /** Microseconds of processor a message. */
  micros: { smpp: number; database: number; kannel: number };
  total: number;
  numbers: number;
}

export const kannelClient: Bench = {
  name: 'kannel-client',
  says: 'Kannel as a customer, with two binds: messages go to its smsbox over HTTP and are counted once they are committed; the smpp role, embedded PostgreSQL with fsync and Kannel in separate processes',
  async measure(words) {
    const measured = await runProgram<Measured | null>(program, words);
    if (measured === null) return { figures: [], remarks: ['Skipped: Kannel is not installed.'] };
    const { micros, perSecond, count, window, total, numbers, cores } = measured;
    const figures: Figure[] = [
      { what: 'accepted from Kannel', value: perSecond, unit: 'messages/s', goal: null, higherIsBetter: true },
      cpuFigure('smpp', micros.smpp),
      cpuFigure('PostgreSQL', micros.database),
      cpuFigure('Kannel, both boxes', micros.kannel),
    ];
    return {
      figures,
      remarks: [
        `${count} messages, window ${window}, ${cores} cores. ${total} rows, ${numbers} numbers: ${total === numbers ? 'none lost, none twice' : 'some came twice'}.`,
      ],
    };
  },
};
