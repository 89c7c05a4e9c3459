import { readFile } from 'node:fs/promises';

const everyMs = 100;

export interface RssWatch {
  /** Peak resident memory; 0 if the system has no /proc. */
  peakBytes(): number;
  stop(): void;
}

/**
 * Calls `onExceeded` once when the process's resident memory exceeds the limit. If the system has no /proc, only the
 * parser's own watchdog applies.
 */
export function watchRss(pid: number | undefined, maxRssBytes: number, onExceeded: () => void): RssWatch {
  let stopped = pid === undefined;
  let peakBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const memory = await readMemory(pid ?? 0);
    if (memory === undefined) return;
    peakBytes = Math.max(peakBytes, memory.peakBytes);
    if (stopped) return;
    if (memory.rssBytes > maxRssBytes) onExceeded();
    else timer = setTimeout(() => void look(), everyMs);
  };
  if (!stopped) void look();
  return {
    peakBytes: () => peakBytes,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** `status` counts in kB, `statm` in pages whose size depends on the machine. */
async function readMemory(pid: number): Promise<{ rssBytes: number; peakBytes: number } | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const bytesOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'mu').exec(status)?.[1] ?? 0) * 1024;
    return { rssBytes: bytesOf('VmRSS'), peakBytes: bytesOf('VmHWM') };
  } catch {
    return undefined;
  }
}
