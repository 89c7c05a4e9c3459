/**
 * What customers' software gets by deliver_sm: written in the transaction of the change it reports, at the cost of one
 * look-up if no software of these customers has ever bound; deleted once the software has taken it.
 */
import { numberArray } from '../array-literal.ts';
import { isDistributed } from '../distributed.ts';
import { uuidV7 } from '../ids.ts';
import { type Db, type Fragment, many, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus } from './db-clock.ts';

interface StatusChange {
  customerId: string;
  messageId: bigint;
  before: number | null;
  after: number;
}

const isMoved = ({ before, after }: StatusChange): boolean => before !== after && after > 0;

/** Of the customers of these changes, those whose software has ever bound. */
export const findBoundCustomers = async (tx: Db, changes: readonly StatusChange[]): Promise<readonly string[]> => {
  const customerIds = new Set(changes.filter(isMoved).map(({ customerId }) => customerId));
  if (customerIds.size === 0) return [];
  const { rows } = await tx.query<{ customerId: string }>({
    name: 'smpp_customers',
    text: `select distinct customer_id as "customerId" from application
           where customer_id = any($1::uuid[]) and smpp_bound_at is not null`,
    values: [[...customerIds]],
  });
  return rows.map(({ customerId }) => customerId);
};

/**
 * Writes the receipts that the software of these messages asked for. The caller holds the locks of the messages.
 * registered_delivery (SMPP 3.4 §5.2.17) comes first in `message.smpp`: bits 0 and 1 are 1 for any final state, 2 for
 * failures, 3 for delivered alone; bit 4 asks for the intermediate state. A negative one says that the ids which software
 * knows are in `smpp_issued`, each with its own.
 * `bound`: customers whose software has bound, if the caller knows them.
 */
export const writeSmppReceipts = async (
  tx: Db,
  changes: readonly StatusChange[],
  bound?: readonly string[],
): Promise<void> => {
  const customers = new Set(bound ?? (await findBoundCustomers(tx, changes)));
  if (customers.size === 0) return;
  const rows = changes.filter((change) => isMoved(change) && customers.has(change.customerId));
  if (rows.length === 0) return;
  const fetched = (await isDistributed(tx)) ? await fetchSubmitted(tx, rows) : null;
  const submitted = fetched === null ? STORED : FETCHED;
  await tx.query({
    // From the IDs to the messages, as for callbacks (decision 044).
    text: `
      insert into smpp_delivery (customer_id, delivery_id, app_id, message_id, issued_id, sequence, client_status,
        carrier_code, report_at, at, next_at)
      select i.customer_id, overlay(i.delivery_id::text placing lpad(to_hex(w.n), 12, '0') from 25)::uuid, i.app_id,
        i.message_id, w.issued_id, p.last + 1, i.status, i.carrier_code, i.report_at, clock_timestamp(), clock_timestamp()
      from (
        select i.customer_id, i.message_id, i.delivery_id, i.status, m.app_id, m.carrier_code, m.report_at,
          split_part(m.smpp, ' ', 1)::int as asked
        from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::smallint[]) as i(customer_id, message_id, delivery_id, status)
        ${submitted}) i
      cross join lateral (
        select i.message_id as issued_id, i.asked, 0 as n where i.asked >= 0
        union all
        select s.issued_id, s.asked, row_number() over ()::int from smpp_issued s
        where i.asked < 0 and s.customer_id = i.customer_id and s.message_id = i.message_id) w
      cross join lateral (
        select coalesce(max(sequence), 0) as last from smpp_delivery d
        where d.customer_id = i.customer_id and d.message_id = i.message_id and d.refused_at is null offset 0) p
      where case when i.status = 1 then (w.asked & 16) <> 0
        else case w.asked & 3 when 1 then true when 2 then i.status <> 2 when 3 then i.status = 2 else false end end`,
    values: [
      numberArray(rows.map((row) => row.customerId)),
      numberArray(rows.map((row) => row.messageId)),
      numberArray(rows.map(() => uuidV7())),
      numberArray(rows.map((row) => row.after)),
      ...(fetched === null ? [] : [fetched]),
    ],
  });
};

const STORED = `cross join lateral (
          select app_id, carrier_code, report_at, smpp from message
          where message.customer_id = i.customer_id and message.message_id = i.message_id and smpp is not null offset 0) m`;

