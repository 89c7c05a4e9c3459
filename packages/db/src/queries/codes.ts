/**
 * One-time codes. One row per purpose, destination and browser: a new request replaces that browser's old code and no
 * other. Never run in a customer's scope.
 */
import { useState } from '../literals.ts';
import { type Db, maybe, run, sql } from '../sql.ts';

/** `setPhone`: for a signed-in user that sets the destination as its MSISDN. */
export type CodePurpose = 'signIn' | 'resetPassword' | 'setPhone';
export type CodeChannel = 'email' | 'sms';

/** What names a code. */
export interface CodeKey {
  readonly purpose: CodePurpose;
  /** An e-mail address in lower case, or the digits of a phone. */
  readonly destination: string;
}

/** What names one row: what the code is for, and the browser that asked. */
export interface VisitorCodeKey extends CodeKey {
  /** SHA-256 of what the browser holds: the visitor's cookie, or for `setPhone` the session's. */
  readonly visitorHash: Buffer;
}

export interface CodeRequest extends VisitorCodeKey {
  readonly channel: CodeChannel;
  /** Whether the owner of the destination has signed in in this browser before. */
  readonly isKnownDevice: boolean;
  /** The signed-in person, for `setPhone`. */
  readonly askedBy: string | null;
  readonly ip: string;
  readonly locale: string;
  readonly now: Date;
}

/** Requests a code. Whether the destination belongs to a user is not checked here, so the response can't reveal it. */
export const requestCode = async (db: Db, request: CodeRequest): Promise<void> => {
  await run(
    db,
    sql`insert into one_time_code
          (purpose, destination, channel, visitor_hash, known_device, asked_by, ip, locale, requested_at)
        values (${request.purpose}, ${request.destination}, ${request.channel}, ${request.visitorHash},
                ${request.isKnownDevice}, ${request.askedBy}, ${request.ip}::inet, ${request.locale}, ${request.now})
        on conflict (purpose, destination, visitor_hash) do update set
          channel = excluded.channel, known_device = excluded.known_device, asked_by = excluded.asked_by,
          ip = excluded.ip, locale = excluded.locale, requested_at = excluded.requested_at, user_id = null,
          code_hash = null, expires_at = null, tries = 0, used_at = null, grant_hash = null, grant_expires_at = null`,
  );
};

export interface RequestedCode extends VisitorCodeKey {
  readonly channel: CodeChannel;
  readonly isKnownDevice: boolean;
  readonly askedBy: string | null;
  readonly ip: string | null;
  readonly locale: string;
}

/**
 * Takes a request that waits for its code, locked until the transaction ends. Requests older than `maxAgeMs` are
 * abandoned.
 */
export const takeRequestedCode = (tx: Db, now: Date, maxAgeMs: number): Promise<RequestedCode | null> =>
  maybe<RequestedCode>(
    tx,
    sql`select purpose, destination, channel, visitor_hash as "visitorHash", known_device as "isKnownDevice",
               asked_by as "askedBy", host(ip) as ip, locale
        from one_time_code where code_hash is null and requested_at > ${new Date(now.getTime() - maxAgeMs)}
        order by requested_at limit 1 for update skip locked`,
  );

/** `userId` null: no user, or not sent. Such a row has a hash as well, and is compared like any other. */
export const fillCode = (
  tx: Db,
  { purpose, destination, visitorHash }: VisitorCodeKey,
  code: { userId: string | null; codeHash: Buffer; expiresAt: Date },
): Promise<number> =>
  run(
    tx,
    sql`update one_time_code set user_id = ${code.userId}, code_hash = ${code.codeHash}, expires_at = ${code.expiresAt}
        where purpose = ${purpose} and destination = ${destination} and visitor_hash = ${visitorHash}`,
  );

/** Whether this very session asked for a code to this destination since then. */
export const hasAskedForCode = async (
  db: Db,
  { purpose, destination, visitorHash }: VisitorCodeKey,
  by: { askedBy: string; since: Date },
): Promise<boolean> =>
  (await maybe(
    db,
    sql`select 1 from one_time_code
        where purpose = ${purpose} and destination = ${destination} and visitor_hash = ${visitorHash}
          and asked_by = ${by.askedBy} and requested_at > ${by.since}`,
  )) !== null;

