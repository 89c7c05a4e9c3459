/**
 * One request to a customer's endpoint: to a checked address (a name that resolves elsewhere meanwhile changes
 * nothing), no redirect followed, at most 16 kB of the response read, 15 s in total.
 */
import type { LookupAddress } from 'node:dns';
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestTls, Agent as TlsAgent } from 'node:https';
import type { CallbackError } from '@pahatid/contract';
import { AddressRefused, type Guard, type Target } from './guard.ts';

const limitMs = 15_000;
const readLimit = 16_384;
/** Characters of a response that are stored. */
const keptLimit = 1_024;
const longestRetryAfterS = 86_400;

export interface Posted {
  /** Null: no response. */
  readonly status: number | null;
  readonly ms: number;
  /** Null: 2xx. */
  readonly error: CallbackError | null;
  /** The body read, for inspection by the caller. */
  readonly body: string;
  /** Its beginning, as stored. */
  readonly response: string | null;
  /** Of 429 and 503. */
  readonly retryAfterS: number | null;
}

export interface Poster {
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Posted>;
  /** Closes all connections; requests in progress fail. */
  close(): void;
}

export interface PosterOptions {
  readonly limitMs?: number;
}

export function makePoster(guard: Guard, options: PosterOptions = {}): Poster {
  const agents = {
    'http:': new Agent({ keepAlive: true, maxFreeSockets: 5 }),
    'https:': new TlsAgent({ keepAlive: true, maxFreeSockets: 5, minVersion: 'TLSv1.2' }),
  };
  const closing = new AbortController();
  return {
    async post(text, headers, body) {
      const startedAt = performance.now();
      const ended = (answer: Omit<Posted, 'ms'>): Posted => ({
        ...answer,
        ms: Math.round(performance.now() - startedAt),
      });
      const failed = (error: CallbackError): Posted =>
        ended({ status: null, error, body: '', response: null, retryAfterS: null });
      const target = guard.readUrl(text);
      if (target === null) return failed('addressRefused');
      const limit = AbortSignal.timeout(options.limitMs ?? limitMs);
      const ending = AbortSignal.any([limit, closing.signal]);
      try {
        const addresses = await inTime(guard.resolve(target), ending);
        const agent = agents[target.url.protocol as keyof typeof agents];
        return ended(await send(target, addresses, agent, { ...standing, ...headers }, body, ending));
      } catch (error) {
        return failed(limit.aborted ? 'timeout' : reasonOf(error));
      }
    },
    close() {
      closing.abort();
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

const standing = { 'content-type': 'application/json', 'user-agent': 'Pahatid-Callbacks/1', accept: '*/*' } as const;

/** A DNS lookup can't be cancelled, only no longer awaited. */
const inTime = <T>(work: Promise<T>, ending: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    ending.addEventListener('abort', () => reject(ending.reason as Error), { once: true });
    work.then(resolve, reject);
  });

async function send(
  target: Target,
  addresses: readonly LookupAddress[],
  agent: Agent,
  headers: Readonly<Record<string, string>>,
  body: string,
  ending: AbortSignal,
): Promise<Omit<Posted, 'ms'>> {
  for (let tries = 0; ; tries++) {
    const { url, host, port } = target;
    const request = (url.protocol === 'https:' ? requestTls : requestHttp)({
      method: 'POST',
      host,
      port,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent,
      signal: ending,
      // Connects only to checked addresses. An address in the URL is itself checked.
      lookup: (_, { all }, callback) => {
        if (all === true) callback(null, [...addresses]);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      },
    });
    try {
      request.end(body);
      return await readAnswer(request);
    } catch (error) {
      // A reused connection that had ended meanwhile: retry once, over a new one.
      if (tries === 0 && request.reusedSocket && codeOf(error) === 'ECONNRESET' && !ending.aborted) continue;
      throw error;
    }
  }
}

async function readAnswer(request: ClientRequest): Promise<Omit<Posted, 'ms'>> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, readLimit - size));
    size += chunk.length;
    // Enough is known. Leaving the loop ends the connection with it.
    if (size >= readLimit) break;
  }
  const status = answer.statusCode ?? 0;
  const body = Buffer.concat(chunks).toString('utf8');
  return {
    status,
    error: errorOf(status),
    body,
    response: keep(body),
    retryAfterS: status === 429 || status === 503 ? readRetryAfter(answer.headers['retry-after']) : null,
  };
}

const errorOf = (status: number): CallbackError | null => {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirect' : 'status';
};

/** More than a mask shows. */
const cutDigits = 6;
/** Characters allowed between two digits of a number. */
const longestGap = 3;

/** Removes digits at the end that may be part of a number cut there: it could be neither masked nor erased. */
function dropCutNumber(text: string): string {
  const characters = [...text];
  let digits = 0;
  let first = characters.length;
  for (let at = first - 1, gap = 0; at >= 0 && gap <= longestGap; at--) {
    const character = characters[at] ?? '';
    if (/\p{L}/u.test(character)) break;
    if (!/\p{Nd}/u.test(character)) gap++;
    else {
      digits++;
      gap = 0;
      first = at;
    }
  }
  return digits < cutDigits ? text : characters.slice(0, first).join('');
}

/** Text as the database takes it; control characters, which show nothing, become spaces. */
const keep = (body: string): string | null => {
  const start = body.slice(0, keptLimit).toWellFormed();
  const text = (body.length > keptLimit ? dropCutNumber(start) : start).replaceAll(/[^\P{Cc}\n\t]/gu, ' ');
  return text === '' ? null : text;
};

/** Seconds or a date (RFC 9110 §10.2.3), at most a day. */
export const readRetryAfter = (value: string | undefined, nowMs = Date.now()): number | null => {
  if (value === undefined) return null;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - nowMs) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(0, Math.min(longestRetryAfterS, seconds));
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const reasons: readonly (readonly [RegExp, CallbackError])[] = [
  [/^(?:ENOTFOUND|ENODATA|EAI_\w+)$/, 'nameNotFound'],
  [
    /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|ETIMEDOUT|EACCES|EPERM)$/,
    'unreachable',
  ],
  [/^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|HOSTNAME_MISMATCH)/, 'tls'],
];

function reasonOf(error: unknown): CallbackError {
  if (error instanceof AddressRefused) return 'addressRefused';
  // Of several addresses tried in turn, each with its own failure.
  const first = error instanceof AggregateError ? (error.errors as unknown[])[0] : error;
  const code = codeOf(error) || codeOf(first);
  return reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'closed';
}
