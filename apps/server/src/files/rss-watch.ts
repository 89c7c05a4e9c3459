import { readFile } from 'node:fs/promises';

const everyMs = 100;

/**
 * Calls `onExceeded` once when the process's resident memory passes the limit. Where the system has no /proc the
 * parser's own watchdog is alone. Answers a function that stops watching.
 */
export function watchRss(pid: number | undefined, maxRssBytes: number, onExceeded: () => void): () => void {
  let stopped = pid === undefined;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const rss = await readRss(pid ?? 0);
    if (stopped || rss === undefined) return;
    if (rss > maxRssBytes) onExceeded();
    else timer = setTimeout(() => void look(), everyMs);
  };
  if (!stopped) void look();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

async function readRss(pid: number): Promise<number | undefined> {
  try {
    // `status` counts in kB, `statm` in pages whose size the machine chooses.
    const kilobytes = /^VmRSS:\s+(\d+) kB$/mu.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
