/** The audit log: who did what to what, from where, and what changed. Only ever appended to. */
import { type Db, run, sql } from '../sql.ts';

export interface AuditEntry {
  /** Whose log it belongs to; null for what is no customer's. */
  customerId: string | null;
  userId: string | null;
  account: string | null;
  ip: string | null;
  /** Verb, or `subject.verb` where the verb alone would mislead. */
  action: string;
  subjectType: string;
  subjectId: string;
  before: object | null;
  after: object | null;
}

export const writeAudit = async (db: Db, entry: AuditEntry): Promise<void> => {
  await run(
    db,
    sql`insert into audit_log (customer_id, user_id, account, ip, action, subject_type, subject_id, before, after)
        values (${entry.customerId}, ${entry.userId}, ${entry.account}, ${entry.ip}::inet, ${entry.action},
                ${entry.subjectType}, ${entry.subjectId},
                ${entry.before === null ? null : JSON.stringify(entry.before)}::jsonb,
                ${entry.after === null ? null : JSON.stringify(entry.after)}::jsonb)`,
  );
};
