/** Recipients of a task by the outcome of their messages, read by the key ranges of its batches. */
import type { TaskOutcome } from '@pahatid/contract';
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { DealResult } from '@pahatid/domain';
import { type Db, type Fragment, many, sql } from '../sql.ts';
import { archivedIn } from './message-archive.ts';

const conditions: Record<Exclude<TaskOutcome, 'clicked'>, Fragment<unknown>> = {
  delivered: sql`m.client_status = ${ClientStatus.Delivered}`,
  undelivered: sql`m.client_status = ${ClientStatus.Undelivered}`,
  expired: sql`m.client_status = ${ClientStatus.Expired}`,
  rejected: sql`m.client_status = ${ClientStatus.Rejected} and m.send_status = ${SendStatus.Successful}`,
  unknown: sql`m.client_status = ${ClientStatus.Unknown}`,
  refused: sql`m.send_status = ${SendStatus.Failed}`,
  invalid: sql`m.deal_result = ${DealResult.RefusedDestination}`,
};

export const listOutcome = async (
  db: Db,
  of: { customerId: string; taskId: string; outcomes: readonly TaskOutcome[]; after: string; batches: number },
): Promise<{ msisdns: string[]; read: number; next: string | null }> => {
  const batches = await many(
    db,
    sql<{ batchId: string; n: number }>`select batch_id::text as "batchId", message_count as n from batch
      where customer_id = ${of.customerId} and task_id = ${of.taskId} and batch_id > ${of.after}::bigint
      order by batch_id limit ${of.batches}`,
  );
  const clicked = of.outcomes.includes('clicked') ? await listClicked(db, of.customerId, batches) : [];
  const isWanted =
    of.outcomes.length === 0
      ? sql`false`
      : sql.join(
          of.outcomes.map((each) =>
            each === 'clicked' ? sql`m.message_id = any(${clicked}::bigint[])` : sql`(${conditions[each]})`,
          ),
          sql` or `,
        );
  const isRecipient = sql`not m.superseded and m.msisdn <> '' and (${isWanted})`;
  const ids = batches.map((row) => row.batchId);
  const rows = await many(
    db,
    sql<{ msisdn: string }>`with b as materialized (
        select batch_id, message_count from batch where task_id = ${of.taskId} and batch_id = any(${ids}::bigint[]))
      select m.msisdn from (
        select m.message_id, m.msisdn from b join message m on m.customer_id = ${of.customerId}
          and m.message_id >= b.batch_id and m.message_id < b.batch_id + b.message_count
        where ${isRecipient}
        union all
        select m.message_id, m.msisdn from (
          select min(batch_id) as low, max(batch_id + message_count) as high from b) r
        cross join lateral (${archivedIn(sql`${of.customerId}::uuid`, sql`r.low`, sql`r.high`)}) m
        where m.task_id = ${of.taskId} and ${isRecipient}) m
      order by m.message_id`,
  );
  return {
    msisdns: rows.map((row) => row.msisdn),
    read: batches.reduce((sum, row) => sum + row.n, 0),
    next: batches.length < of.batches ? null : (batches.at(-1)?.batchId ?? null),
  };
};

/** Codes lie elsewhere than messages, so they are asked apart. */
const listClicked = async (
  db: Db,
  customerId: string,
  batches: readonly { batchId: string; n: number }[],
): Promise<string[]> => {
  const last = batches.at(-1);
  if (last === undefined) return [];
  const rows = await many(
    db,
    sql<{ id: string }>`select message_id::text as id from link_code
      where customer_id = ${customerId} and message_id >= ${batches[0]!.batchId}::bigint
        and message_id < ${last.batchId}::bigint + ${last.n}::int and first_click_at is not null`,
  );
  return rows.map((row) => row.id);
};
