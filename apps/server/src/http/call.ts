/** What a handler is given and may return. */
import type { CallResult, OutputOf, Role, RouteKey, Routes } from '@pahatid/contract';
import type { AuditEntry, Db, Scope } from '@pahatid/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PoolClient } from 'pg';
import type { CsvAnswer, Language } from './csv.ts';

export interface SignedInUser {
  readonly userId: string;
  readonly account: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly zone: string;
  /** null: staff. */
  readonly customerId: string | null;
  readonly sessionHash: Buffer;
  /** Has no second factor and must enrol one before anything else. */
  readonly mustEnrol: boolean;
  /** When the person last proved who they are: by signing in, or since. */
  readonly provedAt: Date;
  /** Of the staff, looking at this customer's screens until then: may change nothing. */
  readonly supportUntil?: Date;
  /** What such a member of the staff is by themselves. */
  readonly staffRole?: Role;
}

/** Whether money is shown: to everybody but reviewers, also where they look on as support. */
export const maySeeFunds = ({ staffRole }: { readonly staffRole?: Role }): boolean => staffRole !== 'reviewer';

/** A customer's software, known by its own password. */
export interface CallingApplication {
  readonly appId: string;
  readonly customerId: string;
}

type IsPublic<K extends RouteKey> = Routes[K]['access'] extends 'public' ? true : false;
type IsApplication<K extends RouteKey> = Routes[K]['access'] extends 'application' ? true : false;
type IsPerson<K extends RouteKey> = Routes[K]['access'] extends 'public' | 'application' ? false : true;

export interface Call<K extends RouteKey> {
  readonly user: IsPerson<K> extends true ? SignedInUser : null;
  readonly application: IsApplication<K> extends true ? CallingApplication : null;
  /** Whose eyes the call looks through: a customer's, or the staff's. */
  readonly scope: IsPublic<K> extends true ? null : Scope;
  readonly params: OutputOf<Routes[K], 'params'>;
  readonly query: OutputOf<Routes[K], 'query'>;
  readonly body: OutputOf<Routes[K], 'body'>;
  readonly requestId: string;
  readonly ip: string;
  /** Of headings in csv. */
  readonly lang: Language;
  /** A list was asked for as csv: return `csvAnswer(…)`. Only where the route says so. */
  readonly wantsCsv: boolean;
  /** Aborted when the client has gone; for event streams also when the session or the process ends. */
  readonly signal: AbortSignal;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** One transaction in the user's scope on the control pool: row level security holds for customers. */
  readonly inScope: <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>;
  /** The same on the data pool, for `message`, `report_minute` and the other data tables. */
  readonly inDataScope: <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>;
  /** One transaction that row level security does not apply to: for what is no customer's (sessions, users). */
  readonly withTransaction: <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>;
  /**
   * Of an act that a stolen session must not be enough for, before it: throws STEP_UP_REQUIRED where the last proof is too
   * old. Once it is done the owners or admins are mailed. Routes of `stepUpRoutes` alone, and those marked `always` call
   * it by themselves.
   */
  readonly needProof: () => void;
  /** Writes what this call did into the audit log, in the transaction that did it; exactly once per unsafe call. */
  readonly audit: (db: Db, entry: CallAudit) => Promise<void>;
}

/**
 * `customerId`: whose log it belongs to, where it is not the user's own customer (acts of staff). Who it was is known from
 * the session; calls without one (signing in) say it.
 */
export type CallAudit = Pick<AuditEntry, 'action' | 'subjectType' | 'subjectId'> &
  Partial<Pick<AuditEntry, 'before' | 'after' | 'customerId' | 'userId' | 'account' | 'role'>>;

/** What a handler answers with: the contract's response; on csv routes a `CsvAnswer`, on event routes the events as they come. */
export type Result<K extends RouteKey> = [CallResult<K>] extends [undefined]
  ? CsvAnswer | undefined
  : CallResult<K> | CsvAnswer | AsyncIterable<CallResult<K>>;

export type Handle<K extends RouteKey> = (call: Call<K>) => Promise<Result<K>>;