const FETCHED = `join jsonb_to_recordset($5::jsonb) as m(customer_id uuid, message_id bigint, app_id text, carrier_code text,
  report_at timestamptz, smpp text) on m.customer_id = i.customer_id and m.message_id = i.message_id`;

/** Messages that came by SMPP, as json: with a table of other nodes in it, Citus does not accept the statement. */
const fetchSubmitted = async (
  tx: Db,
  rows: readonly { readonly customerId: string; readonly messageId: bigint }[],
): Promise<string> => {
  const customerIds = [...new Set(rows.map(({ customerId }) => customerId))];
  const messages = await many(
    tx,
    sql`select customer_id, message_id::text, app_id, carrier_code, report_at, smpp from message
        where customer_id = any(${customerIds}::uuid[]) and message_id = any(${rows.map((row) => String(row.messageId))}::bigint[])
          and smpp is not null`,
  );
  return JSON.stringify(messages);
};

/** Writes a phone's text for the application that it answers, if its software has ever bound. */
export const writeSmppInbound = async (
  tx: Db,
  of: { customerId: string; appId: string; inboundId: string },
): Promise<void> => {
  await run(
    tx,
    sql`insert into smpp_delivery (customer_id, delivery_id, app_id, inbound_id, at, next_at)
        select ${of.customerId}, ${uuidV7()}, app_id, ${of.inboundId}, ${dbNow()}, ${dbNow()} from application
        where app_id = ${of.appId} and customer_id = ${of.customerId} and smpp_bound_at is not null`,
  );
};

/** Takes or renews the leases of applications; returns those that this process has now. */
export const leaseSmppDeliveries = async (
  db: Db,
  of: { owner: string; appIds: readonly string[]; leaseMs: number },
): Promise<string[]> => {
  if (of.appIds.length === 0) return [];
  const rows = await many<{ appId: string }>(
    db,
    sql`insert into smpp_delivery_lease as l (app_id, owner, lease_until)
        select app_id, ${of.owner}, ${dbNowPlus(of.leaseMs)} from application where app_id = any(${[...of.appIds]}) order by app_id
        on conflict (app_id) do update set owner = excluded.owner, lease_until = excluded.lease_until
          where l.owner = excluded.owner or l.lease_until <= ${dbNow()}
        returning app_id as "appId"`,
  );
  return rows.map(({ appId }) => appId);
};

export const releaseSmppDeliveries = async (db: Db, owner: string, appIds: readonly string[]): Promise<void> => {
  await run(db, sql`delete from smpp_delivery_lease where owner = ${owner} and app_id = any(${[...appIds]})`);
};

export interface DueDelivery {
  customerId: string;
  deliveryId: string;
  appId: string;
  attempts: number;
  /** Of a receipt, with the message as submitted; null: the message was deleted. */
  messageId: string | null;
  issuedId: string | null;
  clientStatus: number | null;
  dealResult: string | null;
  carrierCode: string | null;
  reportAt: Date | null;
  atMs: number;
  smpp: string | null;
  msisdn: string | null;
  clientSid: string | null;
  content: string | null;
  smsType: number | null;
  /** Of a phone's text. */
  inboundId: string | null;
  inboundFrom: string | null;
  inboundTo: string | null;
  inboundContent: string | null;
}

/** No earlier one of the same message waits. */
const isFirst = sql`(d.message_id is null or (select p.delivery_id from smpp_delivery p where p.customer_id = d.customer_id
  and p.message_id = d.message_id and p.refused_at is null and p.issued_id = d.issued_id
  and (p.sequence, p.delivery_id) < (d.sequence, d.delivery_id) limit 1) is null)`;

/** Returns due deliveries of each application, oldest first, without those in `underWay`. */
export const listDueSmppDeliveries = async (
  db: Db,
  of: { appIds: readonly string[]; underWay: readonly string[]; limit: number; offsetMs: number },
): Promise<DueDelivery[]> => {
  const due = sql`unnest(${[...of.appIds]}::text[]) as a(app_id)
        cross join lateral (
          select * from smpp_delivery d where d.app_id = a.app_id and d.refused_at is null
            and d.next_at <= ${dbNow(of.offsetMs)} and d.delivery_id <> all(${[...of.underWay]}::uuid[]) and ${isFirst}
          order by d.delivery_id limit ${of.limit}) d`;
  return await many<DueDelivery>(
    db,
    sql`select d.customer_id as "customerId", d.delivery_id as "deliveryId", d.app_id as "appId", d.attempts,
          d.message_id::text as "messageId", d.issued_id::text as "issuedId", d.client_status as "clientStatus",
          d.carrier_code as "carrierCode", d.report_at as "reportAt", (extract(epoch from d.at) * 1000)::float8 as "atMs",
          m.smpp, m.deal_result as "dealResult", m.msisdn, m.client_sid as "clientSid",
          m.content, m.sms_type as "smsType", d.inbound_id as "inboundId", n.msisdn as "inboundFrom",
          n.destination as "inboundTo", n.content as "inboundContent"
        from ${due}
        ${await messagesOfDue(db, due)}
        left join lateral (select * from inbound where inbound.customer_id = d.customer_id
          and inbound.inbound_id = d.inbound_id offset 0) n on true`,
  );
};

