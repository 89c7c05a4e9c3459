/**
 * Builds completed and in-progress messages with all dependent data: batches, rollups, ledger, balance and task
 * counters match the rows to the last segment, as after a real send.
 */
import { pipeline } from 'node:stream/promises';
import { ChargeType, ClientStatus, SendStatus, type SmsType } from '@pahatid/contract/enums';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { messageIdAt, messageIdMs, uuidV7 } from '../ids.ts';
import { moveTemplates } from '../queries/counters.ts';
import { run, sql } from '../sql.ts';

export interface MessageSpec {
  msisdn: string;
  content: string;
  carrier: string | null;
  clientStatus: ClientStatus;
  dealResult?: string;
  carrierCode?: string;
  pkgTotal?: number;
  /** Milliseconds from request to the carrier's response, and from there to the receipt. */
  answerAfterMs?: number;
  receiptAfterMs?: number;
}

export interface BatchSpec {
  customerId: string;
  appId: string;
  taskId?: string;
  /** Of a message of no task. */
  templateId?: string;
  smsType: SmsType;
  clientSid: string;
  supplierId: string;
  routeId: string;
  /**
   * When the messages were accepted: at most 1,000 in one millisecond, with no other batch of the writer in the same
   * one.
   */
  at: Date;
  /** Defaults to 255; tests that check IDs of one writer set their own. */
  writer?: number;
  price?: number;
  messages: MessageSpec[];
}

const refused: readonly ClientStatus[] = [ClientStatus.Rejected, ClientStatus.Blocked];
const defaultWriter = 255;
const defaultPrice = 3500;

const sendStatusOf = (status: ClientStatus): SendStatus => {
  if (status === ClientStatus.Accepted) return SendStatus.Waiting;
  return refused.includes(status) ? SendStatus.Failed : SendStatus.Successful;
};

type Value = string | number | boolean | Date | null | undefined;

const copyText = (value: string): string =>
  value.replace(/[\\\n\r\t]/g, (c) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[c] ?? c);
const copyLine = (values: Value[]): string =>
  `${values
    .map((value) => {
      if (value === null || value === undefined) return '\\N';
      return value instanceof Date ? value.toISOString() : copyText(String(value));
    })
    .join('\t')}\n`;

const copyRows = async (db: pg.PoolClient, into: string, rows: Iterable<Value[]>): Promise<void> => {
  const stream = db.query(copyFrom(`copy ${into} from stdin`));
  await pipeline(async function* () {
    for (const row of rows) yield copyLine(row);
  }, stream);
};

const firstId = (spec: BatchSpec): bigint => messageIdAt(spec.at.getTime(), spec.writer ?? defaultWriter);

function* messageRows(specs: BatchSpec[]): Generator<Value[]> {
  for (const spec of specs) {
    const first = firstId(spec);
    for (const [index, message] of spec.messages.entries()) {
      const sendStatus = sendStatusOf(message.clientStatus);
      const silent = sendStatus === SendStatus.Waiting || message.clientStatus === ClientStatus.Blocked;
      const answered = silent ? null : new Date(spec.at.getTime() + (message.answerAfterMs ?? 40));
      const receipt = answered && message.receiptAfterMs ? new Date(answered.getTime() + message.receiptAfterMs) : null;
      yield [
        ...[spec.customerId, String(first + BigInt(index)), spec.taskId, spec.appId, spec.smsType],
        ...[message.msisdn, 'PH', message.carrier, message.carrier, spec.clientSid, message.content],
        ...[message.pkgTotal ?? 1, ChargeType.SenderPays, spec.price ?? defaultPrice, spec.routeId, spec.supplierId],
        ...[sendStatus, message.clientStatus, message.dealResult, message.carrierCode],
        ...[answered && new Date(answered.getTime() - 30), answered, receipt, spec.templateId],
      ];
    }
  }
}

interface Figures {
  total: number;
  accepted: number;
  refused: number;
  blocked: number;
  delivered: number;
  undelivered: number;
  unknown: number;
  segments: number;
  cost: number;
}

const figuresOf = (messages: readonly MessageSpec[], price: number): Figures => {
  const count = (...statuses: ClientStatus[]) => messages.filter((m) => statuses.includes(m.clientStatus)).length;
  const accepted = messages.filter((m) => sendStatusOf(m.clientStatus) === SendStatus.Successful);
  const segments = accepted.reduce((sum, message) => sum + (message.pkgTotal ?? 1), 0);
  return {
    total: messages.length,
    accepted: accepted.length,
    refused: count(...refused),
    blocked: count(ClientStatus.Blocked),
    delivered: count(ClientStatus.Delivered),
    undelivered: count(ClientStatus.Undelivered, ClientStatus.Expired),
    unknown: count(ClientStatus.Unknown),
    segments,
    cost: segments * price,
  };
};

