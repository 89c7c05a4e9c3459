/** Bulk sending, durable, from the first submit_sm to the last receipt in its record. */
import type { Bench } from './bench.ts';
import { cpuFigure, measureSending } from './measure-sending.ts';

export const send: Bench = {
  name: 'send',
  says: 'messages of two customers to three simulated carriers; embedded PostgreSQL with fsync, sender and carriers in processes of their own; every tenth text has two segments',
  async measure([count = '200000', windowSize = '200', customers = '2']) {
    const measured = await measureSending({
      count: Number(count),
      windowSize: Number(windowSize),
      customers: Number(customers),
    });
    const { cpuMicros: cpu, rows } = measured;
    return {
      figures: [
        {
          what: 'sent to receipt in the record',
          value: measured.perSecond,
          unit: 'messages/s',
          goal: 10_000,
          higherIsBetter: true,
        },
        cpuFigure('of all processes', cpu.all, 190),
        cpuFigure('sender', cpu.sender),
        cpuFigure('PostgreSQL', cpu.postgres),
        cpuFigure('carrier simulator', cpu.simulator),
        { what: 'accepted', value: measured.acceptPerSecond, unit: 'messages/s', goal: null, higherIsBetter: true },
        {
          what: 'updates of a row',
          value: rows.updates / measured.count,
          unit: 'per message',
          goal: 2,
          higherIsBetter: false,
        },
        {
          what: 'of them HOT',
          value: (100 * rows.hot) / Math.max(1, rows.updates),
          unit: '%',
          goal: 100,
          higherIsBetter: true,
        },
        {
          what: 'write-ahead log',
          value: measured.walBytes,
          unit: 'bytes per message',
          goal: null,
          higherIsBetter: false,
        },
        {
          what: 'memory of the sender at its peak',
          value: measured.senderPeak,
          unit: 'MiB',
          goal: 300,
          higherIsBetter: false,
        },
      ],
      remarks: [
        ...(process.env['PAHATID_BENCH_URL'] === undefined
          ? []
          : ['The database of PAHATID_BENCH_URL, not the embedded one.']),
        `${measured.count} messages of ${measured.customers} customers, ${measured.binds} binds with a window of ${measured.windowSize}, ${measured.cores} cores, ${measured.seconds.toFixed(1)} s.`,
        `Processors busy: ${((cpu.all * measured.perSecond) / 1e6).toFixed(1)} of ${measured.cores}. The rest is waiting: one flush is under way at a time, and what it grants leaves only when it has committed.`,
      ],
    };
  },
};
