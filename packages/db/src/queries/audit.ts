/**
 * The audit log: actor, action, subject, origin and what changed. Append-only. The database chains each entry to the
 * previous one when the transaction commits; `pahatid verify` proves the chains.
 */
import type { Role } from '@pahatid/contract';
import { hideFromAudit, hidePhones } from '@pahatid/domain';
import { type Db, run, sql } from '../sql.ts';

export interface AuditEntry {
  /** Customer that the log belongs to; null for entries of no customer. */
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
  /** When it happened; now unless given. */
  at?: Date;
}

/** Browsers identify themselves in about 150 characters; other clients may send anything. */
const USER_AGENT_LENGTH = 300;

/** Secrets are removed and MSISDNs masked here, whatever the caller passes. */
export const writeAudit = async (db: Db, entry: AuditEntry): Promise<void> => {
  const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(hideFromAudit(value)));
  const userAgent = entry.userAgent?.slice(0, USER_AGENT_LENGTH).replaceAll('\0', '') ?? null;
  await run(
    db,
    sql`insert into audit_log
          (at, customer_id, user_id, account, role, app_id, ip, user_agent, action, subject_type, subject_id, before, after)
        values (coalesce(${entry.at ?? null}::timestamptz, now()), ${entry.customerId}, ${entry.userId}, ${entry.account}, ${entry.role ?? null}, ${entry.appId ?? null},
                ${entry.ip}::inet, ${userAgent}, ${entry.action}, ${entry.subjectType}, ${hidePhones(entry.subjectId)},
                ${json(entry.before)}::jsonb, ${json(entry.after)}::jsonb)`,
  );
};
