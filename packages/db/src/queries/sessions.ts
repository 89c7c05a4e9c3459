/** Sessions of the console. All ids here are SHA-256 of what the browser holds. Never run in a customer's scope. */

import type { Role } from '@pahatid/contract';
import { useState } from '../literals.ts';
import { type Db, many, maybe, one, run, sql } from '../sql.ts';

export interface SessionUser {
  userId: string;
  account: string;
  name: string;
  email: string;
  role: Role;
  zone: string;
  /** null: staff. */
  customerId: string | null;
}

/** Seen again within this time: not written, so that reading pages does not write a row per request. */
const touchEveryMs = 60_000;

/** Sessions of a disabled user, or of a suspended customer's users, grant no access. */
const mayEnter = sql`u.use_state = ${useState.Enabled} and not exists (select from customer c
  where c.customer_id = u.customer_id and c.use_state = ${useState.Disabled})`;

export interface LiveSession extends SessionUser {
  /** Opens nothing but the enrolment of a second factor. */
  mustEnrol: boolean;
  /** When the user last proved its identity. */
  provedAt: Date;
  /** Of a visitor of a public demo: until when the visit lasts. Null: of the user itself. */
  visitUntil: Date | null;
}

/** Returns the user of a live session, which is marked as seen; null for none, an ended one or one without access. */
export const findSession = async (db: Db, hash: Buffer, now: Date, idleMs: number): Promise<LiveSession | null> => {
  const row = await maybe<LiveSession & { seen: Date }>(
    db,
    sql`select u.user_id as "userId", u.account, u.name, u.email, u.role, u.zone, u.customer_id as "customerId",
               s.enrol_first as "mustEnrol", coalesce(s.proved_at, s.created_at) as "provedAt", s.last_seen_at as seen,
               case when s.visitor then s.expires_at end as "visitUntil"
        from session s join app_user u using (user_id)
        where s.session_hash = ${hash} and s.expires_at > ${now} and s.last_seen_at > ${new Date(now.getTime() - idleMs)}
          and ${mayEnter}`,
  );
  if (row === null) return null;
  const { seen, ...user } = row;
  if (now.getTime() - seen.getTime() > touchEveryMs)
    await run(db, sql`update session set last_seen_at = ${now} where session_hash = ${hash} and last_seen_at < ${now}`);
  return user;
};

/** Which of these sessions are no longer live. */
export const findEndedSessions = async (
  db: Db,
  hashes: readonly Buffer[],
  now: Date,
  idleMs: number,
): Promise<Buffer[]> => {
  const rows = await many<{ hash: Buffer }>(
    db,
    sql`select asked.hash from unnest(${hashes}::bytea[]) as asked (hash)
        where not exists (
          select from session s join app_user u using (user_id)
          where s.session_hash = asked.hash and s.expires_at > ${now}
            and s.last_seen_at > ${new Date(now.getTime() - idleMs)} and ${mayEnter})`,
  );
  return rows.map(({ hash }) => hash);
};

export interface NewSession {
  hash: Buffer;
  userId: string;
  now: Date;
  expiresAt: Date;
  ip: string;
  userAgent: string | null;
  /** Staff without a second factor must enrol one first; for customers' users it is required if the owner set so. */
  staffNeedFactor: boolean;
}

/**
 * Opens a session, and ends the browser's previous one. Also deletes ended sessions of the same user. Returns whether
 * it permits only the enrolment of a second factor.
 */
export const insertSession = async (db: Db, session: NewSession, previousHash: Buffer | null): Promise<boolean> => {
  await run(
    db,
    sql`delete from session where session_hash = ${previousHash}
          or (user_id = ${session.userId} and expires_at < ${session.now})`,
  );
  const { mustEnrol } = await one<{ mustEnrol: boolean }>(
    db,
    sql`insert into session (session_hash, user_id, created_at, last_seen_at, expires_at, ip, user_agent, enrol_first)
        select ${session.hash}::bytea, u.user_id, ${session.now}::timestamptz, ${session.now}::timestamptz,
               ${session.expiresAt}::timestamptz, ${session.ip}::inet, ${session.userAgent}::text,
               case when u.customer_id is null then ${session.staffNeedFactor}::boolean else c.require_two_factor end
                 and not exists (select from totp t where t.user_id = u.user_id and t.confirmed_at is not null)
                 and not exists (select from passkey p where p.user_id = u.user_id)
        from app_user u left join customer c using (customer_id) where u.user_id = ${session.userId}
        returning enrol_first as "mustEnrol"`,
  );
  return mustEnrol;
};

export interface NewVisit {
  hash: Buffer;
  userId: string;
  now: Date;
  expiresAt: Date;
}

/**
 * Opens a session of a visitor, in the name of the user whom all visitors read as; nothing that identifies the visitor is
 * stored. Returns false if `limit` visits are open. Concurrent calls may pass the limit by as many as they are.
 */
export const insertVisit = async (db: Db, visit: NewVisit, limit: number): Promise<boolean> => {
  await run(db, sql`delete from session where visitor and expires_at < ${visit.now}`);
  const inserted = await run(
    db,
    sql`insert into session (session_hash, user_id, created_at, last_seen_at, expires_at, visitor)
        select ${visit.hash}::bytea, ${visit.userId}::uuid, ${visit.now}::timestamptz, ${visit.now}::timestamptz,
               ${visit.expiresAt}::timestamptz, true
        where (select count(*) from session where visitor) < ${limit}`,
  );
  return inserted === 1;
};

export const markProved = (db: Db, hash: Buffer, now: Date): Promise<number> =>
  run(db, sql`update session set proved_at = ${now} where session_hash = ${hash}`);

export const deleteSession = (db: Db, hash: Buffer): Promise<number> =>
  run(db, sql`delete from session where session_hash = ${hash}`);

/** Ends every session of a user, and every sign-in that is half done; for a changed password or a disabled user. */
export const deleteUserSessions = async (db: Db, userId: string): Promise<number> => {
  await run(db, sql`delete from sign_in_challenge where user_id = ${userId}`);
  return run(db, sql`delete from session where user_id = ${userId}`);
};
