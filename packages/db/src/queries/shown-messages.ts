/**
 * What is stored of a message and what users may read of it: one place for every query that shows a text or searches
 * for a number.
 */
import { SendStatus, SmsType } from '@pahatid/contract/enums';
import { fullTailLength } from '@pahatid/domain';
import { type Db, type Fragment, many, run, sql } from '../sql.ts';

/**
 * A run of four digits or more, in any script and with single gaps, and a word of letters and digits with at least
 * three characters: the formats of one-time codes. “5 minutes” stays.
 */
export const codes = '[0-9٠-٩۰-۹０-９](?:[ .-]?[0-9٠-٩۰-۹０-９]){3,}|(?=[0-9A-Za-z]{3})[A-Za-z]*[0-9][0-9A-Za-z]*';

/** A text without what may be a one-time code in it. */
const hideCodes = (text: Fragment<unknown>): Fragment<string> =>
  sql<string>`regexp_replace(${text}, ${codes}, '******', 'g')`;

/** How long a stored code is retained: limits on repeated texts compare the texts of half a minute. */
export const codesKeptMs = 10 * 60_000;

/** A result: the message was handed over, or never will be. */
export const ended = [SendStatus.Failed, SendStatus.Successful];

/**
 * Whether a message `m` is done with its code. In doubt it may be sent again. Messages of tasks keep their text, because a retry
 * sends it once more; only readers are not shown it.
 */
const endedWithCode = sql`m.send_status = any(${ended}::smallint[]) and m.sms_type = ${SmsType.Verification}
  and m.task_id is null`;

/** Takes the codes out of messages of one customer that have ended, in this range of ids. */
export const hideSentCodes = async (
  data: Db,
  customerId: string,
  { from, to }: { from: bigint; to: bigint },
): Promise<number> =>
  run(
    data,
    sql`with b as materialized (
          select batch_id, message_count from batch
          where customer_id = ${customerId} and lane = ${SmsType.Verification} and task_id is null
            and batch_id >= ${String(from)}::bigint - 1000 and batch_id < ${String(to)}::bigint)
        update message m set content = ${hideCodes(sql`m.content`)}
        where m.customer_id = ${customerId} and m.message_id >= ${String(from)}::bigint and m.message_id < ${String(to)}::bigint
          and m.message_id in (
            select x.message_id from b cross join lateral (
              select y.message_id from message y where y.customer_id = ${customerId}
                and y.message_id >= b.batch_id and y.message_id < b.batch_id + b.message_count
              order by y.message_id limit 1000) x)
          and ${endedWithCode} and m.content ~ ${codes}`,
  );

/** Customers, including the internal one, whose software sent codes in this range of IDs. */
export const listCodeSenders = async (db: Db, { from, to }: { from: bigint; to: bigint }): Promise<string[]> => {
  const rows = await many(
    db,
    sql<{ customerId: string }>`select distinct customer_id as "customerId" from batch
      where batch_id >= ${String(from)}::bigint - 1000 and batch_id < ${String(to)}::bigint
        and lane = ${SmsType.Verification} and task_id is null`,
  );
  return rows.map(({ customerId }) => customerId);
};

/**
 * The readable text of a message `m`: no user may read the code of a verification message, because a reader could sign
 * in as its recipient. Those sent by software also lose it in storage, once they have a result.
 */
export const shownContent: Fragment<string> = sql<string>`case when m.sms_type = ${SmsType.Verification}
  then ${hideCodes(sql`m.content`)} else m.content end`;

/** Last digits as a mask shows them: of shorter numbers it shows fewer, so they are not found by these. */
export const endsWith = (msisdn: Fragment<unknown>, digits: string): Fragment<unknown> =>
  sql`(right(${msisdn}, ${digits.length}) = ${digits} and length(${msisdn}) >= ${fullTailLength})`;
