/** What prices were and will be: a row for each change that was made, and for each that waits for its time. */
import type { SmsType } from '@pahatid/contract';
import { uuidV7 } from '../ids.ts';
import { pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';

/** The scope a price applies to. */
export interface PriceScope {
  areaCode: string;
  carrier: string | null;
  smsType: SmsType | null;
  customerId: string | null;
}

export interface PriceChangeView extends PriceScope {
  changeId: string;
  operator: string | null;
  /** 1/10,000 PHP a segment; null: it ended. */
  price: number | null;
  effectiveTime: Date;
  planned: boolean;
  account: string | null;
  createTime: Date;
  /** Key of paging: the instant to the microsecond. */
  timeKey: string;
}

/** Notes a change that was made now, in the same transaction. */
export const notePriceChange = async (
  tx: Db,
  scope: PriceScope,
  price: number | null,
  account: string | null,
): Promise<void> => {
  await run(
    tx,
    sql`insert into price_change (change_id, area_code, carrier, sms_type, customer_id, price, effective_at, applied_at, account)
        values (${uuidV7()}, ${scope.areaCode}, ${scope.carrier}, ${scope.smsType}, ${scope.customerId}, ${price},
                ${dbNow()}, ${dbNow()}, ${account})`,
  );
};

/** Throws a unique violation of `price_change_once`: one is planned for then already. */
export const planPriceChange = async (
  db: Db,
  change: PriceScope & { changeId: string; price: number; effectiveTime: Date; account: string | null },
): Promise<void> => {
  await run(
    db,
    sql`insert into price_change (change_id, area_code, carrier, sms_type, customer_id, price, effective_at, account)
        values (${change.changeId}, ${change.areaCode}, ${change.carrier}, ${change.smsType}, ${change.customerId},
                ${change.price}, ${change.effectiveTime}, ${change.account})`,
  );
};

/** Returns false if no such change is pending. */
export const withdrawPriceChange = async (db: Db, changeId: string): Promise<boolean> =>
  (await run(db, sql`delete from price_change where change_id = ${changeId} and applied_at is null`)) === 1;

const columns = sql.raw(
  `h.change_id as "changeId", h.area_code as "areaCode", h.carrier, h.sms_type as "smsType", h.customer_id as "customerId",
   c.customer_name as operator, h.price, h.effective_at as "effectiveTime", h.applied_at is null as planned, h.account,
   h.created_at as "createTime", (h.effective_at at time zone 'UTC')::text || '+00' as "timeKey"`,
);
const source = sql`price_change h left join customer c using (customer_id)`;

export interface PriceChangeFilter {
  planned?: boolean | undefined;
  customerId?: string | undefined;
  carrier?: string | undefined;
  areaCode?: string | undefined;
  smsType?: number | undefined;
  /** Key of the last row seen: `timeKey` and id. */
  after?: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

const conditionsOf = (filter: PriceChangeFilter): Fragment<unknown> => {
  const conditions: Fragment<unknown>[] = [sql`true`];
  if (filter.planned !== undefined) conditions.push(sql`(h.applied_at is null) = ${filter.planned}`);
  if (filter.customerId !== undefined) conditions.push(sql`h.customer_id = ${filter.customerId}`);
  if (filter.carrier !== undefined) conditions.push(sql`h.carrier = ${filter.carrier}`);
  if (filter.areaCode !== undefined) conditions.push(sql`h.area_code = ${filter.areaCode}`);
  if (filter.smsType !== undefined) conditions.push(sql`h.sms_type = ${filter.smsType}`);
  return sql.join(conditions, sql` and `);
};

/** Newest first, planned changes before all others. */
export const listPriceChanges = (db: Db, filter: PriceChangeFilter): Promise<PriceChangeView[]> => {
  const { past, orderBy } = pageBy(
    [
      [sql`h.effective_at`, 'timestamptz'],
      [sql`h.change_id`, 'uuid'],
    ],
    { isDescending: filter.isReversed !== true, after: filter.after },
  );
  return many<PriceChangeView>(
    db,
    sql`select ${columns} from ${source} where ${conditionsOf(filter)} and ${past}
        order by ${orderBy} limit ${filter.limit}`,
  );
};

export const countPriceChanges = async (db: Db, filter: PriceChangeFilter): Promise<number> => {
  const { total } = await one<{ total: number }>(
    db,
    sql`select count(*)::int as total from price_change h where ${conditionsOf(filter)}`,
  );
  return total;
};

export const findPriceChange = (db: Db, changeId: string): Promise<PriceChangeView | null> =>
  maybe<PriceChangeView>(db, sql`select ${columns} from ${source} where h.change_id = ${changeId}`);

/**
 * Applies planned prices whose time has come, oldest first; returns how many. Several processes may call it: each takes
 * rows that no other holds.
 */
export const applyDuePrices = async (tx: Db, offsetMs = 0): Promise<number> => {
  const due = await many<PriceScope & { changeId: string; price: number }>(
    tx,
    sql`select change_id as "changeId", area_code as "areaCode", carrier, sms_type as "smsType",
          customer_id as "customerId", price
        from price_change where applied_at is null and effective_at <= ${dbNow(offsetMs)}
        order by effective_at, change_id limit 500 for update skip locked`,
  );
  for (const each of due) {
    await run(
      tx,
      sql`insert into price as p (price_id, area_code, carrier, sms_type, customer_id, price)
          values (${uuidV7()}, ${each.areaCode}, ${each.carrier}, ${each.smsType}, ${each.customerId}, ${each.price})
          on conflict (area_code, carrier, sms_type, customer_id) do update
            set price = excluded.price, version = p.version + 1`,
    );
    await run(tx, sql`update price_change set applied_at = ${dbNow(offsetMs)} where change_id = ${each.changeId}`);
  }
  return due.length;
};
