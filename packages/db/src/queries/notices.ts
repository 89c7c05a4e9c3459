/** Notices to users. Each row belongs to one user; never run in a customer's scope. */

import type { NoticeKind, NoticeSetting, Role } from '@pahatid/contract';
import { uuidV7 } from '../ids.ts';
import { pageBy } from '../keyset.ts';
import { useState } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';

/** Possible recipients: enabled users of a customer (null: staff), by role, optionally restricted to named users. */
export interface NoticeAudience {
  customerId: string | null;
  roles: readonly Role[];
  /** Of these people alone. */
  userIds?: readonly string[];
  /** The acting user, which need not be notified. */
  except?: string | null;
}

export interface NoticeReader {
  userId: string;
  email: string;
  locale: string | null;
  zone: string;
  /** As set by the person; null: never. */
  bell: boolean | null;
  mailed: boolean | null;
}

export const listNoticeReaders = (db: Db, kind: NoticeKind, audience: NoticeAudience): Promise<NoticeReader[]> => {
  const { customerId, roles, userIds, except } = audience;
  return many<NoticeReader>(
    db,
    sql`select u.user_id as "userId", u.email, u.locale, u.zone, s.bell, s.email as mailed
        from app_user u left join notice_setting s on s.user_id = u.user_id and s.kind = ${kind}
        where u.customer_id is not distinct from ${customerId}::uuid and u.role = any(${roles}::text[])
          and u.use_state = ${useState.Enabled} and u.removed_at is null
          and (${userIds === undefined} or u.user_id = any(${userIds ?? []}::uuid[]))
          and u.user_id is distinct from ${except ?? null}::uuid
        order by u.created_at, u.user_id limit 200`,
  );
};

export interface NewNotice {
  customerId: string | null;
  userId: string;
  kind: NoticeKind;
  params: unknown;
  /** Notified once per user, even if repeated; null: notified each time. */
  onceKey: string | null;
  /** Shown nowhere: the person has switched the bell off, and yet is not to be mailed twice. */
  silent: boolean;
}

/** Returns the users that had not been notified of it yet. */
export const insertNotices = async (db: Db, rows: readonly NewNotice[]): Promise<Set<string>> => {
  if (rows.length === 0) return new Set();
  const ids = rows.map(() => uuidV7());
  const inserted = await many<{ userId: string }>(
    db,
    sql`insert into notice (notice_id, customer_id, user_id, kind, params, once_key, silent, created_at)
        select notice_id, customer_id, user_id, kind, params::jsonb, once_key, silent, clock_timestamp()
        from unnest(${ids}::uuid[], ${rows.map((row) => row.customerId)}::uuid[], ${rows.map((row) => row.userId)}::uuid[],
          ${rows.map((row) => row.kind)}::text[], ${rows.map((row) => JSON.stringify(row.params))}::text[],
          ${rows.map((row) => row.onceKey)}::text[], ${rows.map((row) => row.silent)}::boolean[])
          as t(notice_id, customer_id, user_id, kind, params, once_key, silent)
        on conflict (user_id, once_key) do nothing returning user_id as "userId"`,
  );
  return new Set(inserted.map(({ userId }) => userId));
};

/** A user and the scope it views: staff viewing a customer's screens have no notices there. */
export interface NoticeOwner {
  userId: string;
  customerId: string | null;
}

const own = ({ userId, customerId }: NoticeOwner): Fragment<unknown> =>
  sql`user_id = ${userId} and customer_id is not distinct from ${customerId}::uuid and not silent`;

export interface NoticeRow {
  noticeId: string;
  kind: NoticeKind;
  params: unknown;
  createdAt: Date;
  readAt: Date | null;
}

export interface NoticeFilter {
  kind?: NoticeKind | undefined;
  unread: boolean;
  after: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

/** Ids grow with time, so the newest come first by id. */
export const listNotices = (db: Db, owner: NoticeOwner, filter: NoticeFilter): Promise<NoticeRow[]> => {
  const order = { isDescending: filter.isReversed !== true, after: filter.after };
  const { past, orderBy } = pageBy([[sql`notice_id`, 'uuid']], order);
  return many<NoticeRow>(
    db,
    sql`select notice_id as "noticeId", kind, params, created_at as "createdAt", read_at as "readAt" from notice
        where ${own(owner)} and (${filter.kind ?? null}::text is null or kind = ${filter.kind ?? null})
          and (not ${filter.unread} or read_at is null)
          and ${past} order by ${orderBy} limit ${filter.limit}`,
  );
};

/** Counted no further than the bell shows. */
export const countUnread = async (db: Db, owner: NoticeOwner): Promise<number> =>
  (
    await one<{ unread: number }>(
      db,
      sql`select count(*)::int as unread from (select from notice where ${own(owner)} and read_at is null limit 100) as few`,
    )
  ).unread;

/** Returns false if the user has no such notice. */
export const readNotice = async (db: Db, owner: NoticeOwner, noticeId: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`update notice set read_at = coalesce(read_at, clock_timestamp()) where ${own(owner)} and notice_id = ${noticeId}
        returning notice_id`,
  )) !== null;

