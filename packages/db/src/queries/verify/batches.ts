/** Batches and what their messages add up to. */

import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { BatchState, ParkReason } from '@pahatid/domain';
import type pg from 'pg';
import { dayIds, isAnyArchived, messagesOfBlock } from '../message-archive.ts';
import type { IdRange } from './snapshot.ts';

export interface BatchFacts {
  batchId: bigint;
  taskId: string | null;
  appId: string | null;
  messageCount: number;
  state: number;
  round: number;
  isOwned: boolean;
  isLeased: boolean;
  /** Its messages wait for a decision after a restore, in doubt. */
  isRestored: boolean;
  intentMark: number;
  notTaken: number[];
  successCount: number;
  failedCount: number;
  /** Amount held for it, 1/10,000 PHP. */
  cost: number;
}

/** Messages of one batch (or of none) that are counted in the same place, and what they add up to. */
export interface MessageSums {
  batchId: bigint | null;
  taskId: string | null;
  appId: string;
  areaCode: string;
  carrier: string;
  clientSid: string;
  smsType: number;
  routeId: string;
  superseded: boolean;
  minuteMs: number;
  templateId: string | null;
  firstId: bigint;
  rows: number;
  waiting: number;
  sending: number;
  failed: number;
  blocked: number;
  success: number;
  delivered: number;
  undelivered: number;
  unknown: number;
  segments: number;
  chargedSegments: number;
  /** Those with a cost: the ledger has no entry for free segments. */
  paidSegments: number;
  /** 1/10,000 PHP: charged, and what all of them cost once they are. */
  charged: number;
  cost: number;
  /** Of ReceiverPays without a receipt yet. */
  awaited: number;
  repeats: number;
  /** Hashes of the repeated ids and of these ids, all XORed. */
  repeatsHash: bigint;
  ownHash: bigint;
  /** Hashes of ids with states, segments and prices, all XORed. */
  checksum: bigint;
  /** In states that no message can be in. */
  impossible: number;
  /**
   * Messages whose task, application or send type differs from the batch's; or waiting messages whose route or supplier
   * account differs: messages sent before the rest of the batch was rerouted keep theirs.
   */
  foreign: number;
  sendingIds: bigint[];
  /** Positions that may be at a carrier, the highest; -1: none. */
  lastHandedOver: number;
  /** Positions below the intent mark that wait; of batches that no sender holds. */
  waitingBelowMark: number[];
}

/** Receipts count for what the carrier accepted alone; SenderPays is charged then, ReceiverPays when delivered. */
const isCharged = `m.send_status = ${SendStatus.Successful} and (m.charge_type = 'SenderPays'
  or m.client_status = ${ClientStatus.Delivered})`;

