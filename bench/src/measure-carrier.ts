/** Runs the product's own program for one carrier in a separate process and reads its output. */
import { fileURLToPath } from 'node:url';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(new URL('../../apps/server/src/sending/testing/measure-carrier.ts', import.meta.url));

export interface MeasuredCarrier {
  /** Until all were accepted by the carrier, and until all receipts were in the record. */
  sentSeconds: number;
  seconds: number;
  acceptSeconds: number;
  cpuMicros: { sender: number; postgres: number };
}

export const measureCarrier = async (of: {
  port: number;
  count: number;
  bindCount: number;
  windowSize: number;
  tps: number;
  firstNumber: number;
}): Promise<MeasuredCarrier> => {
  return await runProgram<MeasuredCarrier>(program, [JSON.stringify(of)]);
};
