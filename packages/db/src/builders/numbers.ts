import { uuidV7 } from '../ids.ts';
import { type Db, run, sql } from '../sql.ts';

export interface AssignedNumberSpec {
  customerId: string;
  appId: string;
  number: string;
  remarkInfo?: string;
  useState?: 0 | 1;
  assignedAt?: Date;
}

export const buildAssignedNumber = async (db: Db, spec: AssignedNumberSpec): Promise<string> => {
  const numberId = uuidV7();
  await run(
    db,
    sql`insert into assigned_number (number_id, customer_id, app_id, number, remark_info, use_state, assigned_at)
        values (${numberId}, ${spec.customerId}, ${spec.appId}, ${spec.number}, ${spec.remarkInfo ?? ''},
          ${spec.useState ?? 1}, ${spec.assignedAt ?? new Date()})`,
  );
  return numberId;
};
