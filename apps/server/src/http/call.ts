/** Parameters and result types of handlers. */

import type {
  ApiScope,
  CallResult,
  OutputOf,
  OwnersRoute,
  PeoplesRoute,
  Role,
  RouteKey,
  Routes,
  SharedResource,
} from '@pahatid/contract';
import type { AuditEntry, Db, Scope } from '@pahatid/db';
import type { Language } from '@pahatid/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PoolClient } from 'pg';
import type { CsvAnswer } from './csv.ts';
import type { IdentifiedEvent } from './events.ts';

/** The caller of a route that people and software share. */
export interface Caller {
  /** null: software. */
  readonly userId: string | null;
  /** Of software, that of a member. */
  readonly role: Role;
  readonly zone: string;
  /** null: staff. */
  readonly customerId: string | null;
  /** The staff member's role outside the support view. */
  readonly staffRole?: Role;
}

export interface SignedInUser extends Caller {
  readonly userId: string;
  readonly account: string;
  readonly name: string;
  readonly email: string;
  readonly sessionHash: Buffer;
  /** Has no second factor and must enrol one before anything else. */
  readonly mustEnrol: boolean;
  /** When the person last proved their identity: at sign-in or later. */
  readonly provedAt: Date;
  /** Of the staff, looking at this customer's screens until then: may change nothing. */
  readonly supportUntil?: Date;
  /** A visitor of a public demo, until then: may change nothing, and is not identified. Null: the user itself. */
  readonly visitUntil: Date | null;
}

/** Whether money is shown: to everyone but reviewers, also in a support view. */
export const maySeeFunds = ({ role, staffRole = role }: { readonly role: Role; readonly staffRole?: Role }): boolean =>
  staffRole !== 'reviewer';

/** A customer's software, known by its own password or by a key. */
export interface CallingApplication {
  /** Whose data the call reads and writes: with a test key those of test mode (decision 146). */
  readonly appId: string;
  readonly customerId: string;
  /** Whose templates and sender IDs it uses. */
  readonly live: { readonly appId: string; readonly customerId: string };
  readonly isTest: boolean;
  readonly scopes: readonly ApiScope[];
  /** null: by its password. */
  readonly key: CallingKey | null;
  /** When the credentials stop working; null: they do not expire. */
  readonly expiresAt: Date | null;
  /** Throws if the credentials would be refused by now. */
  confirm(): Promise<void>;
}

interface CallingKey {
  readonly keyId: string;
  readonly keyName: string;
  readonly prefix: string;
}

/** Routes that people and software share. */
type SharedRoute = Exclude<
  {
    [K in RouteKey]: K extends `${string} /${infer P}`
      ? (P extends `${infer R}/${string}` ? R : P) extends SharedResource
        ? K
        : never
      : never;
  }[RouteKey],
  OwnersRoute | PeoplesRoute
>;

type IsPublic<K extends RouteKey> = Routes[K]['access'] extends 'public' ? true : false;
type IsApplication<K extends RouteKey> = Routes[K]['access'] extends 'application' ? true : false;
type IsPerson<K extends RouteKey> = Routes[K]['access'] extends 'public' | 'application' ? false : true;

export interface Call<K extends RouteKey> {
  readonly user: IsPerson<K> extends true ? (K extends SharedRoute ? Caller : SignedInUser) : null;
  readonly application: IsApplication<K> extends true ? CallingApplication : null;
  /** The data visible to the call: a customer's, or the staff's. */
  readonly scope: IsPublic<K> extends true ? null : Scope;
  readonly params: OutputOf<Routes[K], 'params'>;
  readonly query: OutputOf<Routes[K], 'query'>;
  readonly body: OutputOf<Routes[K], 'body'>;
  readonly requestId: string;
  readonly ip: string;
  /** Of headings in csv. */
  readonly lang: Language;
  /** The list was requested as csv: return `csvAnswer(…)`. Only if the route allows it. */
  readonly wantsCsv: boolean;
  /** Aborted when the client disconnects; for event streams also when the session or the process ends. */
  readonly signal: AbortSignal;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** One transaction in the user's scope on the control pool: row level security holds for customers. */
  readonly inScope: <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>;
  /** The same on the data pool, for `message`, `report_minute` and the other data tables. */
  readonly inDataScope: <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>;
  /**
   * The same, on a replica where there is one that is fresh enough: what it reads may be some seconds old, but not for a
   * person who has just changed something. It can't write.
   */
  readonly inReadScope: <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>;
  /** In test mode, the live application that an application of stored data stands for; otherwise the same id. */
  readonly toShownAppId: (appId: string) => string;
  /** The reverse, of what software names in a body. */
  readonly toStoredAppId: (appId: string) => string;
  /** Runs one transaction without row level security: for data of no customer (sessions, users). */
  readonly withTransaction: <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>;
  /**
   * Called before an action for which a stolen session must not suffice: throws STEP_UP_REQUIRED if the last proof is
   * too old. Afterwards the owners or admins are mailed. Only for routes of `stepUpRoutes`; those marked `always` call
   * it themselves.
   */
  readonly needProof: () => void;
  /** Writes what this call did into the audit log, in the transaction that did it; exactly once per unsafe call. */
  readonly audit: (db: Db, entry: CallAudit) => Promise<void>;
}

/**
 * `customerId`: the customer whose log it belongs to, if it is not the user's own (actions of staff). The actor is
 * known from the session; calls without one (signing in) pass it.
 */
export type CallAudit = Pick<AuditEntry, 'action' | 'subjectType' | 'subjectId'> &
  Partial<Pick<AuditEntry, 'before' | 'after' | 'customerId' | 'userId' | 'account' | 'role'>>;

/**
 * Return value of a handler: the contract's response; on csv routes a `CsvAnswer`, on event routes the stream of
 * events.
 */
export type Result<K extends RouteKey> = [CallResult<K>] extends [undefined]
  ? CsvAnswer | undefined
  : CallResult<K> | CsvAnswer | AsyncIterable<CallResult<K> | IdentifiedEvent<CallResult<K>>>;

export type Handle<K extends RouteKey> = (call: Call<K>) => Promise<Result<K>>;