const add = (a: Figures | undefined, b: Figures): Figures => {
  if (!a) return b;
  const sum = { ...a };
  for (const key of Object.keys(b) as (keyof Figures)[]) sum[key] += b[key];
  return sum;
};

const sumBy = (specs: BatchSpec[], keysOf: (spec: BatchSpec) => [key: string, messages: MessageSpec[]][]) => {
  const sums = new Map<string, { spec: BatchSpec; figures: Figures }>();
  for (const spec of specs)
    for (const [key, messages] of keysOf(spec)) {
      const figures = figuresOf(messages, spec.price ?? defaultPrice);
      sums.set(key, { spec, figures: add(sums.get(key)?.figures, figures) });
    }
  return sums;
};

const minuteOf = (at: Date): Date => new Date(Math.floor(at.getTime() / 60_000) * 60_000);

function* rollupRows(specs: BatchSpec[]): Generator<Value[]> {
  const sums = sumBy(specs, (spec) =>
    [...Map.groupBy(spec.messages, (message) => message.carrier ?? '')].map(([carrier, messages]) => {
      const minute = minuteOf(spec.at).toISOString();
      const key = [spec.customerId, minute, spec.appId, carrier, spec.clientSid, spec.smsType, spec.routeId];
      return [[...key, spec.writer ?? defaultWriter].join('|'), messages];
    }),
  );
  for (const [key, { figures: f }] of sums) {
    const [customerId, minute, appId, carrier, clientSid, smsType, routeId, writer] = key.split('|');
    yield [
      ...[customerId, minute, appId, 'PH', carrier, clientSid, smsType, routeId, writer],
      ...[f.total, f.accepted, f.refused, f.blocked, f.delivered, f.undelivered, f.unknown, f.segments, f.cost],
    ];
  }
}

const batchRow = (spec: BatchSpec): Value[] => {
  const waiting = spec.messages.filter((message) => message.clientStatus === ClientStatus.Accepted).length;
  const figures = figuresOf(spec.messages, 0);
  // If no receipt is awaited, none has to be given up.
  const isClosed = waiting === 0 && !spec.messages.some((message) => message.clientStatus === ClientStatus.Submitted);
  return [
    ...[String(firstId(spec)), spec.customerId, spec.taskId, spec.smsType, spec.supplierId, spec.routeId],
    ...[spec.messages.length, waiting > 0 ? 0 : 2, spec.messages.length - waiting, figures.accepted, figures.refused],
    ...[spec.at, waiting === spec.messages.length ? null : spec.at, waiting > 0 ? null : spec.at],
    isClosed,
  ];
};

function* ledgerRows(specs: BatchSpec[]): Generator<Value[]> {
  for (const spec of specs) {
    const price = spec.price ?? defaultPrice;
    const first = firstId(spec);
    for (const [carrier, messages] of Map.groupBy(spec.messages, (message) => message.carrier)) {
      const { segments, cost } = figuresOf(messages, price);
      if (segments === 0) continue;
      yield [
        ...[spec.customerId, uuidV7(messageIdMs(first)), spec.at, 'charge', -cost, segments, spec.appId],
        ...[spec.taskId, String(first), spec.smsType, carrier, price],
      ];
    }
  }
}

/** The carrier's ID of a part: our ID and the part's number, so it is unique. */
function* routeRows(specs: BatchSpec[]): Generator<Value[]> {
  for (const spec of specs) {
    const first = firstId(spec);
    for (const [index, message] of spec.messages.entries()) {
      if (sendStatusOf(message.clientStatus) !== SendStatus.Successful) continue;
      const messageId = String(first + BigInt(index));
      for (let part = 1; part <= (message.pkgTotal ?? 1); part++) {
        yield [spec.supplierId, `${messageId}-${part}`, spec.customerId, messageId, part];
      }
    }
  }
}

const addBalances = async (db: pg.PoolClient, specs: BatchSpec[]): Promise<void> => {
  const sums = sumBy(specs, (spec) => [[`${spec.customerId}|${spec.writer ?? defaultWriter}`, spec.messages]]);
  for (const [key, { figures }] of sums) {
    const [customerId, writer] = key.split('|');
    await run(
      db,
      sql`insert into balance (customer_id, writer, amount) values (${customerId}, ${writer}, ${-figures.cost})
          on conflict (customer_id, writer) do update set amount = balance.amount + excluded.amount`,
    );
  }
};

