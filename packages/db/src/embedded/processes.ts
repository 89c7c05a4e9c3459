import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessFacts {
  /** Differs between two processes that were given the same pid one after the other. */
  readonly identity: string;
  readonly commandLine: string;
}

/**
 * Facts of a running process, or null if there is none. A zombie counts as none: it responds to `kill 0` until its
 * parent reaps it, which in a container without an init may never happen.
 */
export function inspectProcess(pid: number): ProcessFacts | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? inspectByProc(pid) : inspectByPs(pid);
}

function inspectByProc(pid: number): ProcessFacts | null {
  try {
    // The second field is the program's name in brackets and may hold spaces and brackets itself.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    const startTime = fields[19];
    if (state === 'Z' || state === 'X' || startTime === undefined) return null;
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { identity: `${pid}@${startTime}`, commandLine };
  } catch {
    return null;
  }
}

function inspectByPs(pid: number): ProcessFacts | null {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    // lstart has five fields: Sat Nov 21 09:00:51 2026.
    const match = /^(\S+)\s+((?:\S+\s+){4}\S+)\s+(.*)$/s.exec(line);
    if (match === null || match[1]?.startsWith('Z')) return null;
    return { identity: `${pid}@${match[2]}`, commandLine: match[3] ?? '' };
  } catch {
    return null;
  }
}

/** Whether the process that bore this identity still runs. */
export function isAlive(identity: string): boolean {
  return inspectProcess(Number(identity.split('@')[0]))?.identity === identity;
}

/** Waits until the process has ended; returns false if it is still running after the timeout. */
export async function waitUntilEnded(pid: number, timeoutMs: number): Promise<boolean> {
  const identity = inspectProcess(pid)?.identity;
  if (identity === undefined) return true;
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (inspectProcess(pid)?.identity !== identity) return true;
    await sleep(20);
  }
  return inspectProcess(pid)?.identity !== identity;
}

/** Sends a signal; a process that has already ended is not an error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
