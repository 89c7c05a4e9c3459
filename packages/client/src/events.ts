/** Reads the stream of events (server-sent events), and comes back to where it was when the connection is lost. */
import { PahatidError, readProblem } from './problem.ts';

/** An event: without `id`, the body of its callback. */
export interface LiveEvent {
  /** As the header `webhook-id` of its callback. */
  readonly id: string;
  /**
   * `message.status`, `message.inbound`, … as of callbacks; `events.skipped`: `data.count` events of messages were left out,
   * because more happened at a time than the stream has.
   */
  readonly type: string;
  readonly timestamp: string;
  /** Of what was sent with a test key. */
  readonly test?: true;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventsOptions {
  readonly signal?: AbortSignal;
  /** Called when the stream is open, and when it is lost and opened again after a wait. */
  readonly onState?: (state: 'open' | 'lost', error?: unknown) => void;
}

interface Opening {
  readonly url: string;
  readonly authorization: string;
  readonly fetch: typeof fetch;
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** The server writes every 15 seconds; a connection that is silent for so long is lost. */
const SILENT_MS = 45_000;
const TOO_MANY_REQUESTS = 429;
const FIRST_SERVER_ERROR = 500;

const isPassing = ({ status }: PahatidError): boolean => status === TOO_MANY_REQUESTS || status >= FIRST_SERVER_ERROR;

/** Throws `PahatidError` if the server refuses; ends when the signal is aborted. */
export async function* readEvents(
  opening: Opening,
  { signal, onState }: EventsOptions = {},
): AsyncGenerator<LiveEvent> {
  let lastId: string | undefined;
  for (let failures = 0; !signal?.aborted; failures++) {
    try {
      for await (const { id, data } of openStream(opening, lastId, signal, () => onState?.('open'))) {
        failures = 0;
        lastId = id ?? lastId;
        yield JSON.parse(data) as LiveEvent;
      }
      if (!signal?.aborted) onState?.('lost');
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof PahatidError && !isPassing(error)) throw error;
      onState?.('lost', error);
    }
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
    await opening.sleep(waitMs, signal).catch(() => undefined);
  }
}

interface Frame {
  readonly id: string | undefined;
  readonly data: string;
}

async function* openStream(
  { url, authorization, fetch }: Opening,
  lastId: string | undefined,
  signal: AbortSignal | undefined,
  onOpen: () => void,
): AsyncGenerator<Frame> {
  const silence = new AbortController();
  const headers: Record<string, string> = { authorization, accept: 'text/event-stream' };
  if (lastId !== undefined) headers['last-event-id'] = lastId;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hear = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new Error('the stream is silent')), SILENT_MS);
  };
  try {
    hear();
    const ends = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
    const response = await fetch(url, { headers, signal: ends });
    if (!response.ok) throw await readProblem(response);
    if (response.body === null) return;
    onOpen();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    let held = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      hear();
      const frames = (held + decoder.decode(value, { stream: true })).split('\n\n');
      held = frames.pop() ?? '';
      for (const frame of frames) {
        const found = readFrame(frame);
        if (found !== null) yield found;
      }
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** Null: a comment, or the advice when to come back. */
function readFrame(text: string): Frame | null {
  let id: string | undefined;
  let data: string | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('id: ')) id = line.slice('id: '.length);
    if (line.startsWith('data: ')) data = line.slice('data: '.length);
  }
  return data === undefined ? null : { id, data };
}
