/**
 * Sends a request again when that is safe: it was refused before it was done (429), or it acts once however often it is
 * sent. A 503 may be of a commit whose outcome is unknown. Waits as the server says, else longer each time.
 */

export interface Retrying {
  /** Additional tries. */
  readonly retries: number;
  /** Milliseconds that one try may take. */
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
  /** Waits some milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** A server that asks for more than this is left to the caller. */
const LONGEST_ASKED_MS = 60_000;

const TOO_MANY_REQUESTS = 429;
const FIRST_SERVER_ERROR = 500;

/** `actsOnce`: repeating the request cannot act twice. */
export async function fetchWithRetries(
  url: string,
  request: RequestInit,
  actsOnce: boolean,
  { retries, timeoutMs, fetch, sleep }: Retrying,
): Promise<Response> {
  const signal = request.signal ?? undefined;
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= retries;
    const timeout = AbortSignal.timeout(timeoutMs);
    let response: Response;
    try {
      response = await fetch(url, { ...request, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    } catch (error) {
      if (isLast || !actsOnce || signal?.aborted) throw error;
      await sleep(waitOf(attempt), signal);
      continue;
    }
    const isRepeatable = response.status === TOO_MANY_REQUESTS || (response.status >= FIRST_SERVER_ERROR && actsOnce);
    const waitMs = askedMs(response) ?? waitOf(attempt);
    if (isLast || !isRepeatable || waitMs > LONGEST_ASKED_MS) return response;
    await response.body?.cancel();
    await sleep(waitMs, signal);
  }
}

/** Half of it at random, so that callers who failed together do not return together. */
const waitOf = (attempt: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.5 + Math.random() / 2);

/** `Retry-After` in seconds, as Pahatid sends it. */
function askedMs({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}

export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
