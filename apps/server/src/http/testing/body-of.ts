/**
 * The body of an answer as tests read it: typed by the contract, without a check before each field. A test reads what a
 * call returns, whether it succeeded or not, and fails where something is missing; so every field of every possible
 * answer is there, none is null, and a list has its first elements.
 */
import type { CallResult, Problem, RouteKey } from '@pahatid/contract';

/** `GET /tasks/123` → `['GET ', 'tasks', '123']` */
type Segments<T extends string> = T extends `${infer Head}/${infer Rest}` ? [Head, ...Segments<Rest>] : [T];

/** Whether a call's segments fit those of a route, in which `:name` stands for any text. */
type Fits<Call extends readonly string[], Route extends readonly string[]> = [Call, Route] extends [
  [infer C, ...infer CallRest extends string[]],
  [infer R, ...infer RouteRest extends string[]],
]
  ? R extends `:${string}`
    ? Fits<CallRest, RouteRest>
    : C extends R
      ? Fits<CallRest, RouteRest>
      : false
  : [Call, Route] extends [[], []]
    ? true
    : false;

type RouteSegments = { [K in RouteKey]: Segments<K> };
type RouteOf<Call extends string> = Call extends RouteKey
  ? Call
  : { [K in RouteKey]: Fits<Segments<Call>, RouteSegments[K]> extends true ? K : never }[RouteKey];

/** Of several routes, any of their results. */
type ResultOf<K extends RouteKey> = K extends RouteKey ? CallResult<K> : never;

type KeysOf<U> = U extends unknown ? keyof U : never;
type ValueAt<U, K> = U extends unknown ? (K extends keyof U ? U[K] : never) : never;

type Present<T> = AllFields<NonNullable<T>>;
type AllFields<T> = [T] extends [readonly (infer E)[]]
  ? List<Present<E>>
  : [T] extends [object]
    ? { [K in KeysOf<T>]: Present<ValueAt<T, K>> }
    : T;

type List<E> = Found<E> & Record<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9, E> & E[];
interface Found<E> {
  find(isMeant: (item: E, index: number) => unknown): E;
  at(index: number): E;
}

/** Of a call whose route is known only at run time, and of a path outside the contract. */
// biome-ignore lint/suspicious/noExplicitAny: nothing says what it holds
type AnyBody = any;

export type BodyOf<Call extends string> = string extends Call
  ? AnyBody
  : [RouteOf<Call>] extends [never]
    ? AnyBody
    : Present<ResultOf<RouteOf<Call>> | Problem>;
