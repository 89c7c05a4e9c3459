/**
 * Loaded before each test file: when it ends, it notes the processor time of the file and of the programs it waited for. A
 * file that does not end is ended.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Clock ticks a second in /proc/self/stat: 100 on every Linux that Node runs on. */
const TICK_MS = 10;

const notes = process.env.PAHATID_TEST_COSTS;
const main = process.argv[1] ?? '';
// Forked programs and worker threads load this too.
if (isMainThread && main.endsWith('.test.ts')) {
  process.on('exit', () => noteCost(main, cpuMsNow()));
  const { endIfLeftOpen } = await import('./left-open.ts');
  endIfLeftOpen();
}

/** Adds a line to the notes of the run, if there is one. */
export function noteCost(file: string, cpuMs: number): void {
  if (notes !== undefined) appendFileSync(notes, `${JSON.stringify({ file, cpuMs })}\n`);
}

/** Processor time of this process and of the programs it waited for, milliseconds. */
export function cpuMsNow(): number {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1000) + childrenMs();
}

function childrenMs(): number {
  try {
    // The name may hold spaces: fields are counted from the bracket that closes it.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  } catch {
    return 0;
  }
}
