/**
 * Messages whose life is over or under way, with everything that follows from them: batches, rollups, ledger, balance
 * and task counters agree with the rows to the last segment, as after a real send.
 */
import { pipeline } from 'node:stream/promises';
import { ChargeType, ClientStatus, SendStatus, type SmsType } from '@pahatid/contract';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { messageIdAt, messageIdMs, uuidV7 } from '../ids.ts';
import { run, sql } from '../sql.ts';

export interface MessageSpec {
  msisdn: string;
  content: string;
  carrier: string | null;
  clientStatus: ClientStatus;
  dealResult?: string;
  carrierCode?: string;
  pkgTotal?: number;
  /** Milliseconds from request to the carrier's answer, and from there to the receipt. */
  answerAfterMs?: number;
  receiptAfterMs?: number;
}

export interface BatchSpec {
  customerId: string;
  appId: string;
  taskId?: string;
  smsType: SmsType;
  clientSid: string;
  supplierId: string;
  routeId: string;
  /** When the messages were accepted: at most 1,000 in one millisecond. */
  at: Date;
  /** 255 unless told: tests that look at ids of one writer say their own. */
  writer?: number;
  price?: number;
  messages: MessageSpec[];
}

const refused: readonly ClientStatus[] = [ClientStatus.Rejected, ClientStatus.Blocked];

const sendStatusOf = (status: ClientStatus): SendStatus => {
  if (status === ClientStatus.Accepted) return SendStatus.Waiting;
  return refused.includes(status) ? SendStatus.Failed : SendStatus.Successful;
};

const copyText = (value: string): string =>
  value.replace(/[\\\n\r\t]/g, (c) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[c] ?? c);
const line = (values: (string | number | Date | null | undefined)[]): string =>
  `${values
    .map((value) => {
      if (value === null || value === undefined) return '\\N';
      return value instanceof Date ? value.toISOString() : copyText(String(value));
    })
    .join('\t')}\n`;

const columns = `customer_id, message_id, task_id, app_id, sms_type, msisdn, area_code, range_holder, carrier, client_sid,
  content, pkg_total, charge_type, price, route_id, supplier_id, send_status, client_status, deal_result, carrier_code,
  submitted_at, answered_at, report_at`;

/** One batch of messages in the states given; answers the id of the first. Needs a client in a transaction of its own. */
export const buildBatch = async (db: pg.PoolClient, spec: BatchSpec): Promise<bigint> => {
  const writer = spec.writer ?? 255;
  const price = spec.price ?? 3500;
  const first = messageIdAt(spec.at.getTime(), writer);
  const minute = new Date(Math.floor(spec.at.getTime() / 60_000) * 60_000);
  await run(db, sql`select ensure_partition(${spec.at})`);

  const lines = spec.messages.map((message, index) => {
    const sendStatus = sendStatusOf(message.clientStatus);
    const answered =
      sendStatus === SendStatus.Waiting || message.clientStatus === ClientStatus.Blocked
        ? null
        : new Date(spec.at.getTime() + (message.answerAfterMs ?? 40));
    const receipt = answered && message.receiptAfterMs ? new Date(answered.getTime() + message.receiptAfterMs) : null;
    return line([
      spec.customerId,
      String(first + BigInt(index)),
      spec.taskId,
      spec.appId,
      spec.smsType,
      message.msisdn,
      'PH',
      message.carrier,
      message.carrier,
      spec.clientSid,
      message.content,
      message.pkgTotal ?? 1,
      ChargeType.SenderPays,
      price,
      spec.routeId,
      spec.supplierId,
      sendStatus,
      message.clientStatus,
      message.dealResult,
      message.carrierCode,
      answered && new Date(answered.getTime() - 30),
      answered,
      receipt,
    ]);
  });
  const stream = db.query(copyFrom(`copy message (${columns}) from stdin`));
  await pipeline(async function* () {
    yield lines.join('');
  }, stream);

  await addBatchRow(db, spec, first);
  await addRollups(db, spec, minute, writer, price);
  await addCharge(db, spec, first, writer, price);
  if (spec.taskId) await addTaskProgress(db, spec, spec.taskId, writer, price);
  return first;
};

const countOf = (spec: BatchSpec, ...statuses: ClientStatus[]): number =>
  spec.messages.filter((message) => statuses.includes(message.clientStatus)).length;
const acceptedOf = (spec: BatchSpec): MessageSpec[] =>
  spec.messages.filter((message) => sendStatusOf(message.clientStatus) === SendStatus.Successful);
const segmentsOf = (messages: MessageSpec[]): number =>
  messages.reduce((sum, message) => sum + (message.pkgTotal ?? 1), 0);