export interface TriedCode {
  readonly codeHash: Buffer;
  readonly userId: string | null;
  /** The address that asked for it. */
  readonly askedFrom: string | null;
  readonly isKnownDevice: boolean;
}

/**
 * Counts an attempt of the requesting browser before anything is compared: of many concurrent attempts, only as many
 * get the hash to compare with as attempts are left. Commits separately, so run it on the pool.
 */
export const countCodeTry = (
  db: Db,
  { purpose, destination, visitorHash }: VisitorCodeKey,
  by: { maxTries: number; now: Date },
): Promise<TriedCode | null> =>
  maybe<TriedCode>(
    db,
    sql`update one_time_code set tries = tries + 1
        where purpose = ${purpose} and destination = ${destination} and visitor_hash = ${visitorHash}
          and code_hash is not null and used_at is null and tries < ${by.maxTries} and expires_at > ${by.now}
        returning code_hash as "codeHash", user_id as "userId", host(ip) as "askedFrom",
                  known_device as "isKnownDevice"`,
  );

/** Whether this call is the one that uses the code up. */
export const useCode = async (
  tx: Db,
  { purpose, destination, visitorHash }: VisitorCodeKey,
  codeHash: Buffer,
  now: Date,
): Promise<boolean> =>
  (await run(
    tx,
    sql`update one_time_code set used_at = ${now}
        where purpose = ${purpose} and destination = ${destination} and visitor_hash = ${visitorHash}
          and code_hash = ${codeHash} and used_at is null`,
  )) === 1;

/** Lets the browser that used the code up go on to a second step. */
export const grantByCode = (
  tx: Db,
  { purpose, destination, visitorHash }: VisitorCodeKey,
  grant: { hash: Buffer; expiresAt: Date },
): Promise<number> =>
  run(
    tx,
    sql`update one_time_code set grant_hash = ${grant.hash}, grant_expires_at = ${grant.expiresAt}
        where purpose = ${purpose} and destination = ${destination} and visitor_hash = ${visitorHash}
          and used_at is not null`,
  );

/**
 * Returns the user of the grant, for this browser; null: none, too late, or another browser's. It remains until
 * `endGrant`.
 */
export const findGrant = async (db: Db, hash: Buffer, visitorHash: Buffer, now: Date): Promise<string | null> =>
  (
    await maybe<{ userId: string }>(
      db,
      sql`select user_id as "userId" from one_time_code
          where grant_hash = ${hash} and visitor_hash = ${visitorHash} and grant_expires_at > ${now} and user_id is not null`,
    )
  )?.userId ?? null;

/** Whether this call is the one that uses the grant up. */
export const endGrant = async (tx: Db, hash: Buffer): Promise<boolean> =>
  (await run(tx, sql`delete from one_time_code where grant_hash = ${hash}`)) === 1;

/** Invalidates pending codes and grants of this user: the password was changed. */
export const endUserCodes = (tx: Db, userId: string): Promise<number> =>
  run(tx, sql`delete from one_time_code where user_id = ${userId} or asked_by = ${userId}`);

export const sweepCodes = (db: Db, now: Date, olderThanMs: number): Promise<number> =>
  run(db, sql`delete from one_time_code where requested_at < ${new Date(now.getTime() - olderThanMs)}`);

/** A user that may get a code: the user and its customer are both enabled. */
export interface CodeOwner {
  userId: string;
  customerId: string | null;
  account: string;
  email: string;
  msisdn: string | null;
}

/** Returns the user of the destination; or, if a signed-in user asked, that user. */
export const findCodeOwner = (
  db: Db,
  { channel, destination, askedBy }: Pick<RequestedCode, 'channel' | 'destination' | 'askedBy'>,
): Promise<CodeOwner | null> => {
  const isTheirs =
    askedBy !== null
      ? sql`u.user_id = ${askedBy}`
      : channel === 'email'
        ? sql`u.email = ${destination}`
        : sql`u.msisdn = ${destination}`;
  return maybe<CodeOwner>(
    db,
    sql`select u.user_id as "userId", u.customer_id as "customerId", u.account, u.email, u.msisdn
        from app_user u left join customer c using (customer_id)
        where ${isTheirs} and u.use_state = ${useState.Enabled} and coalesce(c.use_state, 1) = 1`,
  );
};
