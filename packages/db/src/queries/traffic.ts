/**
 * Current state of the system: outgoing and inbound traffic, queues, binds. Cheap: bounded by time or by partial
 * indexes.
 */
import { batchState, taskStatus, useState, yesNo } from '../literals.ts';
import { type Db, many, one, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus } from './db-clock.ts';
import { openBatches } from './open-batches.ts';
import { isReal } from './real-customers.ts';

/** Length of a row of `traffic`. */
const SLOT_S = 10;
/** How often senders save: each of them has hundreds of rows where a hundred customers send, and a slot takes two saves. */
export const TRAFFIC_SAVED_EVERY_MS = 5_000;
/** A slot counts as whole when it has been over for so long: what is saved then came half the time between two saves before. */
const LATE_S = 3;

export interface TrafficRow {
  customerId: string;
  routeId: string;
  /** '' if unknown. */
  carrier: string;
  accepted: number;
  refused: number;
  receipts: number;
}

/** Adds to the ten seconds in which the middle of the time since the last save lies. */
export const saveTraffic = async (db: Db, owner: string, rows: readonly TrafficRow[]): Promise<void> => {
  if (rows.length === 0) return;
  await run(
    db,
    sql`insert into traffic as t (at, owner, customer_id, route_id, carrier, accepted, refused, receipts)
        select to_timestamp(floor(extract(epoch from ${dbNowPlus(-TRAFFIC_SAVED_EVERY_MS / 2)}) / ${SLOT_S}::int) * ${SLOT_S}::int), ${owner}, c, r, n, a, f, d
        from unnest(${rows.map((row) => row.customerId)}::uuid[], ${rows.map((row) => row.routeId)}::uuid[],
          ${rows.map((row) => row.carrier)}::text[], ${rows.map((row) => row.accepted)}::int[],
          ${rows.map((row) => row.refused)}::int[], ${rows.map((row) => row.receipts)}::int[]) as i(c, r, n, a, f, d)
        on conflict (at, owner, customer_id, route_id, carrier) do update set accepted = t.accepted + excluded.accepted,
          refused = t.refused + excluded.refused, receipts = t.receipts + excluded.receipts`,
  );
};

/** Removes data older than an hour. */
export const sweepTraffic = (db: Db): Promise<number> =>
  run(db, sql`delete from traffic where at < ${dbNow()} - interval '1 hour'`);

export interface RateRow {
  customerId: string | null;
  routeId: string | null;
  carrier: string | null;
  /** Answered by carriers a second, over the last whole ten seconds. */
  perSecond: number;
  /** Answered by carriers in the last minute. */
  perMinute: number;
  refused: number;
  receipts: number;
}

/** Rates of the last minute: by customer, by route, by carrier, and in total (a row whose three keys are null). */
export const readRates = (db: Db): Promise<RateRow[]> =>
  many<RateRow>(
    db,
    sql`with now as (select to_timestamp(floor((extract(epoch from ${dbNow()}) - ${LATE_S}::int) / ${SLOT_S}::int) * ${SLOT_S}::int) as until)
        select customer_id as "customerId", route_id as "routeId", carrier,
          coalesce(sum(accepted + refused) filter (where at >= until - ${SLOT_S} * interval '1 second'), 0)::float8
            / ${SLOT_S}::int as "perSecond",
          coalesce(sum(accepted + refused), 0)::int as "perMinute", coalesce(sum(refused), 0)::int as refused,
          coalesce(sum(receipts), 0)::int as receipts
        from now join traffic on at >= until - interval '1 minute' and at < until
        group by grouping sets ((customer_id), (route_id), (carrier), ()) order by 5 desc`,
  );

export interface TrafficMinute {
  time: Date;
  accepted: number;
  refused: number;
  receipts: number;
}

/** The last minutes, that which passes now as the last, gaps left out. */
export const listTrafficMinutes = (db: Db, minutes: number): Promise<TrafficMinute[]> =>
  many<TrafficMinute>(
    db,
    sql`select date_trunc('minute', at) as time, sum(accepted)::int as accepted, sum(refused)::int as refused,
          sum(receipts)::int as receipts
        from traffic where at > date_trunc('minute', ${dbNow()}) - ${minutes} * interval '1 minute' group by 1 order by 1`,
  );

