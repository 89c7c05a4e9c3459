/** Processor time and memory of processes, as Linux counts them in /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in /proc/<pid>/stat: 100 on every Linux that Node runs on. */
const TICK_MS = 10;

/** Fields of /proc/<pid>/stat after the name; none if the process has ended. */
const statOf = (pid: number): string[] => {
  try {
    // The name may hold spaces: fields are counted from the bracket that closes it.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
};

const ticksOf = (pid: number, withEnded: boolean): number => {
  const stat = statOf(pid);
  const fields = withEnded ? stat.slice(11, 15) : stat.slice(11, 13);
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0);
};

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => statOf(each)[1] === String(pid));

/** Milliseconds of processor time so far; with `withChildren` also of its living children and of those that have ended. */
export const cpuMs = (pid: number, withChildren = false): number => {
  const pids = withChildren ? [pid, ...childrenOf(pid)] : [pid];
  return pids.reduce((sum, each) => sum + ticksOf(each, each === pid && withChildren) * TICK_MS, 0);
};

/** Peak resident memory of a process, in MiB; 0 if it has ended. */
export const peakMemory = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};
