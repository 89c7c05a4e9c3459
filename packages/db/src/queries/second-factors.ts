/** A user's factors in addition to a password. Never run in a customer's scope: user rows belong to no customer. */
import { type Db, many, maybe, one, run, sql } from '../sql.ts';

export interface SecondFactors {
  /** An authenticator app that was confirmed by a code. */
  hasTotp: boolean;
  totpSince: Date | null;
  recoveryCodesLeft: number;
  passkeyCount: number;
}

export const findSecondFactors = (db: Db, userId: string): Promise<SecondFactors> =>
  one<SecondFactors>(
    db,
    sql`select t.confirmed_at is not null as "hasTotp", t.confirmed_at as "totpSince",
               (select count(*)::int from recovery_code r where r.user_id = u.user_id and r.used_at is null) as "recoveryCodesLeft",
               (select count(*)::int from passkey p where p.user_id = u.user_id) as "passkeyCount"
        from app_user u left join totp t on t.user_id = u.user_id and t.confirmed_at is not null
        where u.user_id = ${userId}`,
  );

/**
 * Whether the user's customer requires a second factor of everyone; false for staff, for which the installation
 * decides.
 */
export const isTwoFactorRequired = async (db: Db, userId: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`select 1 from app_user u join customer c using (customer_id) where u.user_id = ${userId} and c.require_two_factor`,
  )) !== null;

/** Locks out other changes to this user's factors until the transaction ends. */
export const lockUser = (db: Db, userId: string): Promise<number> =>
  run(db, sql`select from app_user where user_id = ${userId} for update`);

/** The sessions that waited for a second factor open everything from now on. */
export const endEnrolment = (db: Db, userId: string): Promise<number> =>
  run(db, sql`update session set enrol_first = false where user_id = ${userId} and enrol_first`);

export interface Totp {
  seedSealed: string;
  isConfirmed: boolean;
}

export const findTotp = (db: Db, userId: string): Promise<Totp | null> =>
  maybe<Totp>(
    db,
    sql`select seed_sealed as "seedSealed", confirmed_at is not null as "isConfirmed" from totp where user_id = ${userId}`,
  );

/** Replaces an unconfirmed seed with another; returns false if a confirmed one is in force. */
export const proposeTotp = async (db: Db, userId: string, seedSealed: string, now: Date): Promise<boolean> =>
  (await run(
    db,
    sql`insert into totp as t (user_id, seed_sealed, created_at) values (${userId}, ${seedSealed}, ${now})
        on conflict (user_id) do update set seed_sealed = excluded.seed_sealed, created_at = excluded.created_at, last_counter = 0
          where t.confirmed_at is null`,
  )) === 1;

/** Of several concurrent confirmations of the same seed, one succeeds. */
export const confirmTotp = async (
  db: Db,
  userId: string,
  seedSealed: string,
  counter: number,
  now: Date,
): Promise<boolean> =>
  (await run(
    db,
    sql`update totp set confirmed_at = ${now}, last_counter = ${counter}
        where user_id = ${userId} and seed_sealed = ${seedSealed} and confirmed_at is null`,
  )) === 1;

/** Consumes the code of a time step; returns false if it, or a later one, was used before. */
export const takeTotpCounter = async (db: Db, userId: string, counter: number): Promise<boolean> =>
  (await run(
    db,
    sql`update totp set last_counter = ${counter}
        where user_id = ${userId} and confirmed_at is not null and last_counter < ${counter}`,
  )) === 1;

export const deleteTotp = async (db: Db, userId: string): Promise<boolean> => {
  const gone = await run(db, sql`delete from totp where user_id = ${userId} and confirmed_at is not null`);
  return gone === 1;
};

export interface DeletedFactors {
  totp: boolean;
  passkeys: number;
  recoveryCodes: number;
}

/** Deletes all of a user's factors other than the password, including an authenticator app not confirmed yet. */
export const deleteFactors = (db: Db, userId: string): Promise<DeletedFactors> =>
  one<DeletedFactors>(
    db,
    sql`with apps as (delete from totp where user_id = ${userId} returning confirmed_at),
             keys as (delete from passkey where user_id = ${userId} returning 1),
             codes as (delete from recovery_code where user_id = ${userId} returning used_at)
        select exists (select from apps where confirmed_at is not null) as totp, (select count(*)::int from keys) as passkeys,
               (select count(*)::int from codes where used_at is null) as "recoveryCodes"`,
  );

