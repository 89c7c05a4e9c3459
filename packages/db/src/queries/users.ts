/** Users that may sign in. */
import type { Role } from '@pahatid/contract';
import { uuidV7 } from '../ids.ts';
import { type Db, maybe, run, sql } from '../sql.ts';
import type { SessionUser } from './sessions.ts';

export interface SignInUser extends SessionUser {
  passwordHash: string;
  /** Of the user; a disabled one can't sign in. */
  useState: 0 | 1;
  /** Of the customer; null for staff. */
  customerUseState: 0 | 1 | null;
}

/** Looks an account up for sign-in. `account` is lower case already. */
export const findUserByAccount = (db: Db, account: string): Promise<SignInUser | null> =>
  maybe<SignInUser>(
    db,
    sql`select u.user_id as "userId", u.account, u.name, u.email, u.role, u.zone, u.customer_id as "customerId",
               u.password_hash as "passwordHash", u.use_state as "useState", c.use_state as "customerUseState"
        from app_user u left join customer c using (customer_id) where u.account = ${account}`,
  );

/** The same, for a user identified by other means than the account's name. */
export const findSignInUser = (db: Db, userId: string): Promise<SignInUser | null> =>
  maybe<SignInUser>(
    db,
    sql`select u.user_id as "userId", u.account, u.name, u.email, u.role, u.zone, u.customer_id as "customerId",
               u.password_hash as "passwordHash", u.use_state as "useState", c.use_state as "customerUseState"
        from app_user u left join customer c using (customer_id) where u.user_id = ${userId}`,
  );

/** Records the sign-in, and a fresh hash if the stored one was made with weaker parameters. */
export const markSignedIn = (db: Db, userId: string, now: Date, passwordHash: string | null): Promise<number> =>
  run(
    db,
    sql`update app_user set last_sign_in_at = ${now}, password_hash = coalesce(${passwordHash}::text, password_hash)
        where user_id = ${userId}`,
  );

/** Inserts a new user, who may sign in immediately; returns the ID. `account` and `email` are already lower case. */
export const insertUser = async (
  db: Db,
  user: {
    customerId: string | null;
    account: string;
    email: string;
    name: string;
    role: Role;
    passwordHash: string;
    locale?: string | undefined;
  },
): Promise<string> => {
  const userId = uuidV7();
  await run(
    db,
    sql`insert into app_user (user_id, customer_id, account, email, name, role, password_hash, locale)
        values (${userId}, ${user.customerId}, ${user.account}, ${user.email}, ${user.name}, ${user.role}, ${user.passwordHash},
                ${user.locale ?? null})`,
  );
  return userId;
};