const addBatchRow = async (db: pg.PoolClient, spec: BatchSpec, first: bigint): Promise<void> => {
  const waiting = countOf(spec, ClientStatus.Accepted);
  const failed = countOf(spec, ...refused);
  await run(
    db,
    sql`insert into batch (batch_id, customer_id, task_id, lane, supplier_id, route_id, message_count, state, intent_mark,
                           success_count, failed_count, created_at, first_sent_at, done_at)
        values (${String(first)}, ${spec.customerId}, ${spec.taskId ?? null}, ${spec.smsType}, ${spec.supplierId}, ${spec.routeId},
                ${spec.messages.length}, ${waiting > 0 ? 0 : 2}, ${spec.messages.length - waiting},
                ${spec.messages.length - waiting - failed}, ${failed}, ${spec.at}, ${spec.at}, ${waiting > 0 ? null : spec.at})`,
  );
};

const addRollups = async (
  db: pg.PoolClient,
  spec: BatchSpec,
  minute: Date,
  writer: number,
  price: number,
): Promise<void> => {
  const byCarrier = Map.groupBy(spec.messages, (message) => message.carrier ?? '');
  for (const [carrier, messages] of byCarrier) {
    const part = { ...spec, messages };
    const accepted = acceptedOf(part);
    await run(
      db,
      sql`insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer, req_total,
                                     req_success, req_fail, receipt_success, receipt_fail, receipt_unknown, segments, charged)
          values (${spec.customerId}, ${minute}, ${spec.appId}, 'PH', ${carrier}, ${spec.clientSid}, ${spec.smsType}, ${spec.routeId},
                  ${writer}, ${messages.length}, ${accepted.length}, ${countOf(part, ...refused)},
                  ${countOf(part, ClientStatus.Delivered)}, ${countOf(part, ClientStatus.Undelivered, ClientStatus.Expired)},
                  ${countOf(part, ClientStatus.Unknown)}, ${segmentsOf(accepted)}, ${segmentsOf(accepted) * price})
          on conflict (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer) do update set
            req_total = report_minute.req_total + excluded.req_total,
            req_success = report_minute.req_success + excluded.req_success,
            req_fail = report_minute.req_fail + excluded.req_fail,
            receipt_success = report_minute.receipt_success + excluded.receipt_success,
            receipt_fail = report_minute.receipt_fail + excluded.receipt_fail,
            receipt_unknown = report_minute.receipt_unknown + excluded.receipt_unknown,
            segments = report_minute.segments + excluded.segments,
            charged = report_minute.charged + excluded.charged`,
    );
  }
};

const addCharge = async (
  db: pg.PoolClient,
  spec: BatchSpec,
  first: bigint,
  writer: number,
  price: number,
): Promise<void> => {
  const segments = segmentsOf(acceptedOf(spec));
  if (segments === 0) return;
  await run(
    db,
    sql`insert into ledger (customer_id, entry_id, at, kind, amount, segments, app_id, task_id, batch_id)
        values (${spec.customerId}, ${uuidV7(messageIdMs(first))}, ${spec.at}, 'charge', ${-segments * price}, ${segments}, ${spec.appId},
                ${spec.taskId ?? null}, ${String(first)})`,
  );
  await run(
    db,
    sql`insert into balance (customer_id, writer, amount) values (${spec.customerId}, ${writer}, ${-segments * price})
        on conflict (customer_id, writer) do update set amount = balance.amount + excluded.amount`,
  );
};

const addTaskProgress = async (
  db: pg.PoolClient,
  spec: BatchSpec,
  taskId: string,
  writer: number,
  price: number,
): Promise<void> => {
  const accepted = acceptedOf(spec);
  await run(
    db,
    sql`insert into task_progress (task_id, writer, customer_id, success_count, failed_count, delivered_count, undelivered_count,
                                   unknown_count, charged_segments, charged_cost)
        values (${taskId}, ${writer}, ${spec.customerId}, ${accepted.length}, ${countOf(spec, ...refused)},
                ${countOf(spec, ClientStatus.Delivered)}, ${countOf(spec, ClientStatus.Undelivered, ClientStatus.Expired)},
                ${countOf(spec, ClientStatus.Unknown)}, ${segmentsOf(accepted)}, ${segmentsOf(accepted) * price})
        on conflict (task_id, writer) do update set
          success_count = task_progress.success_count + excluded.success_count,
          failed_count = task_progress.failed_count + excluded.failed_count,
          delivered_count = task_progress.delivered_count + excluded.delivered_count,
          undelivered_count = task_progress.undelivered_count + excluded.undelivered_count,
          unknown_count = task_progress.unknown_count + excluded.unknown_count,
          charged_segments = task_progress.charged_segments + excluded.charged_segments,
          charged_cost = task_progress.charged_cost + excluded.charged_cost`,
  );
};
