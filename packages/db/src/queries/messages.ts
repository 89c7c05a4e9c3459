/** Rows of `message`, one per recipient. */
import type pg from 'pg';
import { type CopyValue, copyLine, copyLines } from '../copy-lines.ts';
import { many, sql } from '../sql.ts';

export interface NewMessage {
  customerId: string;
  messageId: bigint;
  taskId: string | null;
  appId: string;
  smsType: number;
  msisdn: string;
  areaCode: string;
  rangeHolder: string | null;
  carrier: string | null;
  clientSid: string;
  content: string;
  pkgTotal: number;
  chargeType: string;
  /** 1/10,000 PHP a segment. */
  price: number;
  routeId: string;
  supplierId: string;
  retryOf: bigint | null;
  sendStatus: number;
  clientStatus: number;
  dealResult: string | null;
}

const columns = `message (customer_id, message_id, task_id, app_id, sms_type, msisdn, area_code, range_holder, carrier,
  client_sid, content, pkg_total, charge_type, price, route_id, supplier_id, retry_of, send_status, client_status, deal_result)`;

const valuesOf = (row: NewMessage): CopyValue[] => [
  row.customerId,
  row.messageId,
  row.taskId,
  row.appId,
  row.smsType,
  row.msisdn,
  row.areaCode,
  row.rangeHolder,
  row.carrier,
  row.clientSid,
  row.content,
  row.pkgTotal,
  row.chargeType,
  row.price,
  row.routeId,
  row.supplierId,
  row.retryOf,
  row.sendStatus,
  row.clientStatus,
  row.dealResult,
];

export const insertMessages = async (tx: pg.PoolClient, rows: readonly NewMessage[]): Promise<void> => {
  let lines = '';
  for (const row of rows) lines += copyLine(valuesOf(row));
  await copyLines(tx, columns, lines);
};

/**
 * Marks messages as repeated by a later one and answers what each had been, once: marked before, it is left out, so
 * that what follows from the answer is done a single time.
 */
export const supersedeMessages = async (
  tx: pg.PoolClient,
  customerId: string,
  messageIds: readonly bigint[],
): Promise<{ sendStatus: number; clientStatus: number }[]> =>
  await many(
    tx,
    sql`update message set superseded = true
        where customer_id = ${customerId} and message_id = any(${messageIds.map(String)}::bigint[]) and not superseded
        returning send_status as "sendStatus", client_status as "clientStatus"`,
  );
