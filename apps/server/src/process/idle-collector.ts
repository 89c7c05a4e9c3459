/**
 * Returns memory to the system while a process rests. V8 collects its heap as memory is allocated, so a process that gets
 * no requests after a busy hour keeps the heap of that hour.
 */
import { performance } from 'node:perf_hooks';
import v8 from 'node:v8';
import vm from 'node:vm';

/** How often the process is looked at, milliseconds. */
const everyMs = 15_000;
/** Share of an interval in which the event loop may be busy and the process still rests. */
const restUtilization = 0.05;
/** Growth of the heap since the last collection that is worth another one, bytes. */
const leastGrowth = 16 * 1024 ** 2;

export interface IdleCollectorDeps {
  /** Share of the time since the last call in which the event loop was busy, 0 to 1. */
  readonly utilization: () => number;
  /** Bytes that the heap takes from the system. */
  readonly heapBytes: () => number;
  readonly collect: () => void;
}

/** Returns the step that is run at each interval; it returns whether it collected. */
export function makeIdleCollector({ utilization, heapBytes, collect }: IdleCollectorDeps): () => boolean {
  let settledBytes = 0;
  return () => {
    const isResting = utilization() < restUtilization;
    if (!isResting || heapBytes() < settledBytes + leastGrowth) return false;
    collect();
    settledBytes = heapBytes();
    return true;
  };
}

/** Collects whenever this process rests, until it ends. A collection takes some 50 ms, which no request waits for then. */
export function collectWhenIdle(): void {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  let before = performance.eventLoopUtilization();
  const step = makeIdleCollector({
    utilization: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    heapBytes: () => process.memoryUsage().heapTotal,
    collect,
  });
  setInterval(step, everyMs).unref();
}
