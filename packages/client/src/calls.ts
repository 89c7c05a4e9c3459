import type { Operations } from './generated/operations.ts';

/** `GET /records` */
export type OperationKey = keyof Operations;

type Parts<K extends OperationKey> = Pick<Operations[K], keyof Operations[K] & ('params' | 'query' | 'body')>;

/** `params` of the path, `query` and `body` of a call. */
export type CallInput<K extends OperationKey> = Parts<K>;
export type CallResult<K extends OperationKey> = Operations[K]['result'];

/** Operations that answer a page of a list. */
export type ListKey = {
  [K in OperationKey]: CallResult<K> extends { items: unknown[]; nextCursor: string | null } ? K : never;
}[OperationKey];
export type ItemOf<K extends ListKey> = CallResult<K> extends { items: (infer Item)[] } ? Item : never;

/** Arguments of a call: none, if nothing is required. */
export type Arguments<K extends OperationKey, Options> =
  Partial<CallInput<K>> extends CallInput<K>
    ? [input?: CallInput<K>, options?: Options]
    : [input: CallInput<K>, options?: Options];

type Scalar = string | number | boolean | null | undefined;

/** What a request is made from, of any operation. */
export interface RequestParts {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
}

/** `/tasks/123?limit=10`; undefined, null and empty values are left out, lists are joined by commas. */
export function makePath(template: string, { params = {}, query = {} }: RequestParts): string {
  const values = params as Record<string, string>;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, Scalar | readonly Scalar[]][])
    if (value !== undefined && value !== null && value !== '')
      search.set(name, Array.isArray(value) ? value.join(',') : String(value));
  return search.size === 0 ? path : `${path}?${search}`;
}