/** Which of these people have an authenticator app or a passkey. */
export const findTwoFactorUsers = async (db: Db, userIds: readonly string[]): Promise<Set<string>> => {
  const rows = await many<{ userId: string }>(
    db,
    sql`select user_id as "userId" from totp where user_id = any(${userIds}::uuid[]) and confirmed_at is not null
        union select user_id from passkey where user_id = any(${userIds}::uuid[])`,
  );
  return new Set(rows.map(({ userId }) => userId));
};

/** New recovery codes in place of all there were. */
export const replaceRecoveryCodes = async (db: Db, userId: string, hashes: readonly Buffer[]): Promise<void> => {
  await run(db, sql`delete from recovery_code where user_id = ${userId}`);
  await run(
    db,
    sql`insert into recovery_code (user_id, code_hash) select ${userId}::uuid, hash from unnest(${hashes}::bytea[]) as hash`,
  );
};

/** Consumes a recovery code; returns false if it does not exist or was used before. */
export const takeRecoveryCode = async (db: Db, userId: string, hash: Buffer, now: Date): Promise<boolean> =>
  (await run(
    db,
    sql`update recovery_code set used_at = ${now} where user_id = ${userId} and code_hash = ${hash} and used_at is null`,
  )) === 1;

export interface PasskeyRow {
  passkeyId: string;
  userId: string;
  name: string;
  credentialId: string;
  publicKey: Buffer;
  signCount: number;
  transports: string[];
  backedUp: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const passkeyColumns = sql`passkey_id as "passkeyId", user_id as "userId", name, credential_id as "credentialId",
  public_key as "publicKey", sign_count::float8 as "signCount", transports, backed_up as "backedUp", created_at as "createdAt",
  last_used_at as "lastUsedAt"`;

export const listPasskeys = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  many<PasskeyRow>(
    db,
    sql`select ${passkeyColumns} from passkey where user_id = ${userId} order by created_at, passkey_id`,
  );

export const findPasskeyByCredential = (db: Db, credentialId: string): Promise<PasskeyRow | null> =>
  maybe<PasskeyRow>(db, sql`select ${passkeyColumns} from passkey where credential_id = ${credentialId}`);

export const insertPasskey = async (db: Db, row: Omit<PasskeyRow, 'lastUsedAt'>): Promise<void> => {
  await run(
    db,
    sql`insert into passkey (passkey_id, user_id, name, credential_id, public_key, sign_count, transports, backed_up, created_at)
        values (${row.passkeyId}, ${row.userId}, ${row.name}, ${row.credentialId}, ${row.publicKey}, ${row.signCount},
                ${row.transports}, ${row.backedUp}, ${row.createdAt})`,
  );
};

/**
 * Records a use; returns false if another response with the same count, or a later one, came first, or the passkey is
 * deleted.
 */
export const takePasskey = async (db: Db, passkeyId: string, signCount: number, now: Date): Promise<boolean> =>
  (await run(
    db,
    sql`update passkey set sign_count = ${signCount}, last_used_at = ${now}
        where passkey_id = ${passkeyId} and (sign_count < ${signCount} or (sign_count = 0 and ${signCount} = 0))`,
  )) === 1;

/** Returns the previous name, or null if the user has no such passkey. */
export const renamePasskey = async (
  db: Db,
  userId: string,
  passkeyId: string,
  name: string,
): Promise<string | null> => {
  const row = await maybe<{ name: string }>(
    db,
    sql`update passkey p set name = ${name} from passkey before
        where p.passkey_id = ${passkeyId} and p.user_id = ${userId} and before.passkey_id = p.passkey_id
        returning before.name`,
  );
  return row?.name ?? null;
};

/** Returns the name of the removed passkey, or null if the user has no such passkey. */
export const deletePasskey = async (db: Db, userId: string, passkeyId: string): Promise<string | null> => {
  const row = await maybe<{ name: string }>(
    db,
    sql`delete from passkey where passkey_id = ${passkeyId} and user_id = ${userId} returning name`,
  );
  return row?.name ?? null;
};