const addTaskProgress = async (db: pg.PoolClient, specs: BatchSpec[]): Promise<void> => {
  const ofTasks = specs.filter((spec) => spec.taskId !== undefined);
  const sums = sumBy(ofTasks, (spec) => [[`${spec.taskId}|${spec.writer ?? defaultWriter}`, spec.messages]]);
  for (const [key, { spec, figures: f }] of sums) {
    const [taskId, writer] = key.split('|');
    await run(
      db,
      sql`insert into task_progress (task_id, writer, customer_id, success_count, failed_count, delivered_count,
                                     undelivered_count, unknown_count, charged_segments, charged_cost)
          values (${taskId}, ${writer}, ${spec.customerId}, ${f.accepted}, ${f.refused}, ${f.delivered},
                  ${f.undelivered}, ${f.unknown}, ${f.segments}, ${f.cost})
          on conflict (task_id, writer) do update set
            success_count = task_progress.success_count + excluded.success_count,
            failed_count = task_progress.failed_count + excluded.failed_count,
            delivered_count = task_progress.delivered_count + excluded.delivered_count,
            undelivered_count = task_progress.undelivered_count + excluded.undelivered_count,
            unknown_count = task_progress.unknown_count + excluded.unknown_count,
            charged_segments = task_progress.charged_segments + excluded.charged_segments,
            charged_cost = task_progress.charged_cost + excluded.charged_cost`,
    );
  }
};

const addTemplateDays = async (db: pg.PoolClient, specs: BatchSpec[]): Promise<void> => {
  const ofTemplates = specs.filter((spec) => spec.templateId !== undefined);
  const sums = sumBy(ofTemplates, (spec) => {
    const day = spec.at.toISOString().slice(0, 10);
    return [[`${spec.customerId}|${spec.templateId}|${day}|${spec.writer ?? defaultWriter}`, spec.messages]];
  });
  const moves = [...sums].map(([key, { figures: f }]) => {
    const [customerId = '', templateId = '', day = '', writer] = key.split('|');
    const delta = { success: f.accepted, delivered: f.delivered, undelivered: f.undelivered, unknown: f.unknown };
    return { writer: Number(writer), customerId, templateId, day, delta };
  });
  for (const [writer, of] of Map.groupBy(moves, (move) => move.writer)) await moveTemplates(db, writer, of);
};

const messageColumns = `message (customer_id, message_id, task_id, app_id, sms_type, msisdn, area_code, range_holder, carrier,
  client_sid, content, pkg_total, charge_type, price, route_id, supplier_id, send_status, client_status, deal_result,
  carrier_code, submitted_at, answered_at, report_at, template_id)`;
const batchColumns = `batch (batch_id, customer_id, task_id, lane, supplier_id, route_id, message_count, state, intent_mark,
  success_count, failed_count, created_at, first_sent_at, done_at, receipts_closed)`;
const rollupColumns = `report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer,
  req_total, req_success, req_fail, req_blocked, receipt_success, receipt_fail, receipt_unknown, segments, charged)`;
const routeColumns = 'dlr_route (supplier_id, carrier_message_id, customer_id, message_id, part)';
const ledgerColumns =
  'ledger (customer_id, entry_id, at, kind, amount, segments, app_id, task_id, batch_id, sms_type, carrier, price)';

/** What batches cost in all, 1/10,000 PHP. */
export const sumCosts = (specs: BatchSpec[]): number =>
  specs.reduce((sum, spec) => sum + figuresOf(spec.messages, spec.price ?? defaultPrice).cost, 0);

/** Batches of messages in the states given, in a transaction of the caller's. Two calls share no minute of one writer. */
export const buildBatches = async (db: pg.PoolClient, specs: BatchSpec[]): Promise<void> => {
  const days = new Map(specs.map((spec) => [spec.at.toISOString().slice(0, 10), spec.at]));
  for (const at of days.values()) await run(db, sql`select ensure_partition(${at})`);
  await copyRows(db, messageColumns, messageRows(specs));
  await copyRows(db, batchColumns, specs.map(batchRow));
  await copyRows(db, routeColumns, routeRows(specs));
  await copyRows(db, rollupColumns, rollupRows(specs));
  await copyRows(db, ledgerColumns, ledgerRows(specs));
  await addBalances(db, specs);
  await addTaskProgress(db, specs);
  await addTemplateDays(db, specs);
};

/** Builds one batch; returns the ID of its first message. */
export const buildBatch = async (db: pg.PoolClient, spec: BatchSpec): Promise<bigint> => {
  await buildBatches(db, [spec]);
  return firstId(spec);
};
