/** Runs the product's own program for one carrier in a separate process and reads its output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

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
  const child = spawn(process.execPath, [program, JSON.stringify(of)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`measuring ended with ${String(code)}`);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as MeasuredCarrier;
};
