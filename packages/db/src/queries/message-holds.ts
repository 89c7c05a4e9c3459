/** Why a message waits that no sender has. */
import { BatchState, ParkReason } from '@pahatid/domain';
import { batchState } from '../literals.ts';
import { type Db, maybe, sql } from '../sql.ts';
import { reasonToPark } from './batch-parking.ts';

export interface MessageHold {
  /** Null: it waits for its turn. */
  reason: ParkReason | null;
  notBefore: Date | null;
  smsType: number;
  quietFrom: number;
  quietTo: number;
  quietHoursExempt: boolean;
}

/** Null: a sender has it, or had. Reasons are those of now; of a carrier and of a restore those of the last look. */
export const findMessageHold = async (
  db: Db,
  customerId: string,
  messageId: string,
  manilaHour: number,
): Promise<MessageHold | null> => {
  const row = await maybe<MessageHold & { parkedFor: ParkReason | null; state: number }>(
    db,
    sql`select ${reasonToPark(manilaHour)} as reason, b.parked_for as "parkedFor", b.state, b.not_before as "notBefore",
          b.lane as "smsType", c.quiet_from as "quietFrom", c.quiet_to as "quietTo",
          c.quiet_hours_exempt as "quietHoursExempt"
        from (select * from batch where batch_id <= ${messageId}::bigint order by batch_id desc limit 1) b
        join customer c on c.customer_id = b.customer_id
        left join application a on a.app_id = b.app_id
        left join task t on t.task_id = b.task_id
        where b.customer_id = ${customerId} and b.batch_id + b.message_count > ${messageId}::bigint
          and b.state in (${batchState.Ready}, ${batchState.Parked})`,
  );
  if (row === null) return null;
  const { parkedFor, state, ...hold } = row;
  const isOfCarrier = parkedFor === ParkReason.Supplier || parkedFor === ParkReason.Restore;
  return { ...hold, reason: hold.reason ?? (state === BatchState.Parked && isOfCarrier ? parkedFor : null) };
};
