/** How fast events reach a customer's address, one to a request and in arrays. */
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(new URL('../../apps/server/src/callbacks/testing/measure-callbacks.ts', import.meta.url));
/** 1,000,000 events in ten minutes. */
const goalPerSecond = 1_000_000 / 600;

interface CallbackSpeed {
  events: number;
  seconds: number;
  requests: number;
  /** Processor time, µs an event: of the dispatcher, and of the database. */
  dispatcher: number;
  database: number;
}

export const callbacks: Bench = {
  name: 'callbacks',
  says: 'events that wait for an address, one to a request and in arrays, until all have arrived and are stored as delivered; embedded PostgreSQL with fsync, the address in another process that answers after a fixed time',
  async measure([single = '2000', batched = '100000', answerMs = '100']) {
    const measured = await runProgram<Record<'single' | 'batched', CallbackSpeed>>(program, [
      single,
      batched,
      answerMs,
    ]);
    const perSecond = ({ events, seconds }: CallbackSpeed): number => events / seconds;
    const line = (what: string, value: number, unit: string, goal: number | null, higherIsBetter: boolean) => ({
      what,
      value,
      unit,
      goal,
      higherIsBetter,
    });
    return {
      figures: [
        line('in arrays', perSecond(measured.batched), 'events/s', goalPerSecond, true),
        line('one by one', perSecond(measured.single), 'events/s', null, true),
        line('arrays : one by one', perSecond(measured.batched) / perSecond(measured.single), '', null, true),
        line('in arrays, dispatcher', measured.batched.dispatcher, 'µs/event', null, false),
        line('in arrays, database', measured.batched.database, 'µs/event', null, false),
        line('one by one, dispatcher', measured.single.dispatcher, 'µs/event', null, false),
        line('one by one, database', measured.single.database, 'µs/event', null, false),
      ],
      remarks: [
        `The address answers after ${answerMs} ms. In arrays ${measured.batched.events} events in ${measured.batched.requests} requests, one by one ${measured.single.events}.`,
      ],
    };
  },
};
