/**
 * Reviewers' decisions: versions of templates, sender IDs, tasks. Each decision is one statement guarded by the
 * previous state, so of two concurrent reviewers exactly one decides. Run by staff, so in no customer's scope.
 */

import type { Span } from '@pahatid/contract';
import { AuditStatus, type ReviewReason, type SmsType, TaskStatus } from '@pahatid/contract/enums';
import { pageBy } from '../keyset.ts';
import { auditStatus, taskStatus } from '../literals.ts';
import { type Db, type Fragment, many, maybe, run, sql } from '../sql.ts';
import { writeSenderEvent, writeTemplateEvent } from './callback-changes.ts';
import { addUsedHosts } from './link-safety.ts';
import { releaseReservation } from './reservations.ts';
import { insertTaskEvent, transitionTask } from './tasks.ts';

export type ReviewKind = 'template' | 'sender' | 'task' | 'link';

export interface ReviewRow {
  kind: ReviewKind;
  id: string;
  title: string;
  customerId: string;
  customerName: string;
  appId: string | null;
  appName: string;
  smsType: SmsType | null;
  auditStatus: AuditStatus;
  auditReason: string | null;
  auditCode: ReviewReason | null;
  auditFrom: number | null;
  auditTo: number | null;
  submitTime: Date;
  submittedBy: string | null;
  content: string | null;
  previousContent: string | null;
  version: number | null;
  totalCount: number | null;
  estimatedCost: number | null;
  senderId: string | null;
  /** The user that has it open now. */
  claimUserId: string | null;
  claimName: string | null;
  claimUntil: Date | null;
  /** When it was submitted or decided, depending on the list's order; exact, as PostgreSQL formats it. */
  sortKey: string;
}

export interface ReviewFilter {
  customerId?: string | undefined;
  kind?: ReviewKind | undefined;
  /** One item alone. */
  id?: string | undefined;
  auditStatus: readonly AuditStatus[];
  /** By the time of submitting; none: pending ones that way, oldest first, decided ones newest first by the decision. */
  sort?: 'submitTime' | '-submitTime' | undefined;
  /** Key of the last row seen: `sortKey`, id, version. */
  after?: readonly string[] | null;
  limit: number;
}

/**
 * Every version of a template is a separate review, except a pending one superseded by a newer version: it no longer
 * needs review.
 */
const templateReviews = sql`
  select 'template' as kind, v.template_id as id, t.template_name as title, v.customer_id, t.app_id, v.sms_type,
    v.audit_status, v.audit_reason, v.created_at as submitted_at, v.audited_at as decided_at, v.created_by, v.content,
    v.version, null::int as total_count, null::float8 as estimated_cost, null::text as sender_id, v.audit_code,
    v.audit_from, v.audit_to
  from template_version v join template t on t.template_id = v.template_id
  where t.deleted_at is null and (v.audit_status <> ${auditStatus.Pending} or v.version = t.newest_version)`;

const senderReviews = sql`
  select 'sender', s.id, s.sender_id, s.customer_id, s.app_id, null::smallint, s.audit_status, s.audit_reason,
    s.created_at, s.audited_at, s.created_by, nullif(s.remark_info, ''), null::int, null::int, null::float8, s.sender_id,
    s.audit_code, null::int, null::int
  from sender s`;

/** Of the task `t`: its text, or all of its A/B test. */
const textsOfTask = sql.raw(
  `coalesce((select string_agg(chr(65 + ab.variant) || ': ' || ab.content, E'\\n\\n' order by ab.variant) from ab_variant ab
     where ab.task_id = t.task_id), t.content)`,
);

/** A task waits since it last entered review; the outcome is in its timeline. */
const taskReviews = sql`
  select 'task', t.task_id, t.task_name, t.customer_id, t.app_id, t.sms_type,
    case when e.action = 'approve' then ${auditStatus.Approved} when e.action = 'reject' then ${auditStatus.Rejected}
      else ${auditStatus.Pending} end::smallint, e.note,
    coalesce(w.at, t.submitted_at, t.created_at), case when e.action in ('approve', 'reject') then e.at end,
    t.created_by, ${textsOfTask}, null::int, t.total_count, t.estimated_cost::float8, t.sender_id,
    case when e.action = 'reject' then t.audit_code end, t.audit_from, t.audit_to
  from task t
  left join lateral (select max(at) as at from task_event where task_id = t.task_id
    and task_status = ${taskStatus.PendingReview}) w on true
  left join lateral (select action, at, note from task_event
                     where task_id = t.task_id and action in ('approve', 'reject')
                       and t.task_status <> ${taskStatus.PendingReview}
                     order by at desc limit 1) e on true
  where t.task_status = ${taskStatus.PendingReview} or e.action is not null`;

/** A link that was never looked at, or waits once more because it leads elsewhere now. */
const linkReviews = sql`
  select 'link', l.link_id, l.link_name, l.customer_id, l.app_id, null::smallint, l.audit_status, l.audit_reason,
    coalesce(l.submitted_at, l.created_at), l.audited_at, l.created_by, concat_ws(E'\\n', l.target_url, l.fallback_url),
    null::int, null::int, null::float8, null::text, l.audit_code, null::int, null::int
  from short_link l where l.deleted_at is null and l.audit_status <> ${auditStatus.NotRequired}`;

