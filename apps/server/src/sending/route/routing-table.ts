/**
 * Route and price of a message, decided in memory: the control rows are few and every recipient needs them. A number's
 * first holder comes from the longest matching prefix; the route from the rules of `domain/routing`, without the
 * suppliers failing at present; among prices the most specific row wins.
 */
import { SmsType } from '@pahatid/contract/enums';
import { type Listening, listen, loadRouting, type PriceRow, type RouteRow, type RoutingRows } from '@pahatid/db';
import { ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import {
  chooseRoutes,
  type Destination,
  HOME_COUNTRY,
  isTestCustomer,
  pickByWeight,
  type RouteChoice,
  TEST_ROUTE,
  TEST_SUPPLIER,
} from '@pahatid/domain';
import type { Pool } from 'pg';

/** ₱0.35 per segment, if no row says otherwise; 1/10,000 PHP. */
export const DEFAULT_PRICE = 3_500;
/** Maximum age of the rows in memory: an edit takes effect within 5 s even if its notification was missed. */
const REFRESH_MS = 3_000;

export class NoRouteError extends Error {
  override name = 'NoRouteError';
}

export interface Route {
  readonly routeId: string;
  readonly supplierId: string;
}

/** Of all that test customers send: the carrier that is part of the program, whatever others there are. */
export const testRoute: Route = { routeId: TEST_ROUTE, supplierId: TEST_SUPPLIER };

export class RoutingTable {
  private readonly prefixes: ReadonlyMap<string, { carrier: string; areaCode: string }>;
  /** Lengths of prefixes that occur, longest first. */
  private readonly lengths: readonly number[];
  private readonly internal: ReadonlySet<string>;
  private readonly rows: RoutingRows;
  private readonly countries: ReadonlyMap<string, readonly string[]>;
  private readonly failing: ReadonlySet<string>;
  /** For codes: those that are being probed, or lost their binds a moment ago, fail as well. */
  private readonly failingForCodes: ReadonlySet<string>;
  private readonly choices = new Map<string, RouteChoice<RouteRow>>();
  private readonly prices = new Map<string, number>();

  constructor(rows: RoutingRows) {
    this.rows = rows;
    this.prefixes = new Map(rows.prefixes.map((row) => [row.prefix, row]));
    this.lengths = [...new Set(rows.prefixes.map((row) => row.prefix.length))].sort((a, b) => b - a);
    this.internal = new Set(rows.internalCustomers);
    this.countries = new Map(rows.countries?.map((row) => [row.appId, row.countries]));
    this.failing = new Set(rows.failingSuppliers);
    this.failingForCodes = new Set([...this.failing, ...(rows.failingForCodes ?? [])]);
  }

  static async load(pool: Pool): Promise<RoutingTable> {
    return new RoutingTable(await loadRouting(pool));
  }

  /** Returns the first holder of the number's range, or null; the number may have been ported since. */
  rangeHolder(msisdn: string): string | null {
    for (const length of this.lengths) {
      const found = this.prefixes.get(msisdn.slice(0, length));
      if (found !== undefined && msisdn.length > length) return found.carrier;
    }
    return null;
  }

  /** Throws `NoRouteError` if not even a default route exists. */
  route(areaCode: string, carrier: string | null, smsType: number, msisdn: string): Route {
    const { routes } = this.choose({ areaCode, carrier, smsType });
    // Chosen by number, so that a recipient keeps its route across messages.
    const route = pickByWeight(routes, msisdn);
    if (route === null) throw new NoRouteError(`no route for ${areaCode} ${carrier ?? 'any carrier'}`);
    return route;
  }

  /** The routes that share a destination by weight. */
  choose(to: Destination): RouteChoice<RouteRow> {
    const key = `${to.areaCode}\0${to.carrier ?? ''}\0${to.smsType}`;
    let choice = this.choices.get(key);
    if (choice === undefined) {
      const failing = to.smsType === SmsType.Verification ? this.failingForCodes : this.failing;
      choice = chooseRoutes(this.rows.routes, to, failing);
      this.choices.set(key, choice);
    }
    return choice;
  }

  /** Tables that route alike have equal ones. */
  get routingMark(): string {
    return JSON.stringify([this.rows.routes, [...this.failing], [...this.failingForCodes]]);
  }

  /** Whether the application may send to a country: it is open, and has a price. */
  mayReach(of: { appId: string; customerId: string; smsType: number }, areaCode: string, carrier: string | null) {
    const isOpen = (this.countries.get(of.appId) ?? [HOME_COUNTRY]).includes(areaCode);
    return isOpen && this.isPriced(areaCode, carrier, of.smsType, of.customerId);
  }

  /** Returns false if only the default price remains, which is a domestic one. */
  isPriced(areaCode: string, carrier: string | null, smsType: number, customerId: string): boolean {
    if (areaCode === HOME_COUNTRY || isTestCustomer(customerId)) return true;
    return findPrice(this.rows.prices, areaCode, carrier, smsType, customerId) !== null;
  }

  /** Price of a segment, 1/10,000 PHP. */
  price(areaCode: string, carrier: string | null, smsType: number, customerId: string): number {
    if (isTestCustomer(customerId) || this.internal.has(customerId)) return 0;
    const key = `${areaCode}\0${carrier ?? ''}\0${smsType}\0${customerId}`;
    let price = this.prices.get(key);
    if (price === undefined) {
      price = findPrice(this.rows.prices, areaCode, carrier, smsType, customerId) ?? DEFAULT_PRICE;
      this.prices.set(key, price);
    }
    return price;
  }
}

/** A table that is read again every few seconds: `current()` never waits for the database once it was read. */
export class RoutingCache {
  private readonly pool: Pool;
  private readonly refreshMs: number;
  private table: RoutingTable | null = null;
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<RoutingTable> | null = null;

  /** `refreshMs`: read again after so long where no word came. */
  constructor(pool: Pool, refreshMs = REFRESH_MS) {
    this.pool = pool;
    this.refreshMs = refreshMs;
  }

  async current(): Promise<RoutingTable> {
    const isFresh = performance.now() - this.readAt < this.refreshMs;
    if (this.table !== null && isFresh) return this.table;
    this.reading ??= this.read();
    // A stale table serves while the new one is read, and while the database is away.
    if (this.table === null) return await this.reading;
    this.reading.catch(() => {});
    return this.table;
  }

  /** Rereads the tables: the result was read after the call. */
  async refresh(): Promise<RoutingTable> {
    // A read in progress may have begun before the change that the caller knows of.
    await this.reading?.catch(() => {});
    this.reading ??= this.read();
    return await this.reading;
  }

  /** Reads again whenever staff change something or a supplier fails; keeps one connection. */
  follow(onError: (error: unknown) => void = () => {}): Listening {
    const read = (): void => void this.refresh().catch(onError);
    // Also what changed before it listened, or while the connection was lost.
    return listen(this.pool, ROUTING_CHANNEL, read, onError, read);
  }

  private async read(): Promise<RoutingTable> {
    try {
      this.table = await RoutingTable.load(this.pool);
      this.readAt = performance.now();
      return this.table;
    } finally {
      this.reading = null;
    }
  }
}

/** Returns the price of the most specific row; null if there is none. */
function findPrice(
  rows: readonly PriceRow[],
  areaCode: string,
  carrier: string | null,
  smsType: number,
  customerId: string,
): number | null {
  let best = -1;
  let price: number | null = null;
  for (const row of rows) {
    if (row.areaCode !== areaCode) continue;
    if (row.customerId !== null && row.customerId !== customerId) continue;
    if (row.carrier !== null && row.carrier !== carrier) continue;
    if (row.smsType !== null && row.smsType !== smsType) continue;
    const rank = (row.customerId === null ? 0 : 4) + (row.carrier === null ? 0 : 2) + (row.smsType === null ? 0 : 1);
    if (rank > best) [best, price] = [rank, row.price];
  }
  return price;
}
