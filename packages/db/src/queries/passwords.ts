/** Passwords of users already identified, by session or by code. */
import { useState } from '../literals.ts';
import { type Db, maybe, run, sql } from '../sql.ts';

export interface PasswordOwner {
  userId: string;
  customerId: string | null;
  account: string;
  email: string;
  msisdn: string | null;
  name: string;
  /** null: staff. */
  customerName: string | null;
  locale: string | null;
}

/** Null for a disabled person, and one of a suspended customer. */
export const findPasswordOwner = (db: Db, userId: string): Promise<PasswordOwner | null> =>
  maybe<PasswordOwner>(
    db,
    sql`select u.user_id as "userId", u.customer_id as "customerId", u.account, u.email, u.msisdn, u.name, u.locale,
               c.customer_name as "customerName"
        from app_user u left join customer c using (customer_id)
        where u.user_id = ${userId} and u.use_state = ${useState.Enabled} and coalesce(c.use_state, 1) = 1`,
  );

export const setPassword = (tx: Db, userId: string, passwordHash: string): Promise<number> =>
  run(tx, sql`update app_user set password_hash = ${passwordHash} where user_id = ${userId}`);

/** Ends every session of a person but the one that asks. */
export const deleteOtherSessions = async (tx: Db, userId: string, sessionHash: Buffer): Promise<number> => {
  await run(tx, sql`delete from sign_in_challenge where user_id = ${userId}`);
  return run(tx, sql`delete from session where user_id = ${userId} and session_hash <> ${sessionHash}`);
};