const sources: Record<ReviewKind, Fragment<unknown>> = {
  template: templateReviews,
  sender: senderReviews,
  task: taskReviews,
  link: linkReviews,
};

/** Unless sorted, pending ones alone come oldest first, the order to read them in; decided ones newest first. */
export const listReviews = (db: Db, filter: ReviewFilter): Promise<ReviewRow[]> => {
  const isQueue = filter.auditStatus.every((status) => status === AuditStatus.Pending);
  const kinds: readonly ReviewKind[] =
    filter.kind === undefined ? ['template', 'sender', 'task', 'link'] : [filter.kind];
  const bySubmitting = isQueue || filter.sort !== undefined;
  const at = bySubmitting ? sql`r.submitted_at` : sql`coalesce(r.decided_at, r.submitted_at)`;
  const { past, orderBy } = pageBy(
    [
      [at, 'timestamptz'],
      [sql`r.id`, 'uuid'],
      [sql`coalesce(r.version, 0)`, 'int'],
    ],
    { isDescending: filter.sort === undefined ? !isQueue : filter.sort === '-submitTime', after: filter.after },
  );
  const conditions = [sql`r.audit_status = any(${filter.auditStatus}::smallint[])`, past];
  if (filter.customerId !== undefined) conditions.push(sql`r.customer_id = ${filter.customerId}`);
  if (filter.id !== undefined) conditions.push(sql`r.id = ${filter.id}`);
  // The page is cut before names and earlier texts are looked up.
  return many<ReviewRow>(
    db,
    sql`select r.kind, r.id, r.title, r.customer_id as "customerId", c.customer_name as "customerName",
          r.app_id as "appId", coalesce(a.app_name, '') as "appName", r.sms_type as "smsType", r.audit_status as "auditStatus",
          r.audit_reason as "auditReason", r.audit_code as "auditCode", r.audit_from as "auditFrom",
          r.audit_to as "auditTo", r.submitted_at as "submitTime", u.name as "submittedBy", r.content,
          r.version, r.total_count as "totalCount", r.estimated_cost as "estimatedCost", r.sender_id as "senderId",
          p.content as "previousContent", k.user_id as "claimUserId", k.name as "claimName",
          k.lease_until as "claimUntil", ${at}::text as "sortKey"
        from (select * from (${sql.join(
          kinds.map((kind) => sources[kind]),
          sql` union all `,
        )})
                as r (kind, id, title, customer_id, app_id, sms_type, audit_status, audit_reason, submitted_at, decided_at,
                      created_by, content, version, total_count, estimated_cost, sender_id, audit_code,
                      audit_from, audit_to)
              where ${sql.join(conditions, sql` and `)} order by ${orderBy} limit ${filter.limit}) r
        join customer c on c.customer_id = r.customer_id
        left join application a on a.app_id = r.app_id
        left join app_user u on u.user_id = r.created_by
        left join lateral (select v.content from template_version v
                           where r.kind = 'template' and v.template_id = r.id and v.version < r.version
                             and v.audit_status in (${auditStatus.Approved}, ${auditStatus.NotRequired})
                               order by v.version desc limit 1) p on true
        left join lateral (select q.user_id, q.lease_until, w.name from review_claim q join app_user w using (user_id)
                           where r.audit_status = ${auditStatus.Pending} and q.kind = r.kind and q.subject_id = r.id
                             and q.lease_until > clock_timestamp()) k on true
        order by ${orderBy}`,
  );
};

export interface Decision {
  id: string;
  /** Only this version: what the reviewer has read. */
  version: number | null;
  auditStatus: typeof AuditStatus.Approved | typeof AuditStatus.Rejected;
  /** Null if it is approved. */
  reasonCode: ReviewReason | null;
  /** The reviewer's own text; may be empty. */
  reason: string | null;
  span: Span | null;
  reviewerId: string;
}

/** Owner and name; null if there was nothing to decide. */
export interface Decided {
  customerId: string;
  title: string;
}

/** Approval makes the version the serving one in the same statement; rejection leaves the one before serving. */
export const decideTemplate = async (tx: Db, decision: Decision): Promise<Decided | null> => {
  const decided = await maybe<Decided>(
    tx,
    sql`with decided as (
          update template_version v
          set audit_status = ${decision.auditStatus}, audit_reason = ${decision.reason}, audited_at = clock_timestamp(),
              audited_by = ${decision.reviewerId}, audit_code = ${decision.reasonCode},
              audit_from = ${decision.span?.from ?? null}::int, audit_to = ${decision.span?.to ?? null}::int
          from template t
          where v.template_id = ${decision.id} and t.template_id = v.template_id and t.deleted_at is null
            and v.version = t.newest_version and v.audit_status = ${auditStatus.Pending}
            and (${decision.version}::int is null or v.version = ${decision.version}::int)
          returning v.template_id, v.version)
        update template t
        set serving_version = case when ${decision.auditStatus}::int = 1 then d.version else t.serving_version end,
            updated_at = clock_timestamp()
        from decided d where t.template_id = d.template_id
        returning t.customer_id as "customerId", t.template_name as title`,
  );
  if (decided !== null) await writeTemplateEvent(tx, decision.id);
  return decided;
};