/** Messages that were accepted from customers, by minute of the last minutes. */
export const listReceivedMinutes = (db: Db, minutes: number): Promise<{ time: Date; received: number }[]> =>
  many<{ time: Date; received: number }>(
    db,
    sql`select minute as time, sum(req_total)::int as received from report_minute
        where minute > date_trunc('minute', ${dbNow()}) - ${minutes} * interval '1 minute'
          and ${isReal(sql`customer_id`)} group by 1 order by 1`,
  );

export interface QueueRow {
  lane: number;
  batches: number;
  /** Without a response yet, including those in progress and those deferred. */
  messages: number;
  /** Not to be sent now: paused, or in quiet hours. */
  held: number;
  /** The longest wait among those that could be sent now. */
  oldest: Date | null;
}

/** Messages waiting for the senders, by lane; messages in progress count until they are done. */
export const listQueues = (db: Db): Promise<QueueRow[]> =>
  many<QueueRow>(
    db,
    sql`select lane, count(*)::int as batches, sum(left_count)::int as messages,
          coalesce(sum(left_count) filter (where is_held), 0)::int as held,
          min(greatest(created_at, not_before)) filter (where state in (${batchState.Parked}, ${batchState.Ready}) and not is_held) as oldest
        from (select b.lane, b.state, b.created_at, b.not_before,
                greatest(b.message_count - b.success_count - b.failed_count, 0) as left_count,
                coalesce(b.not_before > ${dbNow()}, false)
                  or coalesce(t.task_status <> ${taskStatus.Sending} or t.paused <> ${yesNo.No}
                    or t.demo_hold, false) as is_held
              from ${openBatches} b left join task t on t.task_id = b.task_id
              where ${isReal(sql`b.customer_id`)}) q
        group by lane order by lane`,
  );

export interface BindRow {
  supplierId: string;
  supplierAccount: string;
  carrier: string | null;
  /** Processes that have binds of it. */
  senders: number;
  bound: number;
  wanted: number;
  lastError: string | null;
  /** Since when the first of those that are missing is missing. */
  downSince: Date | null;
  /** Time since which its messages take other routes. */
  failedSince: Date | null;
  /** submit_sm in the last second. */
  rate: number;
  tps: number;
}

/** A bind that its process has not been seen with for so long is counted as down. */
const bindSilence = '30 seconds';

/**
 * All senders together maintain the binds of an account: `bind_count`, or as many pairs if an account has a transmitter
 * and a receiver. Binds of processes that have ended do not count.
 */
export const listBinds = (db: Db): Promise<BindRow[]> =>
  many<BindRow>(
    db,
    sql`select s.supplier_id as "supplierId", s.supplier_account as "supplierAccount", s.carrier, s.tps,
          count(distinct b.owner)::int as senders,
          s.bind_count * case s.bind_type when 'transmitter+receiver' then 2 else 1 end as wanted,
          count(*) filter (where b.state = 'bound')::int as bound,
          coalesce(sum(b.rate) filter (where b.state = 'bound'), 0)::int as rate,
          (array_agg(b.last_error order by b.seen_at desc) filter (where b.last_error is not null and b.state <> 'bound'))[1] as "lastError",
          min(coalesce(b.lost_at, b.since)) filter (where b.state <> 'bound') as "downSince",
          (array_agg(h.failed_since))[1] as "failedSince"
        from supplier s
        left join supplier_health h using (supplier_id)
        left join bind_state b on b.supplier_id = s.supplier_id and b.seen_at > clock_timestamp() - ${bindSilence}::interval
        where s.use_state = ${useState.Enabled} and s.is_test is not true group by s.supplier_id order by s.supplier_account`,
  );

/** When a sender process last reported; null: never, or longer ago than is retained. */
export const findLastSenderSign = async (db: Db): Promise<Date | null> =>
  (await one<{ at: Date | null }>(db, sql`select max(seen_at) as at from bind_state`)).at;
