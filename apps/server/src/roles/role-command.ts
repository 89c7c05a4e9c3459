import path from 'node:path';
import type { RoleName } from '../process/config.ts';

const MAIN = path.join(import.meta.dirname, '../main.ts');

/**
 * How V8 grows the heaps of the roles. A sender's messages live just long enough to leave the young
 * generation, and by default V8 lets the old one grow to several times of what is alive before it collects: 405 MiB of
 * memory at the peak of 200,000 messages, against 206 with these and 3 µs more per message. An api process likewise holds
 * a heap of 272 MiB after ten seconds of mixed requests; 109 with these (`bench -- memory`). An export of 1,000,000
 * records took 393 MB without these.
 */
const smallHeap = ['--max-semi-space-size=8', '--heap-growing-percent=100'];

/**
 * Jobs read page after page, of which nothing stays: an export took 141 instead of 154 MB for 2 % more processor time
 * (300,000 records, `bench -- export`).
 */
export const jobsHeap = ['--max-semi-space-size=4', '--heap-growing-percent=70'];

/** Starts a role in a separate process. `name` distinguishes several processes of one role. */
export const roleCommand = (role: RoleName, name: string = role): readonly [string, ...string[]] => [
  process.execPath,
  ...(role === 'jobs' ? jobsHeap : smallHeap),
  MAIN,
  'run',
  '--role',
  role,
  ...(name === role ? [] : ['--name', name]),
];