const sums = `
  m.task_id as "taskId", m.app_id as "appId", m.area_code as "areaCode", coalesce(m.carrier, '') as carrier,
  m.client_sid as "clientSid", m.sms_type as "smsType", m.route_id as "routeId", m.superseded, ((m.message_id >> 18) + 1735689600000) / 60000 as minute,
  m.template_id as "templateId",
  min(m.message_id) as "firstId", count(*)::int as rows,
  count(*) filter (where m.send_status = ${SendStatus.Waiting})::int as waiting,
  count(*) filter (where m.send_status = ${SendStatus.Sending})::int as sending,
  count(*) filter (where m.send_status = ${SendStatus.Failed})::int as failed,
  count(*) filter (where m.send_status = ${SendStatus.Failed} and m.client_status = ${ClientStatus.Blocked})::int as blocked,
  count(*) filter (where m.send_status = ${SendStatus.Successful})::int as success,
  count(*) filter (where m.send_status = ${SendStatus.Successful}
    and m.client_status = ${ClientStatus.Delivered})::int as delivered,
  count(*) filter (where m.send_status = ${SendStatus.Successful}
    and m.client_status in (${ClientStatus.Undelivered}, ${ClientStatus.Expired}, ${ClientStatus.Rejected}))::int as undelivered,
  count(*) filter (where m.send_status = ${SendStatus.Successful}
    and m.client_status = ${ClientStatus.Unknown})::int as unknown,
  coalesce(sum(m.pkg_total) filter (where m.send_status = ${SendStatus.Successful}), 0)::int as segments,
  coalesce(sum(m.pkg_total) filter (where ${isCharged}), 0)::int as "chargedSegments",
  coalesce(sum(m.pkg_total) filter (where ${isCharged} and m.price > 0), 0)::int as "paidSegments",
  coalesce(sum(m.pkg_total::bigint * m.price) filter (where ${isCharged}), 0)::float8 as charged,
  sum(m.pkg_total::bigint * m.price)::float8 as cost,
  coalesce(sum(m.pkg_total::bigint * m.price)
    filter (where m.send_status = ${SendStatus.Successful} and m.client_status = ${ClientStatus.Submitted}
      and m.charge_type = 'ReceiverPays'), 0)::float8 as awaited,
  count(m.retry_of)::int as repeats,
  coalesce(bit_xor(hashint8extended(m.retry_of, 0)) filter (where m.retry_of is not null), 0) as "repeatsHash",
  case when m.superseded then bit_xor(hashint8extended(m.message_id, 0)) else 0 end as "ownHash",
  bit_xor(hashint8extended(m.message_id, (m.price::bigint << 16) + m.pkg_total * 256 + m.send_status * 16 + m.client_status)) as checksum,
  count(*) filter (where m.send_status not between ${SendStatus.Waiting} and ${SendStatus.Successful}
    or (m.send_status in (${SendStatus.Waiting}, ${SendStatus.Sending}) and m.client_status <> ${ClientStatus.Accepted})
    or (m.send_status = ${SendStatus.Failed} and m.client_status not in (${ClientStatus.Rejected}, ${ClientStatus.Blocked}))
    or (m.send_status = ${SendStatus.Successful} and m.client_status not between ${ClientStatus.Submitted}
      and ${ClientStatus.Unknown}))::int as impossible,
  coalesce(array_agg(m.message_id) filter (where m.send_status = ${SendStatus.Sending}), '{}') as "sendingIds"`;

const ofBatch = `
  count(*) filter (where (m.send_status = ${SendStatus.Waiting} and (m.route_id <> b.route_id
    or m.supplier_id <> b.supplier_id))
    or m.sms_type <> b.lane or m.task_id is distinct from b.task_id or m.app_id <> coalesce(b.app_id, m.app_id))::int as "foreign",
  coalesce(max(m.message_id - b.batch_id) filter (where m.send_status in (${SendStatus.Sending}, ${SendStatus.Successful})), -1)::int as "lastHandedOver",
  coalesce(array_agg((m.message_id - b.batch_id)::int) filter (
    where m.send_status = ${SendStatus.Waiting} and b.state <> ${BatchState.Claimed}
      and m.message_id - b.batch_id < b.intent_mark), '{}') as "waitingBelowMark"`;

/** Archived messages `m` of the range; `b`: the batch of each, found by the index of batches, if it is one of the range. */
const archived = `
  message_archive a cross join lateral ${messagesOfBlock.texts[0]} m
  left join lateral (
    select x.* from (
      select batch_id, customer_id, task_id, app_id, lane, supplier_id, route_id, message_count, state, intent_mark
      from batch where batch_id <= m.message_id order by batch_id desc limit 1) x
    where x.customer_id = $1 and x.batch_id >= $2 and m.message_id < x.batch_id + x.message_count) b on true
  where a.customer_id = $1 and a.first_id < $3 and a.first_id > $2 - ${dayIds} and a.last_id >= $2
    and m.message_id >= $2 and m.message_id < $3`;

const keys = '1, 2, 3, 4, 5, 6, 7, 8, 9, 10';

