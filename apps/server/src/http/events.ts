/**
 * Server-sent events: each value is one `data:` line of JSON. A comment every 15 seconds keeps proxies from closing an
 * idle stream and detects disconnected clients.
 */
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';

const heartbeatMs = 15_000;
/** How soon a browser that lost the stream comes back. */
const retryMs = 2_000;

/** An event with an id, from which a client that lost the stream goes on (`Last-Event-ID`). */
export class IdentifiedEvent<T = unknown> {
  readonly id: string;
  readonly value: T;

  constructor(id: string, value: T) {
    this.id = id;
    this.value = value;
  }
}

const writeEvent = (event: unknown): string =>
  event instanceof IdentifiedEvent
    ? `id: ${event.id}\ndata: ${JSON.stringify(event.value)}\n\n`
    : `data: ${JSON.stringify(event)}\n\n`;

/** Sends `events` until they end or `signal` is aborted. A slow reader slows the events down; nothing piles up. */
export function eventStream(
  events: AsyncIterable<unknown>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Readable {
  const stream = new PassThrough({ highWaterMark: 64 * 1024 });
  stream.write(`retry: ${retryMs}\n\n`);
  const heartbeat = setInterval(() => {
    if (!stream.writableNeedDrain) stream.write(': still here\n\n');
  }, heartbeatMs);
  heartbeat.unref();

  const end = (): void => {
    clearInterval(heartbeat);
    if (!stream.writableEnded) stream.end();
  };
  const pump = async (): Promise<void> => {
    for await (const event of events) {
      if (signal.aborted) break;
      if (!stream.write(writeEvent(event))) await once(stream, 'drain', { signal });
    }
  };
  signal.addEventListener('abort', end, { once: true });
  stream.once('close', () => clearInterval(heartbeat));
  pump()
    .catch((error: unknown) => {
      if (!signal.aborted) onError(error);
    })
    .finally(end);
  return stream;
}
