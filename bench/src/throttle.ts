/** A carrier that takes less than the product believes. */
import type { Bench } from './bench.ts';
import { measureCarrier } from './measure-carrier.ts';
import { SimulatorProcess } from './simulator.ts';

const carrierTps = 300;

export const throttle: Bench = {
  name: 'throttle',
  says: `messages into a carrier that takes ${carrierTps} a second and answers the rest with ESME_RTHROTTLED, its limit unknown to the product; embedded PostgreSQL with fsync, sender and carrier in processes of their own`,
  async measure([words = '1500']) {
    const count = Number(words);
    const simulator = await SimulatorProcess.start('--receipt-delay=5-100', `--tps=${carrierTps}`);
    try {
      const binds = { bindCount: 2, windowSize: 100 };
      const measured = await measureCarrier({ port: simulator.port, count, ...binds, tps: 5_000, firstNumber: 1 });
      const { messages, duplicates, refused, received } = await simulator.counters('globe');
      if (messages !== count || duplicates > 0)
        throw new Error(`the carrier has ${messages}, ${duplicates} of them twice`);
      const ideal = Math.max(0, count - carrierTps) / carrierTps;
      return {
        figures: [
          {
            what: 'all taken by the carrier',
            value: measured.sentSeconds,
            unit: 's',
            goal: (7 / 1_500) * count,
            higherIsBetter: false,
          },
          { what: 'all receipts in the record', value: measured.seconds, unit: 's', goal: null, higherIsBetter: false },
          {
            what: 'refused on the way',
            value: (100 * (refused['0x58'] ?? 0)) / received,
            unit: '%',
            goal: null,
            higherIsBetter: false,
          },
        ],
        remarks: [
          `${count} messages over ${binds.bindCount} binds with a window of ${binds.windowSize}; the carrier counted each once. Nobody could have done it in less than ${ideal.toFixed(1)} s, as it takes the first ${carrierTps} at once.`,
        ],
      };
    } finally {
      await simulator.stop();
    }
  },
};
