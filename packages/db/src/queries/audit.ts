/**
 * The audit log: who did what to what, from where, and what changed. Only ever appended to. The database chains each entry
 * to the one before it when the transaction commits; `pahatid verify` proves the chains.
 */
import type { Role } from '@pahatid/contract';
import { hideFromAudit, hidePhones } from '@pahatid/domain';
import { type Db, run, sql } from '../sql.ts';

export interface AuditEntry {
  /** Whose log it belongs to; null for what is no customer's. */
  customerId: string | null;
  userId: string | null;
  account: string | null;
  /** Of the user at that time. */
  role?: Role | null;
  /** The software that called by its own password. */
  appId?: string | null;
  ip: string | null;
  userAgent?: string | null;
  /** Verb, or `subject.verb` where the verb alone would mislead. */
  action: string;
  subjectType: string;
  subjectId: string;
  before: object | null;
  after: object | null;
}

/** Browsers say who they are in some 150 characters; others may say anything. */
const USER_AGENT_LENGTH = 300;

/** Secrets are left out and phones masked here, whatever the caller hands over. */
export const writeAudit = async (db: Db, entry: AuditEntry): Promise<void> => {
  const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(hideFromAudit(value)));
  const userAgent = entry.userAgent?.slice(0, USER_AGENT_LENGTH).replaceAll('\0', '') ?? null;
  await run(
    db,
    sql`insert into audit_log
          (customer_id, user_id, account, role, app_id, ip, user_agent, action, subject_type, subject_id, before, after)
        values (${entry.customerId}, ${entry.userId}, ${entry.account}, ${entry.role ?? null}, ${entry.appId ?? null},
                ${entry.ip}::inet, ${userAgent}, ${entry.action}, ${entry.subjectType}, ${hidePhones(entry.subjectId)},
                ${json(entry.before)}::jsonb, ${json(entry.after)}::jsonb)`,
  );
};
