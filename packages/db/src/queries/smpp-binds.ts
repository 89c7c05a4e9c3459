/** Live binds of customers' software. A bind is a slot of its application, held under the lease of its process. */
import type { ChargeType } from '@pahatid/contract';
import { type PageOrder, pageBy } from '../keyset.ts';
import { type Db, many, maybe, one, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus } from './db-clock.ts';

export type SmppBindMode = 'transmitter' | 'receiver' | 'transceiver';
export type SmppRefusalReason =
  | 'password'
  | 'address'
  | 'noAddresses'
  | 'disabled'
  | 'noAccess'
  | 'connections'
  | 'tooOften';

export interface SmppAccount {
  appId: string;
  customerId: string;
  useState: 0 | 1;
  customerUseState: 0 | 1;
  accessType: number;
  maxConnectNum: number;
  tps: number;
  whiteListIp: string[];
  serviceTypes: Record<string, number> | null;
  deduplication: boolean;
  templateRequired: boolean;
  chargeType: ChargeType;
  /** Of the customer's owner: dates in receipts are its local time. */
  zone: string;
  /** Live SMPP passwords, hashed, hexadecimal. */
  passwords: { secretId: string; hash: string }[];
}

const accountColumns = sql`a.app_id as "appId", a.customer_id as "customerId", a.use_state as "useState",
  c.use_state as "customerUseState", a.access_type as "accessType", a.max_connect_num as "maxConnectNum", a.tps,
  a.charge_type as "chargeType", a.white_list_ip as "whiteListIp", a.smpp_service_types as "serviceTypes",
  coalesce(a.smpp_deduplication, false) as deduplication,
  coalesce(c.template_required, false) as "templateRequired",
  coalesce((select u.zone from app_user u where u.customer_id = a.customer_id and u.role = 'owner'
    order by u.created_at, u.user_id limit 1), 'Asia/Manila') as zone,
  coalesce((select jsonb_agg(jsonb_build_object('secretId', s.secret_id, 'hash', encode(s.secret_hash, 'hex')))
    from application_secret s where s.app_id = a.app_id and s.kind = 'smpp'
      and (s.expires_at is null or s.expires_at > ${dbNow()})), '[]') as passwords`;

/** Returns the application of a system_id. */
export const findSmppAccount = (db: Db, systemId: string): Promise<SmppAccount | null> =>
  maybe<SmppAccount>(
    db,
    sql`select ${accountColumns} from application a join customer c on c.customer_id = a.customer_id
        where a.account = ${systemId}`,
  );

export interface BoundAccount extends SmppAccount {
  /** Binds of all processes. */
  bindCount: number;
}

/** Bound applications as they are now. */
export const listBoundAccounts = (db: Db, appIds: readonly string[]): Promise<BoundAccount[]> =>
  many<BoundAccount>(
    db,
    sql`select ${accountColumns}, (select count(*)::int from smpp_bind b join smpp_process p on p.owner = b.owner
          where b.app_id = a.app_id and p.lease_until > ${dbNow()}) as "bindCount"
        from application a join customer c on c.customer_id = a.customer_id where a.app_id = any(${[...appIds]})`,
  );

export interface NewSmppBind {
  bindId: string;
  customerId: string;
  appId: string;
  owner: string;
  mode: SmppBindMode;
  clientIp: string;
  clientPort: number;
  isTls: boolean;
}

/**
 * Takes a slot of the application; false: all are taken. Binds of one application are counted one after another, under the
 * lock of its row.
 */
export const insertSmppBind = async (tx: Db, bind: NewSmppBind): Promise<boolean> => {
  const found = await maybe<{ maxConnectNum: number }>(
    tx,
    sql`select max_connect_num as "maxConnectNum" from application where app_id = ${bind.appId} for no key update`,
  );
  if (found === null) return false;
  const { count } = await one<{ count: number }>(
    tx,
    sql`select count(*)::int as count from smpp_bind b join smpp_process p on p.owner = b.owner
        where b.app_id = ${bind.appId} and p.lease_until > ${dbNow()}`,
  );
  if (count >= found.maxConnectNum) return false;
  await run(
    tx,
    sql`insert into smpp_bind (bind_id, customer_id, app_id, owner, mode, client_ip, client_port, is_tls, bound_at)
        values (${bind.bindId}, ${bind.customerId}, ${bind.appId}, ${bind.owner}, ${bind.mode}, ${bind.clientIp},
          ${bind.clientPort}, ${bind.isTls}, ${dbNow()})`,
  );
  await run(
    tx,
    sql`update application set smpp_bound_at = ${dbNow()} where app_id = ${bind.appId} and smpp_bound_at is null`,
  );
  return true;
};

/** Takes the slot of a bind again if it was lost. */
export const retakeSmppBind = async (tx: Db, bind: NewSmppBind): Promise<boolean> =>
  (await maybe(tx, sql`select from smpp_bind where bind_id = ${bind.bindId}`)) !== null || insertSmppBind(tx, bind);

export const deleteSmppBinds = async (db: Db, bindIds: readonly string[]): Promise<void> => {
  await run(db, sql`delete from smpp_bind where bind_id = any(${[...bindIds]}::uuid[])`);
};

export interface SmppProcess {
  owner: string;
  /** Where `pid` has a meaning. */
  machine: string;
  pid: number;
}

/** Processes of a machine, those that died without notice included. */
export const listSmppProcesses = (db: Db, machine: string): Promise<SmppProcess[]> =>
  many<SmppProcess>(db, sql`select owner, machine, pid from smpp_process where machine = ${machine}`);