interface SummedBatch {
  batch: BatchFacts;
  sums: MessageSums[];
}

/**
 * Every batch of the range with the sums of its messages, and messages that lie in no batch. A batch without messages has
 * `sums: []`. It ends where the next one begins, regardless of its count, so no message is counted twice.
 */
export const readBatches = async (
  tx: pg.PoolClient,
  customerId: string,
  range: IdRange,
): Promise<{ batches: SummedBatch[]; strays: MessageSums[] }> => {
  const found = await readBatchesOfRows(tx, customerId, range);
  const strays = await readStrays(tx, customerId, range);
  for (const { batchId, ...row } of await readArchivedSums(tx, customerId, range)) {
    const entry = batchId === null ? undefined : found.get(batchId);
    (entry?.sums ?? strays).push(toMessageSums(row, entry?.batch.batchId ?? null));
  }
  return { batches: [...found.values()], strays };
};

/** By id; sums of messages that are rows. */
const readBatchesOfRows = async (
  tx: pg.PoolClient,
  customerId: string,
  { low, high }: IdRange,
): Promise<Map<string, SummedBatch>> => {
  // A short range of the primary key for each batch; a small table would be read as a whole each time.
  await tx.query('set local enable_seqscan = off');
  const { rows } = await tx.query<BatchRow & (SumsRow | NoSumsRow)>({
    name: 'verify_batches',
    text: `
      with b as materialized (
        select batch_id, task_id, app_id, lane, supplier_id, route_id, message_count, state, round,
          owner is not null as is_owned, lease_until is not null as is_leased,
          state = ${BatchState.Parked} and parked_for = ${ParkReason.Restore} as is_restored, intent_mark, not_taken, success_count, failed_count, cost,
          least(batch_id + message_count, lead(batch_id, 1, $3::bigint) over (order by batch_id)) as end_id
        from batch where customer_id = $1 and batch_id >= $2 and batch_id < $3)
      select b.batch_id as "batchId", b.task_id as "batchTaskId", b.app_id as "batchAppId", b.message_count as "messageCount",
        b.state, b.round, b.is_owned as "isOwned", b.is_leased as "isLeased", b.is_restored as "isRestored", b.intent_mark as "intentMark",
        b.not_taken as "notTaken", b.success_count as "successCount", b.failed_count as "failedCount",
        b.cost as "batchCost", g.*
      from b left join lateral (
        select ${sums}, ${ofBatch}
        from message m
        where m.customer_id = $1 and m.message_id >= b.batch_id and m.message_id < b.end_id
          and m.message_id >= $2 and m.message_id < $3
        group by ${keys}) g on true`,
    values: [customerId, String(low), String(high)],
  });
  await tx.query('set local enable_seqscan = on');
  const found = new Map<string, SummedBatch>();
  for (const row of rows) {
    let entry = found.get(row.batchId);
    if (entry === undefined) {
      entry = { batch: toBatchFacts(row), sums: [] };
      found.set(row.batchId, entry);
    }
    if (row.firstId !== null) entry.sums.push(toMessageSums(row, entry.batch.batchId));
  }
  return found;
};

/** Sums of archived messages by batch; null: in no batch of the range. A batch may have rows as well. */
const readArchivedSums = async (
  tx: pg.PoolClient,
  customerId: string,
  { low, high }: IdRange,
): Promise<(SumsRow & { batchId: string | null })[]> => {
  if (!(await isAnyArchived(tx, customerId, String(low), String(high - 1n)))) return [];
  const { rows } = await tx.query<SumsRow & { batchId: string | null }>(
    `select ${sums}, ${ofBatch}, b.batch_id as "batchId" from ${archived} group by ${keys}, b.batch_id`,
    [customerId, String(low), String(high)],
  );
  return rows;
};

