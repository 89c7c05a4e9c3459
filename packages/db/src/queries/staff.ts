/** The provider's own people. */
import type { Role } from '@pahatid/contract';
import { type PageOrder, pageBy } from '../keyset.ts';
import { type Db, many, maybe, sql } from '../sql.ts';

export interface StaffRow {
  userId: string;
  account: string;
  name: string;
  email: string;
  role: Extract<Role, 'reviewer' | 'operator' | 'admin'>;
  useState: 0 | 1;
  createTime: Date;
  lastSignInTime: Date | null;
}

const columns = sql`user_id as "userId", account, name, email, role, use_state as "useState", created_at as "createTime",
  last_sign_in_at as "lastSignInTime"`;

export const pageStaff = (db: Db, page: PageOrder & { limit: number }): Promise<(StaffRow & { nameKey: string })[]> => {
  const { past, orderBy } = pageBy(
    [
      [sql`lower(name)`, 'text'],
      [sql`user_id`, 'uuid'],
    ],
    page,
  );
  return many<StaffRow & { nameKey: string }>(
    db,
    sql`select ${columns}, lower(name) as "nameKey" from app_user
        where customer_id is null and removed_at is null and ${past} order by ${orderBy} limit ${page.limit}`,
  );
};

/** A provider has tens of staff; this is only a safety bound. */
const most = 500;

/** Returns all of them. */
export const listStaff = (db: Db): Promise<StaffRow[]> =>
  pageStaff(db, { isDescending: false, after: null, limit: most });

export const findStaff = (db: Db, userId: string): Promise<StaffRow | null> =>
  maybe<StaffRow>(
    db,
    sql`select ${columns} from app_user where user_id = ${userId} and customer_id is null and removed_at is null`,
  );