/** Renews the lease of a process; its binds and those of ended processes are deleted by `sweepSmppBinds`. */
export const renewSmppProcess = async (
  db: Db,
  { owner, machine, pid }: SmppProcess,
  leaseMs: number,
): Promise<void> => {
  await run(
    db,
    sql`insert into smpp_process (owner, machine, pid, lease_until) values (${owner}, ${machine}, ${pid}, ${dbNowPlus(leaseMs)})
        on conflict (owner) do update set lease_until = excluded.lease_until`,
  );
};

/** Deletes the binds of processes whose lease has ended, and those processes. */
export const sweepSmppBinds = async (db: Db): Promise<void> => {
  await run(
    db,
    sql`delete from smpp_bind b where not exists (
          select from smpp_process p where p.owner = b.owner and p.lease_until > ${dbNow()})`,
  );
  await run(db, sql`delete from smpp_process where lease_until < ${dbNowPlus(-60_000)}`);
};

export const deleteSmppProcess = async (db: Db, owner: string): Promise<void> => {
  await run(db, sql`delete from smpp_bind where owner = ${owner}`);
  await run(db, sql`delete from smpp_process where owner = ${owner}`);
};

export interface SmppBindUse {
  bindId: string;
  windowUsed: number;
  submitRate: number;
  lastStatus: number | null;
  lastStatusMs: number | null;
}

/** Stores the use of binds, and returns those that a user wants closed. */
export const saveSmppBindUse = async (db: Db, owner: string, uses: readonly SmppBindUse[]): Promise<string[]> => {
  if (uses.length > 0)
    await run(
      db,
      sql`update smpp_bind b set window_used = i.used, submit_rate = i.rate, last_status = i.status,
            last_status_at = to_timestamp(i.status_ms / 1000.0)
          from unnest(${uses.map((use) => use.bindId)}::uuid[], ${uses.map((use) => use.windowUsed)}::int[],
            ${uses.map((use) => use.submitRate)}::int[], ${uses.map((use) => use.lastStatus)}::int[],
            ${uses.map((use) => use.lastStatusMs)}::float8[]) as i(bind_id, used, rate, status, status_ms)
          where b.bind_id = i.bind_id`,
    );
  const rows = await many<{ bindId: string }>(
    db,
    sql`select bind_id as "bindId" from smpp_bind where owner = ${owner} and end_requested`,
  );
  return rows.map(({ bindId }) => bindId);
};

/** Counts a refused bind of a known application. */
export const noteSmppRefusal = async (
  db: Db,
  of: { customerId: string; appId: string; clientIp: string; reason: SmppRefusalReason },
): Promise<void> => {
  await run(
    db,
    sql`insert into smpp_refusal as r (customer_id, app_id, client_ip, reason, first_at, last_at)
        values (${of.customerId}, ${of.appId}, ${of.clientIp}, ${of.reason}, ${dbNow()}, ${dbNow()})
        on conflict (app_id, client_ip, reason) do update set refused_count = r.refused_count + 1, last_at = excluded.last_at`,
  );
};

export const sweepSmppRefusals = (db: Db, ageMs: number, limit: number): Promise<number> =>
  run(
    db,
    sql`delete from smpp_refusal where (app_id, client_ip, reason) in (
          select app_id, client_ip, reason from smpp_refusal where last_at < ${dbNowPlus(-ageMs)} limit ${limit})`,
  );

export interface SmppBindRow {
  bindId: string;
  appId: string;
  appName: string;
  customerId: string;
  customerName: string;
  mode: SmppBindMode;
  clientIp: string;
  clientPort: number;
  isTls: boolean;
  boundAt: Date;
  windowUsed: number;
  submitRate: number;
  lastStatus: number | null;
  lastStatusAt: Date | null;
}

/** Live binds of one application or of all, newest first; `after`: the last one of the page before. */
export const listSmppBinds = (
  db: Db,
  of: { customerId: string | null; appId: string | null; limit: number } & PageOrder,
): Promise<SmppBindRow[]> => {
  const { past, orderBy } = pageBy([[sql`b.bind_id`, 'uuid']], of);
  return many<SmppBindRow>(
    db,
    sql`select b.bind_id as "bindId", b.app_id as "appId", a.app_name as "appName", b.customer_id as "customerId",
          c.customer_name as "customerName", b.mode, host(b.client_ip) as "clientIp", b.client_port as "clientPort",
          b.is_tls as "isTls", b.bound_at as "boundAt", b.window_used as "windowUsed", b.submit_rate as "submitRate",
          b.last_status as "lastStatus", b.last_status_at as "lastStatusAt"
        from smpp_bind b join application a on a.app_id = b.app_id join customer c on c.customer_id = b.customer_id
        where ${of.customerId === null ? sql`true` : sql`b.customer_id = ${of.customerId}`}
          and ${of.appId === null ? sql`true` : sql`b.app_id = ${of.appId}`}
          and ${past} and not b.end_requested
        order by ${orderBy} limit ${of.limit}`,
  );
};

export interface SmppRefusalRow {
  reason: SmppRefusalReason;
  clientIp: string;
  count: number;
  lastAt: Date;
}

export const listSmppRefusals = (db: Db, appId: string, limit: number): Promise<SmppRefusalRow[]> =>
  many<SmppRefusalRow>(
    db,
    sql`select reason, host(client_ip) as "clientIp", refused_count as count, last_at as "lastAt" from smpp_refusal
        where app_id = ${appId} order by last_at desc limit ${limit}`,
  );

/** Asks the process that has the bind to close it; false: there is none. */
export const requestSmppBindEnd = async (tx: Db, of: { appId: string; bindId: string }): Promise<boolean> =>
  (await run(
    tx,
    sql`update smpp_bind set end_requested = true where bind_id = ${of.bindId} and app_id = ${of.appId}`,
  )) === 1;
