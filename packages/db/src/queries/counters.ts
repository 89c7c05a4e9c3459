/**
 * All counts of messages: rollups, task counters, ledger and balance. Each process updates its own writer's rows
 * number, so that transactions of two processes never wait for each other; a reader sums them.
 */
import { uuidV7 } from '../ids.ts';
import { together } from '../pipelined.ts';
import { type Db, prepared, run, sql } from '../sql.ts';
import { datedAt } from './ledger-folding.ts';

/** A row of report_minute without its writer. */
export interface RollupKey {
  customerId: string;
  /** The minute in which the messages were accepted, from their IDs: Unix milliseconds. */
  minuteMs: number;
  appId: string;
  areaCode: string;
  /** '' if unknown. */
  carrier: string;
  clientSid: string;
  smsType: number;
  routeId: string;
}

export interface RollupDelta {
  reqTotal: number;
  reqSuccess: number;
  reqFail: number;
  /** Of `reqFail`, what was handed over to no carrier: blocked or terminated. */
  reqBlocked: number;
  receiptSuccess: number;
  receiptFail: number;
  receiptUnknown: number;
  segments: number;
  /** 1/10,000 PHP. */
  charged: number;
}

export interface TaskDelta {
  success: number;
  failed: number;
  delivered: number;
  undelivered: number;
  unknown: number;
  unconfirmed: number;
  chargedSegments: number;
  chargedCost: number;
  /** What its messages may still be charged, 1/10,000 PHP. */
  awaitedCost: number;
}

/** Of messages that software sent with a template. */
export interface TemplateDelta {
  success: number;
  delivered: number;
  undelivered: number;
  unknown: number;
}

/** A row of template_day without its writer. */
export interface TemplateMove {
  customerId: string;
  templateId: string;
  /** The UTC day in which the messages were accepted, from their IDs: `2026-01-31`. */
  day: string;
  delta: TemplateDelta;
}

export interface Charge {
  customerId: string;
  appId: string;
  taskId: string | null;
  batchId: bigint;
  smsType: number;
  /** '' if unknown. */
  carrier: string;
  /** Of a segment, 1/10,000 PHP. */
  price: number;
  segments: number;
  /** 1/10,000 PHP, positive. */
  cost: number;
}

export const noRollup = (): RollupDelta => ({
  reqTotal: 0,
  reqSuccess: 0,
  reqFail: 0,
  reqBlocked: 0,
  receiptSuccess: 0,
  receiptFail: 0,
  receiptUnknown: 0,
  segments: 0,
  charged: 0,
});

export const noTaskDelta = (): TaskDelta => ({
  success: 0,
  failed: 0,
  delivered: 0,
  undelivered: 0,
  unknown: 0,
  unconfirmed: 0,
  chargedSegments: 0,
  chargedCost: 0,
  awaitedCost: 0,
});

/** Returns the minute in which a message accepted at this instant is counted. */
export const toMinute = (unixMs: number): number => Math.floor(unixMs / 60_000) * 60_000;

const minuteKey = (key: RollupKey): string =>
  `${key.customerId}|${key.minuteMs}|${key.appId}|${key.areaCode}|${key.carrier}|${key.clientSid}|${key.smsType}|${key.routeId}`;

