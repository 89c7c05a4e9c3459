/** Browsers in which a person has signed in before; all ids here are SHA-256 of what the browser holds. */
import { type Db, maybe, run, sql } from '../sql.ts';

const devicesPerUser = 20;

export const isKnownDevice = async (db: Db, userId: string, deviceHash: Buffer): Promise<boolean> =>
  (await maybe(
    db,
    sql`select 1 as found from known_device where user_id = ${userId} and device_hash = ${deviceHash}`,
  )) !== null;

/** The same for the user that a code would be sent to, which is not looked up otherwise. */
export const isKnownDeviceAt = async (db: Db, destination: string, deviceHash: Buffer): Promise<boolean> =>
  (await maybe(
    db,
    sql`select 1 as found from app_user u join known_device d using (user_id)
        where ${destination.includes('@') ? sql`u.email = ${destination}` : sql`u.msisdn = ${destination}`}
          and d.device_hash = ${deviceHash}`,
  )) !== null;

/** Returns a user that has signed in in this browser. */
export const findDeviceUser = async (db: Db, deviceHash: Buffer): Promise<string | null> =>
  (
    await maybe<{ userId: string }>(
      db,
      sql`select user_id as "userId" from known_device where device_hash = ${deviceHash} order by last_used_at desc limit 1`,
    )
  )?.userId ?? null;

/** Whether a user that has signed in before is using a browser not seen yet. Call before the sign-in is recorded. */
export const isNewDevice = async (db: Db, userId: string, deviceHash: Buffer): Promise<boolean> =>
  (await maybe(
    db,
    sql`select 1 as found from app_user u where u.user_id = ${userId} and u.last_sign_in_at is not null
          and not exists (select from known_device d where d.user_id = u.user_id and d.device_hash = ${deviceHash})`,
  )) !== null;

/** Remembers a device; the longest unused beyond twenty are forgotten. */
export const rememberDevice = async (db: Db, userId: string, deviceHash: Buffer, now: Date): Promise<void> => {
  await run(
    db,
    sql`insert into known_device (user_id, device_hash, created_at, last_used_at) values (${userId}, ${deviceHash}, ${now}, ${now})
        on conflict (user_id, device_hash) do update set last_used_at = excluded.last_used_at`,
  );
  await run(
    db,
    sql`delete from known_device d where user_id = ${userId} and device_hash in (
          select device_hash from known_device where user_id = ${userId} order by last_used_at desc offset ${devicesPerUser})`,
  );
};

/** Forgets all devices of a person: for a password that was reset. */
export const forgetDevices = (db: Db, userId: string): Promise<number> =>
  run(db, sql`delete from known_device where user_id = ${userId}`);
