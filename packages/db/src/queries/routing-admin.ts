/** Routes and prices as staff see and change them. */
import type { SmsType, UseState } from '@pahatid/contract';
import { pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';

export interface RouteView {
  routeId: string;
  routeName: string;
  areaCode: string;
  carrier: string | null;
  smsType: SmsType | null;
  supplierId: string;
  supplierAccount: string;
  priority: number;
  weight: number;
  useState: UseState;
  version: number;
  createTime: Date;
  updateTime: Date;
  nameKey: string;
}

const columns = sql.raw(
  `r.route_id as "routeId", r.route_name as "routeName", r.area_code as "areaCode", r.carrier, r.sms_type as "smsType",
   r.supplier_id as "supplierId", s.supplier_account as "supplierAccount", r.priority, r.weight, r.use_state as "useState",
   r.version, r.created_at as "createTime", r.updated_at as "updateTime",
   lower(r.route_name) as "nameKey"`,
);
const source = sql`route r join supplier s using (supplier_id)`;

export interface RouteFilter {
  search?: string | undefined;
  supplierId?: string | undefined;
  carrier?: string | undefined;
  useState?: UseState | undefined;
  /** Key of the last row seen: what `keyOfRoute` gives. */
  after?: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const conditionsOf = ({ search, supplierId, carrier, useState }: RouteFilter): Fragment<unknown> => {
  const conditions: Fragment<unknown>[] = [sql`r.deleted_at is null`];
  if (search)
    conditions.push(sql`(r.route_name ilike ${contains(search)} or s.supplier_account ilike ${contains(search)})`);
  if (supplierId !== undefined) conditions.push(sql`r.supplier_id = ${supplierId}`);
  if (carrier !== undefined) conditions.push(sql`r.carrier = ${carrier}`);
  if (useState !== undefined) conditions.push(sql`r.use_state = ${useState}`);
  return sql.join(conditions, sql` and `);
};

/** A cursor's numbers have no sign. */
const PRIORITY_BASE = 1_000_000;

/** The highest priority first, then by name. */
export const keyOfRoute = (row: RouteView): string[] => [
  String(PRIORITY_BASE - row.priority),
  row.nameKey,
  row.routeId,
];

export const listRouteViews = (db: Db, filter: RouteFilter): Promise<RouteView[]> => {
  const { past, orderBy } = pageBy(
    [
      [sql`(${PRIORITY_BASE}::int - r.priority)`, 'int'],
      [sql`lower(r.route_name)`, 'text'],
      [sql`r.route_id`, 'uuid'],
    ],
    { isDescending: filter.isReversed === true, after: filter.after },
  );
  return many<RouteView>(
    db,
    sql`select ${columns} from ${source} where ${conditionsOf(filter)} and ${past}
        order by ${orderBy} limit ${filter.limit}`,
  );
};

export const countRoutes = async (db: Db, filter: RouteFilter): Promise<number> => {
  const { total } = await one<{ total: number }>(
    db,
    sql`select count(*)::int as total from ${source} where ${conditionsOf(filter)}`,
  );
  return total;
};

export const findRouteView = (db: Db, routeId: string): Promise<RouteView | null> =>
  maybe<RouteView>(db, sql`select ${columns} from ${source} where r.route_id = ${routeId} and r.deleted_at is null`);

export interface RouteFields {
  routeName: string;
  areaCode: string;
  carrier: string | null;
  smsType: SmsType | null;
  supplierId: string;
  priority: number;
  weight: number;
}

/** Throws a unique violation of `route_name_live` or a foreign key violation of `route_supplier_id_fkey`. */
export const insertRoute = async (db: Db, routeId: string, fields: RouteFields): Promise<void> => {
  await run(
    db,
    sql`insert into route (route_id, route_name, area_code, carrier, sms_type, supplier_id, priority, weight)
        values (${routeId}, ${fields.routeName}, ${fields.areaCode}, ${fields.carrier}, ${fields.smsType},
                ${fields.supplierId}, ${fields.priority}, ${fields.weight})`,
  );
};

const columnOf: Record<keyof RouteFields, string> = {
  routeName: 'route_name',
  areaCode: 'area_code',
  carrier: 'carrier',
  smsType: 'sms_type',
  supplierId: 'supplier_id',
  priority: 'priority',
  weight: 'weight',
};

const touched = [sql`version = version + 1`, sql`updated_at = now()`];

/** Returns false if the version is no longer the one that was seen. */
export const updateRoute = async (
  db: Db,
  routeId: string,
  version: number,
  change: Partial<RouteFields>,
): Promise<boolean> => {
  const sets = Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => sql`${sql.ref(columnOf[key as keyof RouteFields])} = ${value}`);
  const changed = await run(
    db,
    sql`update route set ${sql.join([...sets, ...touched])}
        where route_id = ${routeId} and version = ${version} and deleted_at is null`,
  );
  return changed === 1;
};

/** Returns false if it is already in that state. */
export const switchRoute = async (db: Db, routeId: string, useState: UseState): Promise<boolean> =>
  (await run(
    db,
    sql`update route set use_state = ${useState}, ${sql.join(touched)}
        where route_id = ${routeId} and use_state <> ${useState} and deleted_at is null`,
  )) === 1;

/** Returns false if it is already deleted. */
export const removeRoute = async (db: Db, routeId: string): Promise<boolean> =>
  (await run(
    db,
    sql`update route set deleted_at = now(), ${sql.join(touched)} where route_id = ${routeId} and deleted_at is null`,
  )) === 1;

export interface PriceView {
  priceId: string;
  areaCode: string;
  carrier: string | null;
  smsType: SmsType | null;
  customerId: string | null;
  /** Name of the customer. */
  operator: string | null;
  /** 1/10,000 PHP a segment. */
  price: number;
  version: number;
}

const priceColumns = sql.raw(
  `p.price_id as "priceId", p.area_code as "areaCode", p.carrier, p.sms_type as "smsType", p.customer_id as "customerId",
   c.customer_name as operator, p.price, p.version`,
);
const priceSource = sql`price p left join customer c using (customer_id)`;

export interface PriceFilter {
  customerId?: string | undefined;
  carrier?: string | undefined;
  /** Id of the last row seen. */
  after?: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

const priceConditions = ({ customerId, carrier }: PriceFilter): Fragment<unknown> => {
  const conditions: Fragment<unknown>[] = [sql`true`];
  if (customerId !== undefined) conditions.push(sql`p.customer_id = ${customerId}`);
  if (carrier !== undefined) conditions.push(sql`p.carrier = ${carrier}`);
  return sql.join(conditions, sql` and `);
};

/** In the order they were made: ids begin with the time. */
export const listPriceViews = (db: Db, filter: PriceFilter): Promise<PriceView[]> => {
  const order = { isDescending: filter.isReversed === true, after: filter.after };
  const { past, orderBy } = pageBy([[sql`p.price_id`, 'uuid']], order);
  return many<PriceView>(
    db,
    sql`select ${priceColumns} from ${priceSource} where ${priceConditions(filter)}
          and ${past} order by ${orderBy} limit ${filter.limit}`,
  );
};

export const countPrices = async (db: Db, filter: PriceFilter): Promise<number> => {
  const { total } = await one<{ total: number }>(
    db,
    sql`select count(*)::int as total from price p where ${priceConditions(filter)}`,
  );
  return total;
};

export const findPriceView = (db: Db, priceId: string): Promise<PriceView | null> =>
  maybe<PriceView>(db, sql`select ${priceColumns} from ${priceSource} where p.price_id = ${priceId}`);

/** Throws a unique violation of `price_unique` or a foreign key violation of `price_customer_id_fkey`. */
export const insertPrice = async (db: Db, row: Omit<PriceView, 'operator' | 'version'>): Promise<void> => {
  await run(
    db,
    sql`insert into price (price_id, area_code, carrier, sms_type, customer_id, price)
        values (${row.priceId}, ${row.areaCode}, ${row.carrier}, ${row.smsType}, ${row.customerId}, ${row.price})`,
  );
};

/** Returns false if the version is no longer the one that was seen. */
export const updatePrice = async (db: Db, priceId: string, version: number, price: number): Promise<boolean> =>
  (await run(
    db,
    sql`update price set price = ${price}, version = version + 1 where price_id = ${priceId} and version = ${version}`,
  )) === 1;

/** Returns false if it is already deleted. */
export const removePrice = async (db: Db, priceId: string): Promise<boolean> =>
  (await run(db, sql`delete from price where price_id = ${priceId}`)) === 1;