/** Messages of the range that are rows and lie in no batch. */
const readStrays = async (tx: pg.PoolClient, customerId: string, { low, high }: IdRange): Promise<MessageSums[]> => {
  await tx.query('set local enable_seqscan = off');
  const { rows } = await tx.query<StrayRow>({
    name: 'verify_strays',
    text: `
      with b as materialized (
        select batch_id, batch_id + message_count as end_id, lead(batch_id, 1, $3::bigint) over (order by batch_id) as next_id
        from batch where customer_id = $1 and batch_id >= $2 and batch_id < $3),
      gap as (
        select end_id as low, next_id as high from b where end_id < next_id
        union all select $2::bigint, coalesce((select min(batch_id) from b), $3::bigint))
      select g.* from gap cross join lateral (
        select ${sums} from message m
        where m.customer_id = $1 and m.message_id >= gap.low and m.message_id < gap.high
          and m.message_id >= $2 and m.message_id < $3
        group by ${keys}) g`,
    values: [customerId, String(low), String(high)],
  });
  await tx.query('set local enable_seqscan = on');
  return rows.map((row) => toMessageSums({ ...row, foreign: 0, lastHandedOver: -1, waitingBelowMark: [] }, null));
};

/** A bigint arrives as text. */
interface BatchRow {
  batchId: string;
  batchTaskId: string | null;
  batchAppId: string | null;
  messageCount: number;
  state: number;
  round: number;
  isOwned: boolean;
  isLeased: boolean;
  isRestored: boolean;
  intentMark: number;
  notTaken: number[];
  successCount: number;
  failedCount: number;
  batchCost: string;
}

/** The columns of `sums` and those that a batch adds. */
interface SumsRow extends Omit<MessageSums, keyof BigintSums | 'batchId' | 'minuteMs'>, BigintSums {
  minute: string;
}

interface BigintSums {
  firstId: string;
  repeatsHash: string;
  ownHash: string;
  checksum: string;
  sendingIds: string[];
}

/** A batch without messages. */
interface NoSumsRow {
  firstId: null;
}

type StrayRow = Omit<SumsRow, 'foreign' | 'lastHandedOver' | 'waitingBelowMark'>;

const toBatchFacts = (row: BatchRow): BatchFacts => ({
  batchId: BigInt(row.batchId),
  taskId: row.batchTaskId,
  appId: row.batchAppId,
  messageCount: row.messageCount,
  state: row.state,
  round: row.round,
  isOwned: row.isOwned,
  isLeased: row.isLeased,
  isRestored: row.isRestored,
  intentMark: row.intentMark,
  notTaken: row.notTaken,
  successCount: row.successCount,
  failedCount: row.failedCount,
  cost: Number(row.batchCost),
});

const toMessageSums = (row: SumsRow, batchId: bigint | null): MessageSums => ({
  batchId,
  taskId: row.taskId,
  appId: row.appId,
  areaCode: row.areaCode,
  carrier: row.carrier,
  clientSid: row.clientSid,
  smsType: row.smsType,
  routeId: row.routeId,
  superseded: row.superseded,
  minuteMs: Number(row.minute) * 60_000,
  templateId: row.templateId,
  firstId: BigInt(row.firstId),
  rows: row.rows,
  waiting: row.waiting,
  sending: row.sending,
  failed: row.failed,
  blocked: row.blocked,
  success: row.success,
  delivered: row.delivered,
  undelivered: row.undelivered,
  unknown: row.unknown,
  segments: row.segments,
  chargedSegments: row.chargedSegments,
  paidSegments: row.paidSegments,
  charged: row.charged,
  cost: row.cost,
  awaited: row.awaited,
  repeats: row.repeats,
  repeatsHash: BigInt(row.repeatsHash),
  ownHash: BigInt(row.ownHash),
  checksum: BigInt(row.checksum),
  impossible: row.impossible,
  foreign: row.foreign,
  sendingIds: row.sendingIds.map(BigInt),
  lastHandedOver: row.lastHandedOver,
  waitingBelowMark: row.waitingBelowMark,
});
