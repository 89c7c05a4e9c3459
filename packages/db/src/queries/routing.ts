/** Control rows that decide where a message goes and what it costs. */
import { useState } from '../literals.ts';
import { type Db, many, sql } from '../sql.ts';

export interface PrefixRow {
  prefix: string;
  areaCode: string;
  carrier: string;
}

export interface RouteRow {
  routeId: string;
  supplierId: string;
  areaCode: string;
  /** null: any carrier. */
  carrier: string | null;
  smsType: number | null;
  weight: number;
  priority: number;
}

export interface PriceRow {
  areaCode: string;
  carrier: string | null;
  smsType: number | null;
  customerId: string | null;
  /** 1/10,000 PHP a segment. */
  price: number;
}

export interface RoutingRows {
  prefixes: PrefixRow[];
  /** Enabled ones to enabled suppliers. */
  routes: RouteRow[];
  prices: PriceRow[];
  /** Customers that are never charged. */
  internalCustomers: string[];
  /** By application: those that may send elsewhere than to the Philippines alone. */
  countries?: readonly { appId: string; countries: readonly string[] }[];
  /** Suppliers to which nothing gets through now. */
  failingSuppliers?: readonly string[];
  /** Suppliers that are being probed or lost their binds a moment ago: codes take other routes. */
  failingForCodes?: readonly string[];
}

export const loadRouting = async (db: Db): Promise<RoutingRows> => {
  const prefixes = await many<PrefixRow>(db, sql`select prefix, area_code as "areaCode", carrier from prefix`);
  const routes = await many<RouteRow>(
    db,
    sql`select r.route_id as "routeId", r.supplier_id as "supplierId", r.area_code as "areaCode", r.carrier,
               r.sms_type as "smsType", r.weight, r.priority
        from route r join supplier s using (supplier_id)
        where r.use_state = ${useState.Enabled} and s.use_state = ${useState.Enabled} and r.deleted_at is null
        order by r.route_id`,
  );
  const prices = await many<PriceRow>(
    db,
    sql`select area_code as "areaCode", carrier, sms_type as "smsType", customer_id as "customerId", price from price`,
  );
  const internal = await many<{ id: string }>(db, sql`select customer_id as id from customer where internal`);
  const countries = await many<{ appId: string; countries: string[] }>(
    db,
    sql`select x.app_id as "appId", a.countries from application x join application a on a.app_id = coalesce(x.test_of, x.app_id)
        where a.countries <> '{PH}'`,
  );
  const failing = await many<{ id: string }>(
    db,
    sql`select supplier_id as id from supplier_health where failed_since is not null
        union select supplier_id from supplier_breaker where state = 'open' order by id`,
  );
  const failingForCodes = await many<{ id: string }>(
    db,
    sql`select supplier_id as id from supplier_breaker where state = 'halfOpen'
        union select supplier_id from supplier_health where codes_failed_since is not null order by id`,
  );
  return {
    prefixes,
    routes,
    prices,
    internalCustomers: internal.map((row) => row.id),
    countries,
    failingSuppliers: failing.map((row) => row.id),
    failingForCodes: failingForCodes.map((row) => row.id),
  };
};

/** Prices of some countries; locked, so that none of them is removed before a country is opened with it. */
export const listCountryPrices = (db: Db, areaCodes: readonly string[]): Promise<PriceRow[]> =>
  many<PriceRow>(
    db,
    sql`select area_code as "areaCode", carrier, sms_type as "smsType", customer_id as "customerId", price from price
        where area_code = any(${areaCodes}) for share`,
  );

/** Prices per segment, 1/10,000 PHP, as they were when a task was checked; keys are `priceKey`'s. */
export type FrozenPrices = Readonly<Record<string, number>>;

/** The key of a country and a carrier among frozen prices. */
export const priceKey = (areaCode: string, carrier: string | null): string => `${areaCode}|${carrier ?? ''}`;