/** Their messages: on Citus fetched from the shards of their customers. */
const messagesOfDue = async (db: Db, due: Fragment): Promise<Fragment> => {
  if (!(await isDistributed(db)))
    return sql`left join lateral (select * from message where message.customer_id = d.customer_id
          and message.message_id = d.message_id offset 0) m on true`;
  const keys = await many(
    db,
    sql<{
      customerId: string;
      messageId: string;
    }>`select d.customer_id as "customerId", d.message_id::text as "messageId"
      from ${due} where d.message_id is not null`,
  );
  const customerIds = [...new Set(keys.map((key) => key.customerId))];
  return sql`left join (select * from message where customer_id = any(${customerIds}::uuid[])
      and message_id = any(${keys.map((key) => key.messageId)}::bigint[]) offset 0) m
    on m.customer_id = d.customer_id and m.message_id = d.message_id`;
};

export const deleteSmppDeliveries = async (
  db: Db,
  rows: readonly Pick<DueDelivery, 'customerId' | 'deliveryId'>[],
): Promise<void> => {
  if (rows.length === 0) return;
  await run(
    db,
    sql`delete from smpp_delivery where customer_id = any(${[...new Set(rows.map((row) => row.customerId))]}::uuid[])
          and delivery_id = any(${rows.map((row) => row.deliveryId)}::uuid[])`,
  );
};

export interface FailedDelivery {
  customerId: string;
  deliveryId: string;
  /** Null: no answer came. */
  status: number | null;
  /** Until it is sent again; null: never, it is refused for good. */
  retryMs: number | null;
}

export const saveFailedSmppDeliveries = async (db: Db, rows: readonly FailedDelivery[]): Promise<void> => {
  if (rows.length === 0) return;
  await run(
    db,
    sql`update smpp_delivery d set attempts = least(attempts + 1, 30000), last_status = i.status,
          next_at = ${dbNow()} + coalesce(i.retry_ms, 0) * interval '1 millisecond',
          refused_at = case when i.retry_ms is null then ${dbNow()} end
        from unnest(${numberArray(rows.map((row) => row.customerId))}::uuid[], ${numberArray(rows.map((row) => row.deliveryId))}::uuid[],
          ${rows.map((row) => row.status)}::int[], ${rows.map((row) => row.retryMs)}::float8[])
          as i(customer_id, delivery_id, status, retry_ms)
        where d.customer_id = i.customer_id and d.delivery_id = i.delivery_id`,
  );
};

/** Deletes what no bind took within `keptMs`, and what was refused `refusedMs` ago. Returns how many. */
export const sweepSmppDeliveries = (
  db: Db,
  of: { nowMs: number; keptMs: number; refusedMs: number; limit: number },
): Promise<number> =>
  run(
    db,
    sql`delete from smpp_delivery where (customer_id, delivery_id) in (
          select customer_id, delivery_id from smpp_delivery where at < ${new Date(of.nowMs - of.keptMs)}
            and (refused_at is null or refused_at < ${new Date(of.nowMs - of.refusedMs)}) limit ${of.limit})`,
  );

/** Returns those of the applications for which something is due. */
export const listDueApplications = async (db: Db, appIds: readonly string[], offsetMs: number): Promise<string[]> => {
  const rows = await many<{ appId: string }>(
    db,
    sql`select a.app_id as "appId" from unnest(${[...appIds]}::text[]) as a(app_id)
        where (select true from smpp_delivery d where d.app_id = a.app_id and d.refused_at is null
          and d.next_at <= ${dbNow(offsetMs)} limit 1)`,
  );
  return rows.map(({ appId }) => appId);
};
