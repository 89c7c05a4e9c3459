/**
 * Staff viewing a customer's screens: one view per session, which ends automatically. Beginning and end are in the
 * customer's audit log; the end is written by the process that closes the row, so exactly once.
 */
import { uuidV7 } from '../ids.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';

export interface SupportView {
  viewId: string;
  customerId: string;
  customerName: string;
  endsAt: Date;
}

/** Returns the view a session has open now. */
export const findSupportView = (db: Db, sessionHash: Buffer, now: Date): Promise<SupportView | null> =>
  maybe<SupportView>(
    db,
    sql`select v.view_id as "viewId", v.customer_id as "customerId", c.customer_name as "customerName", v.ends_at as "endsAt"
        from support_view v join customer c using (customer_id)
        where v.session_hash = ${sessionHash} and v.ended_at is null and v.ends_at > ${now}`,
  );

/** Throws a unique violation of `support_view_open` if the session already has one open. */
export const insertSupportView = async (
  db: Db,
  view: { customerId: string; userId: string; sessionHash: Buffer; now: Date; endsAt: Date },
): Promise<string> => {
  const viewId = uuidV7();
  await run(
    db,
    sql`insert into support_view (view_id, customer_id, user_id, session_hash, started_at, ends_at)
        values (${viewId}, ${view.customerId}, ${view.userId}, ${view.sessionHash}, ${view.now}, ${view.endsAt})`,
  );
  return viewId;
};

export interface EndedView {
  viewId: string;
  customerId: string;
  userId: string;
  account: string;
  startedAt: Date;
  endedAt: Date;
}

const ended = sql.raw(
  `v.view_id as "viewId", v.customer_id as "customerId", v.user_id as "userId", u.account,
   v.started_at as "startedAt", v.ended_at as "endedAt"`,
);

/** Closes a session's view, expired or not; returns null if there is none. */
export const endSupportView = (db: Db, sessionHash: Buffer, now: Date): Promise<EndedView | null> =>
  maybe<EndedView>(
    db,
    sql`update support_view v set ended_at = least(v.ends_at, ${now}) from app_user u
        where u.user_id = v.user_id and v.session_hash = ${sessionHash} and v.ended_at is null returning ${ended}`,
  );

/** Closes those that have expired or whose session has ended. */
export const endOverSupportViews = (db: Db, now: Date): Promise<EndedView[]> =>
  many<EndedView>(
    db,
    sql`update support_view v set ended_at = least(v.ends_at, ${now}) from app_user u
        where u.user_id = v.user_id and v.ended_at is null
          and (v.ends_at <= ${now} or not exists (select from session s where s.session_hash = v.session_hash))
        returning ${ended}`,
  );
