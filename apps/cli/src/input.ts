import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UsageError } from './usage.ts';

/** All of standard input. */
export const readInput = (): Promise<string> => text(process.stdin);

/** One line, not shown while it is typed. */
export async function readSecret(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return (await readInput()).trim();
  process.stderr.write(prompt);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: true });
  const line = await lines.question('');
  lines.close();
  process.stderr.write('\n');
  return line.trim();
}

export function parseJson(option: string, given: string | undefined): unknown {
  if (given === undefined) return undefined;
  try {
    return JSON.parse(given);
  } catch {
    throw new UsageError(`--${option} is not JSON`);
  }
}

/** Writes an answer for programs and people. */
export const print = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
};