/** Keys are locked in the same order in every transaction; otherwise two of them could deadlock. */
export const moveRollups = async (
  db: Db,
  writer: number,
  moves: ReadonlyMap<RollupKey, RollupDelta>,
): Promise<void> => {
  if (moves.size === 0) return;
  const rows = [...moves]
    .map(([key, delta]) => ({ key, delta, order: minuteKey(key) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  await run(
    db,
    prepared(sql`insert into report_minute as r (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer,
          req_total, req_success, req_fail, req_blocked, receipt_success, receipt_fail, receipt_unknown, segments, charged)
        select customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, ${writer}::smallint,
          req_total, req_success, req_fail, req_blocked, receipt_success, receipt_fail, receipt_unknown, segments, charged
        from unnest(${rows.map((row) => row.key.customerId)}::uuid[],
          ${rows.map((row) => new Date(row.key.minuteMs))}::timestamptz[], ${rows.map((row) => row.key.appId)}::text[],
          ${rows.map((row) => row.key.areaCode)}::text[], ${rows.map((row) => row.key.carrier)}::text[],
          ${rows.map((row) => row.key.clientSid)}::text[], ${rows.map((row) => row.key.smsType)}::smallint[],
          ${rows.map((row) => row.key.routeId)}::uuid[], ${rows.map((row) => row.delta.reqTotal)}::int[],
          ${rows.map((row) => row.delta.reqSuccess)}::int[], ${rows.map((row) => row.delta.reqFail)}::int[],
          ${rows.map((row) => row.delta.reqBlocked)}::int[],
          ${rows.map((row) => row.delta.receiptSuccess)}::int[], ${rows.map((row) => row.delta.receiptFail)}::int[],
          ${rows.map((row) => row.delta.receiptUnknown)}::int[], ${rows.map((row) => row.delta.segments)}::int[],
          ${rows.map((row) => row.delta.charged)}::bigint[])
          as t(customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id,
            req_total, req_success, req_fail, req_blocked, receipt_success, receipt_fail, receipt_unknown, segments, charged)
        on conflict (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer) do update set
          req_total = r.req_total + excluded.req_total,
          req_success = r.req_success + excluded.req_success,
          req_fail = r.req_fail + excluded.req_fail,
          req_blocked = r.req_blocked + excluded.req_blocked,
          receipt_success = r.receipt_success + excluded.receipt_success,
          receipt_fail = r.receipt_fail + excluded.receipt_fail,
          receipt_unknown = r.receipt_unknown + excluded.receipt_unknown,
          segments = r.segments + excluded.segments,
          charged = r.charged + excluded.charged`),
  );
};

export const moveTasks = async (
  db: Db,
  writer: number,
  moves: ReadonlyMap<string, { customerId: string; delta: TaskDelta }>,
): Promise<void> => {
  if (moves.size === 0) return;
  const rows = [...moves].sort(([a], [b]) => (a < b ? -1 : 1)).map(([taskId, move]) => ({ taskId, ...move }));
  await run(
    db,
    prepared(sql`insert into task_progress as p (task_id, writer, customer_id, success_count, failed_count, delivered_count,
          undelivered_count, unknown_count, unconfirmed_count, charged_segments, charged_cost, awaited_cost)
        select task_id, ${writer}::smallint, customer_id, success, failed, delivered, undelivered, unknown, unconfirmed, segments, cost, awaited
        from unnest(${rows.map((row) => row.taskId)}::uuid[], ${rows.map((row) => row.customerId)}::uuid[],
          ${rows.map((row) => row.delta.success)}::int[], ${rows.map((row) => row.delta.failed)}::int[],
          ${rows.map((row) => row.delta.delivered)}::int[], ${rows.map((row) => row.delta.undelivered)}::int[],
          ${rows.map((row) => row.delta.unknown)}::int[], ${rows.map((row) => row.delta.unconfirmed)}::int[],
          ${rows.map((row) => row.delta.chargedSegments)}::bigint[], ${rows.map((row) => row.delta.chargedCost)}::bigint[],
          ${rows.map((row) => row.delta.awaitedCost)}::bigint[])
          as t(task_id, customer_id, success, failed, delivered, undelivered, unknown, unconfirmed, segments, cost, awaited)
        on conflict (task_id, writer) do update set
          success_count = p.success_count + excluded.success_count,
          failed_count = p.failed_count + excluded.failed_count,
          delivered_count = p.delivered_count + excluded.delivered_count,
          undelivered_count = p.undelivered_count + excluded.undelivered_count,
          unknown_count = p.unknown_count + excluded.unknown_count,
          unconfirmed_count = p.unconfirmed_count + excluded.unconfirmed_count,
          charged_segments = p.charged_segments + excluded.charged_segments,
          charged_cost = p.charged_cost + excluded.charged_cost,
          awaited_cost = p.awaited_cost + excluded.awaited_cost`),
  );
};

export const noTemplateDelta = (): TemplateDelta => ({ success: 0, delivered: 0, undelivered: 0, unknown: 0 });

/** Rows of one place must have come together; they are locked in one order, as those of rollups are. */
export const moveTemplates = async (db: Db, writer: number, moves: readonly TemplateMove[]): Promise<void> => {
  if (moves.length === 0) return;
  const orderOf = ({ customerId, templateId, day }: TemplateMove) => `${customerId}|${templateId}|${day}`;
  const rows = [...moves].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  await run(
    db,
    prepared(sql`insert into template_day as t (customer_id, template_id, day, writer, success_count, delivered_count, undelivered_count,
          unknown_count)
        select customer_id, template_id, day, ${writer}::smallint, success, delivered, undelivered, unknown
        from unnest(${rows.map((row) => row.customerId)}::uuid[], ${rows.map((row) => row.templateId)}::uuid[],
          ${rows.map((row) => row.day)}::date[], ${rows.map((row) => row.delta.success)}::int[],
          ${rows.map((row) => row.delta.delivered)}::int[], ${rows.map((row) => row.delta.undelivered)}::int[],
          ${rows.map((row) => row.delta.unknown)}::int[])
          as i(customer_id, template_id, day, success, delivered, undelivered, unknown)
        on conflict (customer_id, template_id, day, writer) do update set
          success_count = t.success_count + excluded.success_count,
          delivered_count = t.delivered_count + excluded.delivered_count,
          undelivered_count = t.undelivered_count + excluded.undelivered_count,
          unknown_count = t.unknown_count + excluded.unknown_count`),
  );
};

/** Writes ledger entries, the balance that is their sum, and per customer the amount held until receipts arrive. */
export const chargeCustomers = async (
  db: Db,
  writer: number,
  charges: readonly Charge[],
  at: Date,
  holds: ReadonlyMap<string, number> = new Map(),
): Promise<void> => {
  const moves = new Map([...holds].map(([customerId, held]) => [customerId, { amount: 0, held }]));
  for (const { customerId, cost } of charges) {
    const move = moves.get(customerId) ?? { amount: 0, held: 0 };
    moves.set(customerId, { ...move, amount: move.amount - cost });
  }
  const rows = [...moves]
    .filter(([, { amount, held }]) => amount !== 0 || held !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const moveBalances = async () => {
    if (rows.length === 0) return;
    await run(
      db,
      prepared(sql`insert into balance as b (customer_id, writer, amount, held)
        select customer_id, ${writer}::smallint, amount, held
        from unnest(${rows.map(([id]) => id)}::uuid[], ${rows.map(([, { amount }]) => amount)}::bigint[],
          ${rows.map(([, { held }]) => held)}::bigint[]) as t(customer_id, amount, held)
        on conflict (customer_id, writer) do update set amount = b.amount + excluded.amount, held = b.held + excluded.held`),
    );
  };
  await together(db, [() => insertCharges(db, charges, at), moveBalances]);
};

const insertCharges = async (db: Db, charges: readonly Charge[], at: Date): Promise<void> => {
  if (charges.length === 0) return;
  await run(
    db,
    prepared(sql`insert into ledger (customer_id, entry_id, at, kind, amount, segments, app_id, task_id, batch_id, sms_type,
          carrier, price)
        select customer_id, entry_id, ${datedAt(at)}, 'charge', -cost, segments, app_id, task_id, batch_id, sms_type,
          nullif(carrier, ''), price
        from unnest(${charges.map((charge) => charge.customerId)}::uuid[], ${charges.map(() => uuidV7())}::uuid[],
          ${charges.map((charge) => charge.cost)}::bigint[], ${charges.map((charge) => charge.segments)}::int[],
          ${charges.map((charge) => charge.appId)}::text[], ${charges.map((charge) => charge.taskId)}::uuid[],
          ${charges.map((charge) => String(charge.batchId))}::bigint[], ${charges.map((charge) => charge.smsType)}::smallint[],
          ${charges.map((charge) => charge.carrier)}::text[], ${charges.map((charge) => charge.price)}::bigint[])
          as t(customer_id, entry_id, cost, segments, app_id, task_id, batch_id, sms_type, carrier, price)`),
  );
};