/** All up to one, that included: what came after the person looked stays unread. */
export const readNotices = (db: Db, owner: NoticeOwner, upTo: string | null): Promise<number> =>
  run(
    db,
    sql`update notice set read_at = clock_timestamp() where ${own(owner)} and read_at is null
          and (${upTo}::uuid is null or notice_id <= ${upTo}::uuid)`,
  );

export const listNoticeSettings = (db: Db, userId: string): Promise<NoticeSetting[]> =>
  many<NoticeSetting>(db, sql`select kind, bell, email from notice_setting where user_id = ${userId} order by kind`);

export const setNoticeSettings = async (
  db: Db,
  owner: NoticeOwner,
  settings: readonly NoticeSetting[],
): Promise<void> => {
  await run(
    db,
    sql`insert into notice_setting as s (user_id, customer_id, kind, bell, email)
        select ${owner.userId}::uuid, ${owner.customerId}::uuid, kind, bell, email
        from unnest(${settings.map(({ kind }) => kind)}::text[], ${settings.map(({ bell }) => bell)}::boolean[],
          ${settings.map(({ email }) => email)}::boolean[]) as t(kind, bell, email)
        on conflict (user_id, kind) do update set bell = excluded.bell, email = excluded.email`,
  );
};

/** Deletes old notices, read or not; at most `rows` at a time. */
export const sweepNotices = (db: Db, ageMs: number, rows: number): Promise<number> =>
  run(
    db,
    sql`delete from notice where notice_id in (
          select notice_id from notice where created_at < clock_timestamp() - ${ageMs}::float8 * interval '1 millisecond'
          order by created_at limit ${rows})`,
  );

export interface TaskEnd {
  customerId: string;
  /** Null if that user is deleted. */
  createdBy: string | null;
  taskId: string;
  taskName: string;
  taskStatus: number;
  endedAt: Date | null;
  total: number;
  success: number;
  failed: number;
  reason: string | null;
}

/** A task as it ended, within the transaction that ends it. */
export const readTaskEnd = (db: Db, taskId: string): Promise<TaskEnd | null> =>
  maybe<TaskEnd>(
    db,
    sql`select t.customer_id as "customerId", u.user_id as "createdBy", t.task_id as "taskId", t.task_name as "taskName",
          t.task_status as "taskStatus", t.ended_at as "endedAt", t.total_count as total,
          coalesce(sum(p.success_count), 0)::int as success, coalesce(sum(p.failed_count), 0)::int as failed,
          t.status_reason as reason
        from task t left join app_user u on u.user_id = t.created_by and u.customer_id = t.customer_id
          and u.use_state = ${useState.Enabled}
          left join task_progress p on p.task_id = t.task_id
        where t.task_id = ${taskId} group by t.task_id, u.user_id`,
  );

export interface ReviewSubject {
  title: string;
  /** The user that submitted it; null if that user is deleted. */
  submittedBy: string | null;
}

/** Returns the title of the reviewed item, and its author. */
export const readReviewSubject = (
  db: Db,
  kind: 'template' | 'sender' | 'task' | 'link',
  id: string,
): Promise<ReviewSubject | null> => {
  const source = {
    template: sql`select t.template_name as title, v.created_by from template t
      join template_version v on v.template_id = t.template_id and v.version = t.newest_version where t.template_id = ${id}`,
    sender: sql`select sender_id as title, created_by from sender where id = ${id}`,
    task: sql`select task_name as title, created_by from task where task_id = ${id}`,
    link: sql`select link_name as title, created_by from short_link where link_id = ${id}`,
  }[kind];
  return maybe<ReviewSubject>(
    db,
    sql`select s.title, u.user_id as "submittedBy" from (${source}) s left join app_user u on u.user_id = s.created_by
          and u.customer_id is not null and u.use_state = ${useState.Enabled}`,
  );
};
