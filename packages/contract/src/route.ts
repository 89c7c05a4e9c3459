import type { z } from 'zod';
import type { Role } from './enums.ts';
import type { ErrorCode } from './errors.ts';

/**
 * Access to a route: anonymous, any signed-in user, users with one of the roles, or software alone, with the password of
 * its application (`Authorization: Basic appId:appSecret`) or a key of it (`Authorization: Bearer pk_…`). Software is
 * accepted on the routes of customers' users that `findScope` names a scope for as well; a session is not accepted on a
 * route of software.
 */
export type Access = 'public' | 'session' | 'application' | readonly Role[];

/**
 * Response of a successful call:
 * - `json`: the response schema; lists return csv as well if `csv` is set and `Accept: text/csv` requests it
 * - `empty`: 204
 * - `events`: `text/event-stream`, each `data:` the response schema
 * - `csv`: a csv attachment only
 */
export type Answer = 'json' | 'empty' | 'events' | 'csv';

export interface RouteDefinition<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  readonly summary: string;
  readonly access: Access;
  readonly answer?: Answer;
  /** Status of success; default 200. */
  readonly status?: number;
  readonly params?: P;
  readonly query?: Q;
  /** JSON body. `multipart` bodies are described by the handler. */
  readonly body?: B;
  /** What the document says of the body, if `body` checks it in a way that no schema shows. */
  readonly bodyShapes?: z.ZodType;
  /** Size of a JSON body, if the route accepts larger ones than others (1 MiB). */
  readonly bodyLimitBytes?: number;
  readonly multipart?: boolean;
  /** Also allowed for users that must enrol a second factor first. */
  readonly beforeEnrolment?: boolean;
  /** Staff may name one customer (`?customerId=`): the call then reads as that customer's row security lets it. */
  readonly byCustomer?: boolean;
  readonly csv?: boolean;
  readonly response?: R;
  /** Codes in addition to those every route may return. */
  readonly errors?: readonly ErrorCode[];
}

/** Keeps the literal types of one route while checking its shape. */
export const route = <
  P extends z.ZodType = z.ZodNever,
  Q extends z.ZodType = z.ZodNever,
  B extends z.ZodType = z.ZodNever,
  R extends z.ZodType = z.ZodNever,
  const A extends Access = Access,
>(
  definition: RouteDefinition<P, Q, B, R> & { readonly access: A },
): RouteDefinition<P, Q, B, R> & { readonly access: A } => definition;

type Schema<D, K extends 'params' | 'query' | 'body' | 'response'> = D extends { readonly [key in K]?: infer S }
  ? NonNullable<S>
  : never;
type Has<S> = S extends z.ZodType ? (z.output<S> extends never ? false : true) : false;

/** Type of one part of a route as the caller writes it; `undefined` if the route has none. */
export type InputOf<D, K extends 'params' | 'query' | 'body' | 'response'> =
  Has<Schema<D, K>> extends true ? z.input<Schema<D, K>> : undefined;
/** Type of one part of a route as the handler receives it; `undefined` if the route has none. */
export type OutputOf<D, K extends 'params' | 'query' | 'body' | 'response'> =
  Has<Schema<D, K>> extends true ? z.output<Schema<D, K>> : undefined;
