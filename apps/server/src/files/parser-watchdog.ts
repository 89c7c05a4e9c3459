/** A thread of the parser process that kills the process if the parent has exited or memory exceeds the limit. */
import { workerData } from 'node:worker_threads';

interface Watched {
  readonly parentPid: number;
  readonly maxRssBytes: number;
}

const { parentPid, maxRssBytes } = workerData as Watched;
const everyMs = 200;

setInterval(() => {
  // The signal's exit code shows the parent which of the two it was.
  if (process.memoryUsage.rss() > maxRssBytes) process.kill(process.pid, 'SIGUSR2');
  if (process.ppid !== parentPid || !isAlive(parentPid)) process.kill(process.pid, 'SIGKILL');
}, everyMs);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is alive, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
