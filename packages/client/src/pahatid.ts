import {
  type Arguments,
  type CallInput,
  type CallResult,
  type ItemOf,
  type ListKey,
  makePath,
  type OperationKey,
  type RequestParts,
} from './calls.ts';
import { type EventsOptions, type LiveEvent, readEvents } from './events.ts';
import { readProblem } from './problem.ts';
import { fetchWithRetries, type Retrying, sleep } from './retrying.ts';

export interface PahatidOptions {
  /** `https://sms.example.com` */
  readonly baseUrl: string;
  /** A key of an application, `pk_live_…` or `pk_test_…`. Either this, or `appId` with `appSecret`. */
  readonly key?: string;
  readonly appId?: string;
  readonly appSecret?: string;
  /** Additional tries of a call that is safe to repeat; default 3. */
  readonly retries?: number;
  /** Milliseconds that one try may take; default 30,000. */
  readonly timeoutMs?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface SendOptions {
  /** Calls that create messages or tasks act once with the same key. Made at random if there is none, so that such a call can be repeated. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

type MessageBody = CallInput<'POST /messages'>['body'];
/** A text of your own, or a template with the values of its variables. */
export type NewMessage = Exclude<MessageBody, { messages: unknown }>;
export type AcceptedMessage = Extract<CallResult<'POST /messages'>, { messageId: string }>;
export type AcceptedMessages = Exclude<CallResult<'POST /messages'>, AcceptedMessage>;

const DEFAULT_RETRIES = 3;
const DEFAULT_TIMEOUT_MS = 30_000;
/** Calls that have an `Idempotency-Key` even if the caller gives none. */
const keyed: ReadonlySet<string> = new Set<OperationKey>([
  'POST /messages',
  'POST /tasks',
  'POST /tasks/{taskId}/copy',
]);
/** By RFC 9110, acting twice is the same as acting once. */
const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

/**
 * The API of one Pahatid installation with the rights of a key or of an application's password. For servers: a key in a
 * browser belongs to everybody who opens the page.
 */
export class Pahatid {
  readonly #base: string;
  readonly #authorization: string;
  readonly #retrying: Retrying;

  constructor({ baseUrl, key, appId, appSecret, ...options }: PahatidOptions) {
    this.#base = `${baseUrl.replace(/\/+$/, '')}/api/v1`;
    if (key !== undefined) this.#authorization = `Bearer ${key}`;
    else if (appId !== undefined && appSecret !== undefined)
      this.#authorization = `Basic ${btoa(`${appId}:${appSecret}`)}`;
    else throw new TypeError('either `key`, or `appId` and `appSecret` are needed');
    this.#retrying = {
      retries: options.retries ?? DEFAULT_RETRIES,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      fetch: options.fetch ?? fetch,
      sleep,
    };
  }

  /**
   * Calls one operation: `call('GET /records', { query: { limit: 100 } })`. Returns its answer; undefined for 204. Throws
   * `PahatidError` if the server refuses.
   */
  async call<K extends OperationKey>(key: K, ...[input, options]: Arguments<K, SendOptions>): Promise<CallResult<K>> {
    const response = await this.request(key, input ?? {}, options);
    return (response.status === 204 ? undefined : await response.json()) as CallResult<K>;
  }

  /** Yields the items of all pages of a list, and reads the next page when it is needed. */
  async *each<K extends ListKey>(key: K, ...[input, options]: Arguments<K, SendOptions>): AsyncGenerator<ItemOf<K>> {
    let cursor: string | null = null;
    do {
      const { query = {} } = (input ?? {}) as { query?: object };
      const parts = { ...input, query: cursor === null ? query : { ...query, cursor } };
      const response = await this.request(key, parts, options);
      const page = (await response.json()) as { items: ItemOf<K>[]; nextCursor: string | null };
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** The response as it is, of status 2xx: `accept: 'text/csv'` reads a list as a stream of csv. */
  async request(
    key: OperationKey,
    parts: RequestParts = {},
    { idempotencyKey, signal, accept = 'application/json' }: SendOptions & { accept?: string } = {},
  ): Promise<Response> {
    const [method = 'GET', template = '/'] = key.split(' ');
    const headers: Record<string, string> = { authorization: this.#authorization, accept };
    const onceKey = idempotencyKey ?? (keyed.has(key) ? crypto.randomUUID() : undefined);
    if (onceKey !== undefined) headers['idempotency-key'] = onceKey;
    const request: RequestInit = { method, headers };
    if (signal !== undefined) request.signal = signal;
    if (parts.body instanceof FormData) request.body = parts.body;
    else if (parts.body !== undefined) {
      headers['content-type'] = 'application/json';
      request.body = JSON.stringify(parts.body);
    }
    const actsOnce = keyed.has(key) || idempotentMethods.has(method);
    const response = await fetchWithRetries(this.#base + makePath(template, parts), request, actsOnce, this.#retrying);
    if (!response.ok) throw await readProblem(response);
    return response;
  }

  /**
   * Yields events as they happen, those that callbacks have, also without a callback URL. Opens the stream again when it
   * is lost, and goes on behind the last event; throws `PahatidError` if the server refuses.
   */
  events(options: EventsOptions = {}): AsyncGenerator<LiveEvent> {
    const { fetch, sleep } = this.#retrying;
    return readEvents({ url: `${this.#base}/events`, authorization: this.#authorization, fetch, sleep }, options);
  }

  /** Sends messages, and reads the status of each. */
  readonly messages = {
    /** Sends one message; it is durable when this returns. */
    send: async (body: NewMessage, options?: SendOptions): Promise<AcceptedMessage> =>
      (await this.call('POST /messages', { body }, options)) as AcceptedMessage,
    /** Sends up to 1,000 messages; each has its own result, in the same order. */
    sendMany: async (messages: NewMessage[], options?: SendOptions): Promise<AcceptedMessages> =>
      (await this.call('POST /messages', { body: { messages } }, options)) as AcceptedMessages,
    /** What a message would be and cost, and when it would go; nothing is sent or stored. */
    preview: (body: NewMessage): Promise<CallResult<'POST /messages/preview'>> =>
      this.call('POST /messages/preview', { body }),
    get: (messageId: string): Promise<CallResult<'GET /messages/{messageId}'>> =>
      this.call('GET /messages/{messageId}', { params: { messageId } }),
    /** Cancels a message that no carrier has yet; throws `PahatidError` if one has. */
    cancel: (messageId: string): Promise<CallResult<'DELETE /messages/{messageId}'>> =>
      this.call('DELETE /messages/{messageId}', { params: { messageId } }),
    /** Reports that the code of a message was entered. */
    convert: (messageId: string): Promise<void> =>
      this.call('POST /messages/{messageId}/conversion', { params: { messageId } }),
  };

  /** One-time codes that the server makes, sends and checks. */
  readonly verifications = {
    start: (body: CallInput<'POST /verifications'>['body']): Promise<CallResult<'POST /verifications'>> =>
      this.call('POST /verifications', { body }),
    get: (verificationId: string): Promise<CallResult<'GET /verifications/{verificationId}'>> =>
      this.call('GET /verifications/{verificationId}', { params: { verificationId } }),
    /** `status` of the result is `approved` if the code was right. */
    check: (verificationId: string, code: string): Promise<CallResult<'POST /verifications/{verificationId}/check'>> =>
      this.call('POST /verifications/{verificationId}/check', { params: { verificationId }, body: { code } }),
    cancel: (verificationId: string): Promise<CallResult<'POST /verifications/{verificationId}/cancel'>> =>
      this.call('POST /verifications/{verificationId}/cancel', { params: { verificationId } }),
  };
}
