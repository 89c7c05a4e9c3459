/** The provider's own people. */
import type { Role } from '@pahatid/contract';
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

/** A provider has tens of staff; this is only a safety bound. */
const most = 500;

export const listStaff = (db: Db): Promise<StaffRow[]> =>
  many<StaffRow>(
    db,
    sql`select ${columns} from app_user where customer_id is null and removed_at is null
        order by lower(name), user_id limit ${most}`,
  );

export const findStaff = (db: Db, userId: string): Promise<StaffRow | null> =>
  maybe<StaffRow>(
    db,
    sql`select ${columns} from app_user where user_id = ${userId} and customer_id is null and removed_at is null`,
  );
