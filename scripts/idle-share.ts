/** How much of the machine's processors was idle lately, by this system's own counters. */
import os from 'node:os';

interface Times {
  readonly idle: number;
  readonly all: number;
}

const readTimes = (): Times => {
  let idle = 0;
  let all = 0;
  for (const { times } of os.cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { idle, all };
};

export class IdleShare {
  private last = readTimes();

  /** Returns the share, 0 to 1, since the last call, by whomever the rest was used. */
  take(): number {
    const now = readTimes();
    const { idle, all } = this.last;
    this.last = now;
    return now.all === all ? 0 : (now.idle - idle) / (now.all - all);
  }
}
