import type { z } from 'zod';
import type { Role } from './enums.ts';
import type { ErrorCode } from './errors.ts';

/**
 * Who may call: nobody signed in, any signed-in user, users with one of the roles, or an application with its own
 * password (`Authorization: Basic appId:appSecret`). Each route has one way in: a session opens no application's route,
 * nor the other way round.
 */
export type Access = 'public' | 'session' | 'application' | readonly Role[];

/**
 * What a successful call answers with:
 * - `json`: the response schema; lists answer csv as well where `csv` is set and `Accept: text/csv` asks for it
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
  /** Status of success; 200 unless told. */
  readonly status?: number;
  readonly params?: P;
  readonly query?: Q;
  /** JSON body. `multipart` bodies are described by the handler. */
  readonly body?: B;
  readonly multipart?: boolean;
  /** Open also to who must enrol a second factor before anything else. */
  readonly beforeEnrolment?: boolean;
  /** Staff may name one customer (`?customerId=`): the call then reads as that customer's row security lets it. */
  readonly byCustomer?: boolean;
  readonly csv?: boolean;
  readonly response?: R;
  /** Codes beside the ones every route may answer. */
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

/** Type of one part of a route as the caller writes it; `undefined` where the route has none. */
export type InputOf<D, K extends 'params' | 'query' | 'body' | 'response'> =
  Has<Schema<D, K>> extends true ? z.input<Schema<D, K>> : undefined;
/** Type of one part of a route as the handler receives it; `undefined` where the route has none. */
export type OutputOf<D, K extends 'params' | 'query' | 'body' | 'response'> =
  Has<Schema<D, K>> extends true ? z.output<Schema<D, K>> : undefined;
