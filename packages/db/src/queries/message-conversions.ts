/** Codes that were entered, as customers' software reports them. */

import { smsType } from '../literals.ts';
import { type Db, maybe, run, sql } from '../sql.ts';

/** Stores that the code of a message was entered; returns false if the application sent no such code. */
export const noteConversion = async (
  db: Db,
  of: { customerId: string; appId: string; messageId: string },
): Promise<boolean> => {
  const isCode = await maybe(
    db,
    sql`select 1 from message where customer_id = ${of.customerId} and message_id = ${of.messageId}::bigint
          and app_id = ${of.appId} and sms_type = ${smsType.Verification}`,
  );
  if (isCode === null) return false;
  await run(
    db,
    sql`insert into message_conversion (customer_id, message_id, at)
        values (${of.customerId}, ${of.messageId}::bigint, clock_timestamp()) on conflict do nothing`,
  );
  return true;
};

export const sweepConversions = (db: Db, ageMs: number): Promise<number> =>
  run(db, sql`delete from message_conversion where at < now() - ${ageMs}::float8 * interval '1 millisecond'`);
