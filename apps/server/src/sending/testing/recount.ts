/** I5: every stored total, at every level, against a recount of the rows. Uses no product code. */
import type { PoolClient } from 'pg';

export interface AuditedRow {
  message_id: string;
  customer_id: string;
  task_id: string | null;
  app_id: string;
  area_code: string;
  carrier: string | null;
  client_sid: string;
  sms_type: number;
  route_id: string;
  msisdn: string;
  content: string;
  pkg_total: number;
  send_status: number;
  client_status: number;
  charge_type: string;
  price: number;
  superseded: boolean;
}

type Sums = Record<string, number>;

/** 41 bits of milliseconds since 2025 above 18 others. */
const minuteOf = (messageId: string): string => {
  const ms = Number(BigInt(messageId) >> 18n) + Date.UTC(2025, 0, 1);
  return new Date(ms - (ms % 60_000)).toISOString();
};

const figuresOf = (row: AuditedRow) => {
  const taken = row.send_status === 3;
  const charged = taken && (row.charge_type === 'SenderPays' || row.client_status === 2);
  return {
    success: taken ? 1 : 0,
    failed: row.send_status === 2 ? 1 : 0,
    delivered: taken && row.client_status === 2 ? 1 : 0,
    undelivered: taken && [3, 4, 5].includes(row.client_status) ? 1 : 0,
    unknown: taken && row.client_status === 6 ? 1 : 0,
    unconfirmed: row.send_status === 1 ? 1 : 0,
    pending: row.send_status === 0 ? 1 : 0,
    segments: taken ? row.pkg_total : 0,
    chargedSegments: charged ? row.pkg_total : 0,
    cost: charged ? row.pkg_total * row.price : 0,
  };
};

const add = (sums: Map<string, Sums>, key: string, figures: Sums): void => {
  const sum = sums.get(key) ?? {};
  for (const [name, value] of Object.entries(figures)) sum[name] = (sum[name] ?? 0) + value;
  sums.set(key, sum);
};

const differences = (what: string, kept: Map<string, Sums>, derived: Map<string, Sums>): string[] => {
  const wrong: string[] = [];
  for (const key of new Set([...kept.keys(), ...derived.keys()])) {
    const [a, b] = [kept.get(key) ?? {}, derived.get(key) ?? {}];
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if ((a[name] ?? 0) !== (b[name] ?? 0))
        wrong.push(`I5 ${what} ${key} ${name}: ${a[name] ?? 0}, rows ${b[name] ?? 0}`);
    }
  }
  return wrong;
};

const readSums = async (tx: PoolClient, text: string): Promise<Map<string, Sums>> => {
  const { rows } = await tx.query<Record<string, string> & { key: string }>(text);
  return new Map(
    rows.map(({ key, ...sums }) => [
      key,
      Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, Number(value)])),
    ]),
  );
};

export const recount = async (tx: PoolClient, rows: readonly AuditedRow[]): Promise<string[]> => {
  const { rows: batches } = await tx.query<{ batch_id: string; end_id: string }>(
    'select batch_id, batch_id + message_count as end_id from batch order by batch_id',
  );
  const starts = batches.map((batch) => [BigInt(batch.batch_id), BigInt(batch.end_id)] as const);
  const wrong: string[] = [];
  const [cells, tasks, results, charges, money] = Array.from({ length: 5 }, () => new Map<string, Sums>());
  let at = -1;
  for (const row of rows) {
    const id = BigInt(row.message_id);
    while (at + 1 < starts.length && starts[at + 1]![0] <= id) at += 1;
    const batch = starts[at];
    if (batch === undefined || id >= batch[1]) wrong.push(`I5 message ${id} lies in no batch`);
    const f = figuresOf(row);
    const { success, failed, delivered, undelivered, unknown, unconfirmed, pending, segments, chargedSegments, cost } =
      f;
    const cell = [
      row.customer_id,
      minuteOf(row.message_id),
      ...[row.app_id, row.area_code, row.carrier ?? '', row.client_sid, row.sms_type, row.route_id],
    ];
    add(cells!, cell.join(' '), { total: 1, success, failed, delivered, undelivered, unknown, segments, cost });
    add(results!, String(batch?.[0]), { total: 1, success, failed });
    if (cost !== 0) add(charges!, String(batch?.[0]), { cost, segments: chargedSegments });
    if (row.task_id === null) continue;
    add(money!, row.task_id, { chargedSegments, cost });
    if (!row.superseded) {
      add(tasks!, row.task_id, { success, failed, delivered, undelivered, unknown, unconfirmed });
      if (success + failed + pending + unconfirmed !== 1) wrong.push(`I5 message ${id} is in no state`);
    }
  }
  const kept = {
    cells: await readSums(
      tx,
      `select concat_ws(' ', customer_id, to_char(minute at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"'), app_id, area_code, carrier,
         client_sid, sms_type, route_id) as key, sum(req_total) as total, sum(req_success) as success, sum(req_fail) as failed,
         sum(receipt_success) as delivered, sum(receipt_fail) as undelivered, sum(receipt_unknown) as unknown,
         sum(segments) as segments, sum(charged) as cost from report_minute group by 1`,
    ),
    tasks: await readSums(
      tx,
      `select task_id as key, sum(success_count) as success, sum(failed_count) as failed, sum(delivered_count) as delivered,
         sum(undelivered_count) as undelivered, sum(unknown_count) as unknown, sum(unconfirmed_count) as unconfirmed
       from task_progress group by 1`,
    ),
    money: await readSums(
      tx,
      `select task_id as key, sum(charged_segments) as "chargedSegments", sum(charged_cost) as cost from task_progress group by 1`,
    ),
    results: await readSums(
      tx,
      `select batch_id as key, message_count as total, success_count as success, failed_count as failed from batch`,
    ),
    charges: await readSums(
      tx,
      `select batch_id as key, -sum(amount) as cost, sum(segments) as segments from ledger where batch_id is not null group by 1`,
    ),
    balances: await readSums(tx, 'select customer_id as key, sum(amount) as amount from balance group by 1'),
    ledger: await readSums(tx, 'select customer_id as key, sum(amount) as amount from ledger group by 1'),
  };
  return [
    ...wrong,
    ...differences('cell', kept.cells, cells!),
    ...differences('task', kept.tasks, tasks!),
    ...differences('money of task', kept.money, money!),
    ...differences('batch', kept.results, results!),
    ...differences('charges of batch', kept.charges, charges!),
    ...differences('balance', kept.balances, kept.ledger),
  ];
};
