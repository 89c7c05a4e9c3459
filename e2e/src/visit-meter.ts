/// <reference lib="dom" />
/** Cost of a visit: bytes on the wire, and duration on a slow phone network. */
import type { BrowserContext, CDPSession, Page } from 'playwright-core';

/** Slow 4G with a processor a quarter as fast: 1.6 Mb/s down, 150 ms for each request. */
const SLOW = { bitsPerSecond: 1_600_000, upBitsPerSecond: 750_000, latencyMs: 150, cpuSlowdown: 4 };
/** After so long without a request a page is at rest; longer than the wait for an idle moment takes. */
const REST_MS = 1_200;
const REST_AT_MOST_MS = 30_000;

const measuredTypes: ReadonlySet<string> = new Set(['Document', 'Script', 'Stylesheet']);

/**
 * Counts compressed html, css and script bodies as received over the wire; headers and API responses are not counted.
 */
export class ByteMeter {
  readonly #types = new Map<string, string>();
  readonly #headers = new Map<string, number>();
  readonly #bytes = new Map<string, number>();
  readonly #open = new Set<string>();
  #lastAt = performance.now();

  static async at(page: Page): Promise<ByteMeter> {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    return new ByteMeter(session);
  }

  private constructor(session: CDPSession) {
    session.on('Network.requestWillBeSent', ({ requestId, type }) => {
      this.#types.set(requestId, type ?? 'Other');
      // Streams stay open.
      if (type !== 'EventSource') this.#open.add(requestId);
      this.#lastAt = performance.now();
    });
    // Bytes before the body: the headers of this response.
    session.on('Network.responseReceived', ({ requestId, response }) => {
      this.#headers.set(requestId, response.encodedDataLength);
    });
    const end = ({ requestId }: { requestId: string }) => {
      this.#open.delete(requestId);
      this.#lastAt = performance.now();
    };
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      this.#bytes.set(requestId, Math.max(0, encodedDataLength - (this.#headers.get(requestId) ?? 0)));
      end({ requestId });
    });
    session.on('Network.loadingFailed', end);
  }

  get bytes(): number {
    let sum = 0;
    for (const [id, bytes] of this.#bytes) if (measuredTypes.has(this.#types.get(id) ?? '')) sum += bytes;
    return sum;
  }

  get requests(): number {
    return [...this.#types.values()].filter((type) => measuredTypes.has(type)).length;
  }

  async rest(): Promise<void> {
    const since = performance.now();
    while (performance.now() - since < REST_AT_MOST_MS) {
      const quietMs = performance.now() - this.#lastAt;
      if (this.#open.size === 0 && quietMs > REST_MS) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('the page did not come to rest');
  }
}

export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: SLOW.latencyMs,
    downloadThroughput: SLOW.bitsPerSecond / 8,
    uploadThroughput: SLOW.upBitsPerSecond / 8,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW.cpuSlowdown });
}

/** Records the browser's paint events of the page from the start. */
export async function watchPaints(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const seen = { lcpMs: 0, fcpMs: 0, tasks: [] as { startMs: number; ms: number }[] };
    (globalThis as { seen?: typeof seen }).seen = seen;
    const watch = (type: string, each: (entry: PerformanceEntry) => void) => {
      new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
    };
    watch('largest-contentful-paint', (entry) => {
      seen.lcpMs = entry.startTime;
    });
    watch('paint', (entry) => {
      if (entry.name === 'first-contentful-paint') seen.fcpMs = entry.startTime;
    });
    watch('longtask', (entry) => seen.tasks.push({ startMs: entry.startTime, ms: entry.duration }));
  });
}

export interface Paints {
  lcpMs: number;
  fcpMs: number;
  /** Total blocking time: what tasks after the first paint take beyond 50 ms each. */
  tbtMs: number;
}

export async function readPaints(page: Page): Promise<Paints> {
  return page.evaluate(() => {
    const { lcpMs, fcpMs, tasks } = (
      globalThis as unknown as { seen: { lcpMs: number; fcpMs: number; tasks: { startMs: number; ms: number }[] } }
    ).seen;
    const late = tasks.filter(({ startMs, ms }) => startMs + ms > fcpMs);
    return { lcpMs, fcpMs, tbtMs: late.reduce((sum, { ms }) => sum + Math.max(0, ms - 50), 0) };
  });
}
