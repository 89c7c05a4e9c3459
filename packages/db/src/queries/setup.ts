/** The setup link for the first admin: one at a time, and none if there is an admin. */
import { type Db, maybe, run, sql } from '../sql.ts';

export const hasAdmin = async (db: Db): Promise<boolean> =>
  (await maybe(db, sql`select 1 from app_user where role = 'admin' limit 1`)) !== null;

const demoEmails = ['demo', 'member', 'viewer', 'other', 'reviewer', 'operator', 'admin'].map(
  (name) => `${name}@pahatid.test`,
);

/** Whether the demo was seeded here: accounts, and secrets of applications, that everybody knows. */
export const hasDemoAccounts = async (db: Db): Promise<boolean> =>
  (await maybe(db, sql`select 1 from app_user where email = any(${demoEmails}::text[]) limit 1`)) !== null;

/** The user that visitors of a public demo read as; its password is random and stored only as its hash. */
export const visitorAccount = 'visitor';

export const findVisitorUser = async (db: Db): Promise<string | null> =>
  (
    await maybe<{ userId: string }>(
      db,
      sql`select user_id as "userId" from app_user where account = ${visitorAccount} and role = 'viewer'`,
    )
  )?.userId ?? null;

/** Whether the public demo was seeded here, or there is nothing that it could mix with. */
export const hasRoomForVisitors = async (db: Db): Promise<boolean> =>
  (await findVisitorUser(db)) !== null || (await maybe(db, sql`select 1 from customer limit 1`)) === null;

/** Puts this link in the place of any before it. */
export const replaceSetupLink = async (
  db: Db,
  link: { tokenHash: Buffer; now: Date; expiresAt: Date },
): Promise<void> => {
  await run(
    db,
    sql`insert into setup_link (token_hash, created_at, expires_at) values (${link.tokenHash}, ${link.now}, ${link.expiresAt})
        on conflict (only_one) do update
          set token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at`,
  );
};

export interface SetupLink {
  tokenHash: Buffer;
  expiresAt: Date;
}

const columns = sql`token_hash as "tokenHash", expires_at as "expiresAt"`;

export const findSetupLink = (db: Db): Promise<SetupLink | null> =>
  maybe<SetupLink>(db, sql`select ${columns} from setup_link`);

/** The same, locked until the transaction ends: of several concurrent uses, one at a time continues. */
export const lockSetupLink = (db: Db): Promise<SetupLink | null> =>
  maybe<SetupLink>(db, sql`select ${columns} from setup_link for update`);

export const removeSetupLink = (db: Db): Promise<number> => run(db, sql`delete from setup_link`);