export const decideSender = async (tx: Db, decision: Decision): Promise<Decided | null> => {
  const decided = await maybe<Decided>(
    tx,
    sql`update sender set audit_status = ${decision.auditStatus}, audit_reason = ${decision.reason},
          audited_at = clock_timestamp(), audited_by = ${decision.reviewerId}, audit_code = ${decision.reasonCode},
          operated_at = clock_timestamp()
        where id = ${decision.id}
          and audit_status = ${auditStatus.Pending} returning customer_id as "customerId", sender_id as title`,
  );
  if (decided === null) return null;
  await run(tx, sql`update sender_carrier set audit_status = ${decision.auditStatus} where id = ${decision.id}`);
  await writeSenderEvent(tx, decision.id);
  return decided;
};

/** Approval lets the link lead on, and its hosts count as used by the customer from then on. */
export const decideLink = async (tx: Db, decision: Decision): Promise<Decided | null> => {
  const decided = await maybe<Decided & { hosts: string[] }>(
    tx,
    sql`update short_link set audit_status = ${decision.auditStatus}, audit_reason = ${decision.reason},
          audited_at = clock_timestamp(), audited_by = ${decision.reviewerId}, audit_code = ${decision.reasonCode},
          version = version + 1
        where link_id = ${decision.id} and audit_status = ${auditStatus.Pending} and deleted_at is null
        returning customer_id as "customerId", link_name as title, array_remove(array[target_host, fallback_host], null) as hosts`,
  );
  if (decided === null) return null;
  if (decision.auditStatus === AuditStatus.Approved) await addUsedHosts(tx, decided.customerId, decided.hosts);
  return { customerId: decided.customerId, title: decided.title };
};

/** Approval confirms the task, whose money stays held; rejection releases the money. */
export const decideTask = async (tx: Db, decision: Decision): Promise<Decided | null> => {
  const isApproved = decision.auditStatus === AuditStatus.Approved;
  const to = isApproved ? TaskStatus.Confirmed : TaskStatus.Rejected;
  const won = await transitionTask(tx, {
    taskId: decision.id,
    customerId: null,
    from: [TaskStatus.PendingReview],
    to,
    set: isApproved
      ? sql`confirmed_at = clock_timestamp(), status_reason = null, status_note = null, audit_code = null`
      : sql`status_reason = 'REVIEW_REJECTED', status_note = ${decision.reason}, audit_code = ${decision.reasonCode},
            audit_from = ${decision.span?.from ?? null}::int, audit_to = ${decision.span?.to ?? null}::int`,
  });
  if (!won) return null;
  const decided = await maybe<Decided>(
    tx,
    sql`select customer_id as "customerId", task_name as title from task where task_id = ${decision.id}`,
  );
  if (decided === null) return null;
  if (!isApproved) await releaseReservation(tx, decision.id);
  await insertTaskEvent(tx, {
    taskId: decision.id,
    customerId: decided.customerId,
    taskStatus: to,
    action: isApproved ? 'approve' : 'reject',
    userId: decision.reviewerId,
    note: decision.reason,
  });
  return decided;
};

/** Current state of an item for a decision or a claim; null: it does not exist. */
export interface ReviewState {
  customerId: string;
  isPending: boolean;
  wasReviewed: boolean;
  taskStatus: number | null;
  /** The text to be read, if there is one. */
  content: string | null;
}

export const findReviewState = (tx: Db, kind: ReviewKind, id: string): Promise<ReviewState | null> => {
  const questions: Record<ReviewKind, Fragment<ReviewState>> = {
    template: sql`select t.customer_id as "customerId", v.audit_status = ${auditStatus.Pending} as "isPending", true as "wasReviewed", null::int as "taskStatus", v.content
        from template t join template_version v on v.template_id = t.template_id and v.version = t.newest_version
        where t.template_id = ${id} and t.deleted_at is null`,
    sender: sql`select customer_id as "customerId", audit_status = ${auditStatus.Pending} as "isPending", true as "wasReviewed", null::int as "taskStatus",
          null::text as content from sender where id = ${id}`,
    link: sql`select customer_id as "customerId", audit_status = ${auditStatus.Pending} as "isPending", audit_status in (${auditStatus.Approved}, ${auditStatus.Rejected}) as "wasReviewed",
          null::int as "taskStatus", concat_ws(E'\\n', target_url, fallback_url) as content
        from short_link where link_id = ${id} and deleted_at is null`,
    task: sql`select t.customer_id as "customerId", t.task_status = ${taskStatus.PendingReview} as "isPending", t.task_status as "taskStatus", ${textsOfTask} as content,
          exists (select from task_event e where e.task_id = t.task_id and e.action in ('approve', 'reject')) as "wasReviewed"
        from task t where t.task_id = ${id}`,
  };
  return maybe(tx, questions[kind]);
};
