/** Limits on one customer's traffic, as staff see and set them. */

import type { CustomerLimit } from '@pahatid/contract';
import { useState } from '../literals.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';

const columns = sql.raw(
  `threshold_id as "thresholdId", kind, set_by as "setBy", app_id as "appId", area_code as "areaCode", carrier,
   sms_type as "smsType", same_content_per_30s as "sameContentPer30s", per_minute as "perMinute", per_hour as "perHour",
   per_day as "perDay", period, unit, limit_at::float8 as "limitAt"`,
);

/** Those in use. */
export const listCustomerLimits = (db: Db, customerId: string): Promise<CustomerLimit[]> =>
  many<CustomerLimit>(
    db,
    sql`select ${columns} from threshold where customer_id = ${customerId} and use_state = ${useState.Enabled}
          and (kind = 'frequency' or (kind = 'volume' and limit_at is not null)) order by threshold_id limit 200`,
  );

/** Set by staff; throws a foreign key violation of `threshold_app_id_fkey`. */
export const insertCustomerLimit = async (
  db: Db,
  customerId: string,
  limit: Omit<CustomerLimit, 'setBy'>,
): Promise<void> => {
  await run(
    db,
    sql`insert into threshold (threshold_id, customer_id, kind, set_by, app_id, area_code, carrier, sms_type,
          same_content_per_30s, per_minute, per_hour, per_day, period, unit, limit_at)
        values (${limit.thresholdId}, ${customerId}, ${limit.kind}, 'staff', ${limit.appId}, ${limit.areaCode}, ${limit.carrier},
          ${limit.smsType}, ${limit.sameContentPer30s}, ${limit.perMinute}, ${limit.perHour}, ${limit.perDay},
          ${limit.period}, ${limit.unit}, ${limit.limitAt})`,
  );
};

/** Removes a limit set by staff; returns null if there is none. */
export const deleteCustomerLimit = (db: Db, customerId: string, thresholdId: string): Promise<CustomerLimit | null> =>
  maybe<CustomerLimit>(
    db,
    sql`delete from threshold where customer_id = ${customerId} and threshold_id = ${thresholdId} and set_by = 'staff'
        returning ${columns}`,
  );
