/**
 * What visitors ask for by "Request an account". States: unconfirmed → pending (the link in the mail was opened), and
 * from both → approved or rejected. Every change is one UPDATE of a row in the state before.
 */
import type { AccountRequest, AccountRequestState } from '@pahatid/contract';
import { uuidV7 } from '../ids.ts';
import { type PageOrder, pageBy } from '../keyset.ts';
import { useState } from '../literals.ts';
import { type Db, many, maybe, one, run, sql } from '../sql.ts';

type Answers = Pick<
  AccountRequest,
  'name' | 'company' | 'email' | 'phone' | 'uses' | 'monthlyVolume' | 'channels' | 'senderId' | 'message' | 'locale'
> & { firstMessageDay: string | null };

export interface NewAccountRequest extends Answers {
  ip: string;
  requestedAt: Date;
  tokenHash: Buffer;
}

export interface AccountRequestRow extends Answers {
  accountRequestId: string;
  state: AccountRequestState;
  requestedAt: Date;
  confirmedAt: Date | null;
  decidedAt: Date | null;
  decidedBy: string | null;
  reason: string | null;
  openedCustomerId: string | null;
}

export const insertAccountRequest = async (db: Db, given: NewAccountRequest): Promise<string> => {
  const id = uuidV7();
  const { name, company, email, phone, uses, monthlyVolume, channels } = given;
  await run(
    db,
    sql`insert into account_request (account_request_id, name, company, email, phone, uses, monthly_volume, channels,
          sender_id, first_message_on, message, locale, ip, requested_at, token_hash)
        values (${id}, ${name}, ${company}, ${email}, ${phone}, ${uses}::text[], ${monthlyVolume}, ${channels}::text[],
          ${given.senderId}, ${given.firstMessageDay}::date, ${given.message}, ${given.locale}, ${given.ip}::inet,
          ${given.requestedAt}, ${given.tokenHash})`,
  );
  return id;
};

const columns = sql`r.account_request_id as "accountRequestId", r.state, r.name, r.company, r.email, r.phone, r.uses,
  r.monthly_volume as "monthlyVolume", r.channels, r.sender_id as "senderId",
  r.first_message_on::text as "firstMessageDay", r.message, r.locale, r.requested_at as "requestedAt",
  r.confirmed_at as "confirmedAt", r.decided_at as "decidedAt", u.name as "decidedBy", r.reason,
  r.opened_customer_id as "openedCustomerId"`;
const source = sql`account_request r left join app_user u on u.user_id = r.decided_by`;

/** `state` undefined: all that are confirmed. Ids grow with time, so the newest come first by id. */
export const listAccountRequests = (
  db: Db,
  filter: { state: AccountRequestState | undefined; search: string | undefined; limit: number } & PageOrder,
): Promise<AccountRequestRow[]> => {
  const { past, orderBy } = pageBy([[sql`r.account_request_id`, 'uuid']], filter);
  const { state, search = '', limit } = filter;
  const found = sql`position(lower(${search}) in lower(r.name || ' ' || r.company || ' ' || r.email)) > 0`;
  return many<AccountRequestRow>(
    db,
    sql`select ${columns} from ${source}
        where ${state === undefined ? sql`r.state <> 'unconfirmed'` : sql`r.state = ${state}`}
          and ${search === '' ? sql`true` : found} and ${past}
        order by ${orderBy} limit ${limit}`,
  );
};

export const findAccountRequest = (db: Db, id: string): Promise<AccountRequestRow | null> =>
  maybe<AccountRequestRow>(db, sql`select ${columns} from ${source} where r.account_request_id = ${id}`);

/** Those that wait for a decision, counted up to `limit`. */
export const countPendingAccountRequests = async (db: Db, limit: number): Promise<number> => {
  const { count } = await one<{ count: number }>(
    db,
    sql`select count(*)::int as count from (select from account_request where state = 'pending' limit ${limit}) found`,
  );
  return count;
};

/** Returns the request that the link of the mail confirms now; null: it had been opened, or there is none. */
export const confirmAccountRequest = (db: Db, tokenHash: Buffer, now: Date): Promise<{ id: string } | null> =>
  maybe<{ id: string }>(
    db,
    sql`update account_request set state = 'pending', confirmed_at = ${now}
        where token_hash = ${tokenHash} and state = 'unconfirmed' returning account_request_id as id`,
  );

/** Returns whether the link was opened before. */
export const isAccountRequestConfirmed = async (db: Db, tokenHash: Buffer): Promise<boolean> =>
  (await maybe(db, sql`select from account_request where token_hash = ${tokenHash} and state <> 'unconfirmed'`)) !==
  null;

type Decision = { userId: string; now: Date } & (
  | { state: 'approved'; customerId: string; reason?: never }
  | { state: 'rejected'; reason: string; customerId?: never }
);

/** False: it had been decided. */
export const decideAccountRequest = async (db: Db, id: string, decision: Decision): Promise<boolean> =>
  (await run(
    db,
    sql`update account_request set state = ${decision.state}, decided_by = ${decision.userId},
          decided_at = ${decision.now}, reason = ${decision.reason ?? null},
          opened_customer_id = ${decision.customerId ?? null}
        where account_request_id = ${id} and state in ('unconfirmed', 'pending')`,
  )) === 1;

/** Locks it, so that of two members of staff that accept it one adds a customer; null: there is none that is open. */
export const lockOpenAccountRequest = (
  tx: Db,
  id: string,
): Promise<Pick<AccountRequestRow, 'email' | 'locale'> | null> =>
  maybe(
    tx,
    sql<Pick<AccountRequestRow, 'email' | 'locale'>>`select email, locale from account_request
        where account_request_id = ${id} and state in ('unconfirmed', 'pending') for update`,
  );

/** Returns the recipients of a notice about a confirmed request: staff that may decide; a few, oldest accounts first. */
export const listAccountRequestDeciders = (db: Db): Promise<{ email: string; locale: string | null }[]> =>
  many(
    db,
    sql`select email, locale from app_user where role = 'admin' and use_state = ${useState.Enabled}
        order by created_at, user_id limit 10`,
  );

interface KeptUntil {
  unconfirmed: Date;
  pending: Date;
  decided: Date;
}

/** Deletes those that are older than is allowed in their state. */
export const sweepAccountRequests = (db: Db, before: KeptUntil): Promise<number> =>
  run(
    db,
    sql`delete from account_request
        where (state = 'unconfirmed' and requested_at < ${before.unconfirmed})
          or (state = 'pending' and requested_at < ${before.pending})
          or (state in ('approved', 'rejected') and decided_at < ${before.decided})`,
  );
