import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a measuring program in a separate process; returns the JSON that it prints as its last line. */
export const runProgram = async <Measured>(program: string, words: readonly string[]): Promise<Measured> => {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`measuring ended with ${String(code)}`);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Measured;
};
