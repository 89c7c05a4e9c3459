/** Approvals of carriers that end: whose owners are reminded, and which have ended. Days are those of Manila. */
import type { Carrier } from '@pahatid/contract';
import { type Db, many, run, sql } from '../sql.ts';

export interface EndingDossier {
  dossierId: string;
  customerId: string;
  senderKey: string;
  senderId: string;
  carrier: Carrier;
  state: string;
  approvedUntil: string;
  /** Negative: it has ended. */
  daysLeft: number;
  /** Days before the end of the last reminder of this approval; null: none yet. */
  remindedDays: number | null;
}

const today = (now: Date) => sql`(${now}::timestamptz at time zone 'Asia/Manila')::date`;

/** Those that end within `days`, and approved ones that have ended. */
export const listEndingDossiers = (db: Db, now: Date, days: number): Promise<EndingDossier[]> =>
  many(
    db,
    sql<EndingDossier>`select d.dossier_id as "dossierId", d.customer_id as "customerId", d.sender_key as "senderKey",
          s.sender_id as "senderId", d.carrier, d.state, to_char(d.approved_until, 'YYYY-MM-DD') as "approvedUntil",
          d.approved_until - ${today(now)} as "daysLeft",
          case when d.reminded_of = d.approved_until then d.reminded_days::int end as "remindedDays"
        from sender_dossier d join sender s on s.id = d.sender_key
        where d.approved_until <= ${today(now)} + ${days}::int
          and (d.approved_until >= ${today(now)} or d.state = 'approved')
        order by d.approved_until, d.dossier_id limit 500`,
  );

/** False: the owners were reminded meanwhile, or the approval is another. */
export const markReminded = async (
  tx: Db,
  { dossierId, approvedUntil }: Pick<EndingDossier, 'dossierId' | 'approvedUntil'>,
  days: number,
): Promise<boolean> =>
  (await run(
    tx,
    sql`update sender_dossier set reminded_of = approved_until, reminded_days = ${days}
        where dossier_id = ${dossierId} and approved_until = ${approvedUntil}::date
          and (reminded_of is distinct from approved_until or reminded_days > ${days})`,
  )) === 1;
