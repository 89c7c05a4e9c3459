/** Results by the hour of the day in which they were sent, of one customer. */
import { type Db, many, sql } from '../sql.ts';
import { figuresOf } from './report-figures.ts';

export interface SendHourQuestion {
  customerId: string;
  /** Null: all. */
  appId: string | null;
  from: Date;
  to: Date;
  zone: string;
}

export interface ReceiptHourRow {
  /** 0 to 23 of the zone. */
  hour: number;
  answered: number;
  delivered: number;
}

/** Messages with an outcome, by the hour in which they were requested; hours without any are left out. */
export const sumReceiptsByHour = (db: Db, question: SendHourQuestion): Promise<ReceiptHourRow[]> => {
  const { customerId, appId, zone } = question;
  return many(
    db,
    sql<ReceiptHourRow>`select extract(hour from minute at time zone ${zone})::int as hour,
        sum(receipt_success + receipt_fail + receipt_unknown)::float8 as answered, sum(receipt_success)::float8 as delivered
      from ${figuresOf(question, 'hour')}
      where customer_id = ${customerId} and (${appId}::text is null or app_id = ${appId})
      group by 1 order by 1`,
  );
};

export interface OpenedHourRow {
  hour: number;
  linked: number;
  opened: number;
}

/** Recipients who opened their link, by the hour in which its task started. */
export const sumOpenedByHour = (db: Db, question: SendHourQuestion): Promise<OpenedHourRow[]> => {
  const { customerId, appId, from, to, zone } = question;
  return many(
    db,
    sql<OpenedHourRow>`with sent as (
        select t.task_id, extract(hour from t.started_at at time zone ${zone})::int as hour
        from task t
        where t.customer_id = ${customerId} and (${appId}::text is null or t.app_id = ${appId})
          and t.started_at >= ${from} and t.started_at < ${to}
          and exists (select from link_task u join short_link l on l.link_id = u.link_id
            where u.task_id = t.task_id and u.customer_id = ${customerId} and l.customer_id = ${customerId}
              and l.mode = 'perRecipient')),
      delivered as (
        select task_id, sum(delivered_count) as delivered from task_progress
        where customer_id = ${customerId} and task_id in (select task_id from sent) group by task_id),
      opened as (
        select task_id, sum(first_count) as opened from link_minute
        where customer_id = ${customerId} and minute >= ${from} and verdict = 'human'
          and task_id in (select task_id::text from sent) group by task_id)
      select s.hour, coalesce(sum(d.delivered), 0)::float8 as linked, coalesce(sum(o.opened), 0)::float8 as opened
      from sent s left join delivered d using (task_id) left join opened o on o.task_id = s.task_id::text
      group by 1 order by 1`,
  );
};
