/** A person's own account: profile, preferences, sessions. Never run in a customer's scope. */
import { type Db, many, maybe, one, run, sql } from '../sql.ts';
import type { SignInUser } from './users.ts';

export interface AccountRow {
  userId: string;
  account: string;
  name: string;
  email: string;
  /** Digits; destination of codes sent by SMS. */
  msisdn: string | null;
  zone: string;
  locale: string | null;
  theme: 'light' | 'dark' | 'system' | null;
  passwordHash: string;
  /** Of the customer; null for staff. */
  requireTwoFactor: boolean | null;
}

export const getAccount = (db: Db, userId: string): Promise<AccountRow> =>
  one<AccountRow>(
    db,
    sql`select u.user_id as "userId", u.account, u.name, u.email, u.msisdn, u.zone, u.locale, u.theme,
               u.password_hash as "passwordHash", c.require_two_factor as "requireTwoFactor"
        from app_user u left join customer c using (customer_id) where u.user_id = ${userId}`,
  );

/** How the console looks to a person; null: as the device has it. */
export const getPreferences = (db: Db, userId: string): Promise<Pick<AccountRow, 'locale' | 'theme'>> =>
  one(db, sql`select locale, theme from app_user where user_id = ${userId}`);

export type AccountChange = Partial<Pick<AccountRow, 'name' | 'zone' | 'locale' | 'theme'>>;

/** Changes the given fields; omitted fields stay. Null resets `locale` and `theme` to the device's. */
export const updateAccount = async (db: Db, userId: string, change: AccountChange): Promise<void> => {
  await run(
    db,
    sql`update app_user set name = coalesce(${change.name ?? null}, name), zone = coalesce(${change.zone ?? null}, zone),
          locale = case when ${change.locale === undefined} then locale else ${change.locale ?? null} end,
          theme = case when ${change.theme === undefined} then theme else ${change.theme ?? null} end
        where user_id = ${userId}`,
  );
};

/**
 * Sets the destination of codes by SMS; null: none. Violates `app_user_msisdn` if it already belongs to another user.
 */
export const setMsisdn = (db: Db, userId: string, msisdn: string | null): Promise<number> =>
  run(db, sql`update app_user set msisdn = ${msisdn} where user_id = ${userId}`);

/** The setting before. */
export const setTwoFactorRequired = async (db: Db, customerId: string, required: boolean): Promise<boolean> => {
  const before = await one<{ required: boolean }>(
    db,
    sql`select require_two_factor as required from customer where customer_id = ${customerId} for update`,
  );
  await run(db, sql`update customer set require_two_factor = ${required} where customer_id = ${customerId}`);
  return before.required;
};

export interface SessionRow {
  sessionId: string;
  hash: Buffer;
  createdAt: Date;
  lastSeenAt: Date;
  ip: string | null;
  userAgent: string | null;
}

/** Live sessions of a user, most recently used first; to a visitor no other visitor’s. */
export const listSessions = (
  db: Db,
  { userId, sessionHash }: { userId: string; sessionHash: Buffer },
  now: Date,
  idleMs: number,
): Promise<SessionRow[]> =>
  many<SessionRow>(
    db,
    sql`select session_id as "sessionId", session_hash as hash, created_at as "createdAt", last_seen_at as "lastSeenAt",
               host(ip) as ip, user_agent as "userAgent"
        from session where user_id = ${userId} and (not visitor or session_hash = ${sessionHash}) and expires_at > ${now}
          and last_seen_at > ${new Date(now.getTime() - idleMs)}
        order by last_seen_at desc, session_id limit 200`,
  );

/** Ends one of a user's sessions; returns false if there is no such session. */
export const endSession = async (db: Db, userId: string, sessionId: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`delete from session where session_id = ${sessionId} and user_id = ${userId} returning session_id`,
  )) !== null;

/** Ends all of a user's sessions except one; returns how many. */
export const endOtherSessions = (db: Db, userId: string, keptHash: Buffer): Promise<number> =>
  run(db, sql`delete from session where user_id = ${userId} and session_hash <> ${keptHash}`);

/** A user that is in the middle of signing in. */
export const findSignInUser = (db: Db, userId: string): Promise<SignInUser | null> =>
  maybe<SignInUser>(
    db,
    sql`select u.user_id as "userId", u.account, u.name, u.email, u.role, u.zone, u.customer_id as "customerId",
               u.password_hash as "passwordHash", u.use_state as "useState", c.use_state as "customerUseState"
        from app_user u left join customer c using (customer_id) where u.user_id = ${userId}`,
  );
