import { Carrier } from '@pahatid/contract/enums';
import { uuidV7 } from '../ids.ts';
import { type Db, run, sql } from '../sql.ts';
import type { SeedSecrets } from './applications.ts';

export interface SupplierSpec {
  supplierAccount: string;
  carrier?: string | null;
  host?: string;
  port: number;
  systemId: string;
  password: string;
  bindCount?: number;
  windowSize?: number;
  tps?: number;
  profile?: Record<string, unknown>;
  secrets: SeedSecrets;
}

export const buildSupplier = async (db: Db, spec: SupplierSpec): Promise<string> => {
  const supplierId = uuidV7();
  await run(
    db,
    sql`insert into supplier (supplier_id, supplier_account, carrier, host, port, system_id, password_sealed, bind_count, window_size, tps, profile)
        values (${supplierId}, ${spec.supplierAccount}, ${spec.carrier ?? null}, ${spec.host ?? '127.0.0.1'}, ${spec.port},
                ${spec.systemId}, ${spec.secrets.seal('carrier-password', spec.password)}, ${spec.bindCount ?? 2},
                ${spec.windowSize ?? 100}, ${spec.tps ?? 2000}, ${JSON.stringify(spec.profile ?? {})})`,
  );
  return supplierId;
};

export interface RouteSpec {
  routeName: string;
  supplierId: string;
  /** Null: any carrier, the default route. */
  carrier?: string | null;
  priority?: number;
  weight?: number;
}

export const buildRoute = async (db: Db, spec: RouteSpec): Promise<string> => {
  const routeId = uuidV7();
  await run(
    db,
    sql`insert into route (route_id, route_name, carrier, supplier_id, weight, priority)
        values (${routeId}, ${spec.routeName}, ${spec.carrier ?? null}, ${spec.supplierId}, ${spec.weight ?? 1}, ${spec.priority ?? 0})`,
  );
  return routeId;
};

/** Price of a segment, 1/10,000 PHP, for every carrier and send type: the default is ₱0.35. */
export const buildDefaultPrice = async (db: Db, price = 3500): Promise<void> => {
  await run(db, sql`insert into price (price_id, price) values (${uuidV7()}, ${price}) on conflict do nothing`);
};

/** Which ranges which carrier held first, as rows of the prefix table. */
export const buildPrefixes = async (db: Db, rows: readonly { prefix: string; carrier: string }[]): Promise<void> => {
  await run(
    db,
    sql`insert into prefix (prefix, carrier) select * from unnest(${rows.map((row) => row.prefix)}::text[], ${rows.map((row) => row.carrier)}::text[])
        on conflict (prefix) do nothing`,
  );
};

/** The simulator's three carriers with their accounts and the routes to them; Globe's is the default as well. */
const simulatedCarriers = [
  { carrier: Carrier.Globe, supplierAccount: 'globe-1', systemId: 'globe', password: 'globepw', idBase: 'dec' },
  { carrier: Carrier.Smart, supplierAccount: 'smart-1', systemId: 'smart', password: 'smartpw', idBase: 'hex' },
  { carrier: Carrier.Dito, supplierAccount: 'dito-1', systemId: 'dito', password: 'ditopw', idBase: 'text' },
] as const;

export interface SimulatedCarriers {
  suppliers: Record<Carrier, string>;
  routes: Record<Carrier, string>;
  defaultRoute: string;
}

export const buildSimulatedCarriers = async (
  db: Db,
  spec: { port: number; secrets: SeedSecrets; tps?: number; windowSize?: number; bindCount?: number },
): Promise<SimulatedCarriers> => {
  const suppliers: Partial<Record<Carrier, string>> = {};
  const routes: Partial<Record<Carrier, string>> = {};
  for (const { carrier, idBase, ...account } of simulatedCarriers) {
    const supplierId = await buildSupplier(db, { ...spec, ...account, carrier, profile: { idBase } });
    suppliers[carrier] = supplierId;
    routes[carrier] = await buildRoute(db, { routeName: `${carrier} direct`, supplierId, carrier, priority: 10 });
  }
  await run(
    db,
    sql`update supplier set simulator_port = port where supplier_id = any(${Object.values(suppliers)}::uuid[])`,
  );
  const complete = { suppliers: suppliers as Record<Carrier, string>, routes: routes as Record<Carrier, string> };
  const defaultRoute = await buildRoute(db, { routeName: 'Default', supplierId: complete.suppliers.Globe });
  return { ...complete, defaultRoute };
};

/** The simulator listens on another port than at the last start. What an operator changed stays as it is. */
export const moveSimulatedCarriers = async (db: Db, port: number): Promise<void> => {
  await run(
    db,
    sql`update supplier set port = ${port}, simulator_port = ${port}
        where port = simulator_port and host = '127.0.0.1' and port <> ${port}`,
  );
};
