/**
 * A typed client with no schema at run time: the route's key contains method and path, its types come from the
 * contract. The caller provides the transport (`fetch` in the console and in tests).
 */
import type { CallInput, CallResult, RouteKey } from './routes.ts';

export interface CallRequest {
  method: string;
  /** Below `/api/v1`, with parameters filled in and the query appended. */
  path: string;
  body?: unknown;
}

type Scalar = string | number | boolean | null | undefined;

/** What a request is made from, of any route. */
export interface RequestParts {
  readonly params?: object;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

const queryString = (query: object): string => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query) as [string, Scalar | readonly Scalar[]][]) {
    if (value === undefined || value === null || value === '') continue;
    search.set(key, Array.isArray(value) ? value.join(',') : String(value));
  }
  const result = search.toString();
  return result === '' ? '' : `?${result}`;
};

/** Builds method, path and body of one call. */
export const makeRequest = (key: RouteKey, { params = {}, query = {}, body }: RequestParts = {}): CallRequest => {
  const [method = 'GET', template = '/'] = key.split(' ');
  const values = params as Record<string, string>;
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const request: CallRequest = { method, path: path + queryString(query) };
  if (body !== undefined) request.body = body;
  return request;
};

type Optional<K extends RouteKey> = Partial<Record<keyof CallInput<K>, unknown>> extends CallInput<K> ? true : false;
type Arguments<K extends RouteKey> = keyof CallInput<K> extends never
  ? []
  : Optional<K> extends true
    ? [input?: CallInput<K>]
    : [input: CallInput<K>];

export type Client = <K extends RouteKey>(key: K, ...input: Arguments<K>) => Promise<CallResult<K>>;

/** Returns a typed client for a function that sends one request and returns the parsed response. */
export const makeClient =
  (send: (request: CallRequest) => Promise<unknown>): Client =>
  async (key, ...[input]) =>
    (await send(makeRequest(key, input))) as CallResult<typeof key>;
