/**
 * Simulates an old database in a minute: rows of messages sent long ago, to measure the cost of a new one among them.
 */
import { messageIdAt } from '@pahatid/db';
import type { Pool } from 'pg';

/** Rows inserted by one statement. */
const STEP = 500_000;
/**
 * Delivered messages of one customer with their batches, routes and counts by minute, spread over the days of this week so far, in the
 * partition that new messages go to. Ids are of a writer that no process has.
 */
export const prefillMessages = async (
  pool: Pool,
  of: { customerId: string; appId: string; supplierId: string; routeId: string },
  count: number,
): Promise<void> => {
  await pool.query('select ensure_partition(now())');
  const monday = new Date();
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  const fromMs = monday.setUTCHours(0, 0, 0, 0);
  const stepMs = (Date.now() - 60_000 - fromMs) / count;
  if (stepMs <= 0) throw new Error('the week is too young to hold messages of before');
  const base = messageIdAt(Math.floor(fromMs), 255);
  for (let from = 0; from < count; from += STEP) {
    const to = Math.min(count, from + STEP) - 1;
    // 1,000 IDs are consecutive, like those of a batch.
    const id = `($1::bigint + ((floor((n / 1000) * 1000 * $2::float8)::bigint) << 18) + n % 1000)`;
    const spread = [String(base), stepMs, from, to];
    await pool.query(
      `insert into batch (batch_id, customer_id, app_id, lane, supplier_id, route_id, message_count, state, intent_mark,
         success_count, receipts_closed, created_at, first_sent_at, done_at)
       select ${id}, $5, $6, 2, $7, $8, least(1000, $4 - n + 1), 2, 1000, 1000, true, now(), now(), now()
       from generate_series($3::bigint, $4::bigint, 1000) n`,
      [...spread, of.customerId, of.appId, of.supplierId, of.routeId],
    );
    await pool.query(
      `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, range_holder, carrier, client_sid,
         content, pkg_total, charge_type, price, route_id, supplier_id, send_status, client_status, deal_result,
         submitted_at, answered_at, report_at, parts_delivered)
       select $5::uuid, ${id}, $6, 2, '639' || lpad(((n * 7919) % 1000000000)::text, 9, '0'), 'PH', 'Globe', 'Globe', 'PAHATID',
         'Message ' || n || '. A text of the length that most have.', 1, 'SenderPays', 3500, $8::uuid, $7::uuid, 3, 2, 'DELIVRD',
         now(), now(), now(), 1
       from generate_series($3::bigint, $4::bigint) n`,
      [...spread, of.customerId, of.appId, of.supplierId, of.routeId],
    );
    await pool.query(
      `insert into dlr_route (supplier_id, carrier_message_id, customer_id, message_id)
       select $6::uuid, 'old' || n, $5::uuid, ${id} from generate_series($3::bigint, $4::bigint) n`,
      [...spread, of.customerId, of.supplierId],
    );
  }
  await pool.query(
    `insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer,
       req_total, req_success, receipt_success, segments, charged)
     select customer_id, date_trunc('minute', timestamptz '2025-01-01 00:00:00+00' + (message_id >> 18) * interval '1 ms'), app_id,
       area_code, coalesce(carrier, ''), client_sid, sms_type, route_id, 255, count(*),
       count(*) filter (where send_status = 3), count(*) filter (where client_status = 2), count(*), sum(price)
     from message where customer_id = $1 group by 1, 2, 3, 4, 5, 6, 7, 8`,
    [of.customerId],
  );
  for (const table of ['message', 'dlr_route', 'batch', 'report_minute']) await pool.query(`vacuum analyze ${table}`);
};
