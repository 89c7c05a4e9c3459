/**
 * Bulk tasks: reading them, and the only function that changes their status. A transition is a single UPDATE guarded by
 * the statuses it may leave (the table is in domain), so of two clicks or two machines exactly one wins.
 */

import type { GroupSelection, ReviewReason } from '@pahatid/contract';
import { AuditStatus, TaskStatus, UseState, YesNo } from '@pahatid/contract/enums';
import { isTestCustomer, ParkReason } from '@pahatid/domain';
import { uuidV7 } from '../ids.ts';
import { auditStatus, taskStatus, useState } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { type AbTestFields, type AbTestRow, abColumns, isDivided, saveAbTest } from './ab-tests.ts';
import { wakeBatches } from './batch-parking.ts';
import { writeTaskEvent } from './callback-changes.ts';
import { isBeingFilled, variableNamesOf } from './dynamic-groups.ts';
import { nameLentTemplates } from './lent-names.ts';
import { ofCustomer } from './real-customers.ts';
import { findLender, readLent, testSenderId } from './test-mode.ts';
import { isVersion, savedBy } from './versions.ts';

/** Which column of the file, and which value of a group, fills which variable. */
export interface TaskMappingRow {
  variables: number[];
  groupVariables?: string[] | undefined;
}

/** What a frozen audience was combined from. */
export interface AudienceFacts {
  frozenAt: string;
  /** Recipients of the file, and the reading of it that was taken. */
  fileCount: number;
  fileGeneration: number | null;
  /** Members of the groups, with numbers in several places counted each time. */
  memberCount: number;
  duplicateCount: number;
}

export interface TaskRow {
  taskId: string;
  customerId: string;
  customerName: string;
  taskName: string;
  smsType: 1 | 2 | 3 | null;
  appId: string | null;
  appName: string | null;
  templateId: string | null;
  templateName: string | null;
  senderId: string | null;
  fileId: string | null;
  fileName: string | null;
  validCount: number | null;
  /** Blocks the task reads: frozen by its check, the file's newest until then. */
  fileGeneration: number | null;
  groupIds: string[];
  groups: { groupId: string; groupName: string; memberCount: number }[];
  /** Its recipients as frozen by its check, if it is sent to groups. */
  audienceId: string | null;
  audience: AudienceFacts | null;
  mapping: TaskMappingRow | null;
  planFlag: 0 | 1;
  planTime: Date | null;
  latestStartAt: Date | null;
  taskStatus: number;
  paused: 0 | 1;
  statusReason: string | null;
  /** Null: marketing of the customer is sent at any hour. */
  quietHours: { from: number; to: number } | null;
  statusNote: string | null;
  auditCode: ReviewReason | null;
  auditFrom: number | null;
  auditTo: number | null;
  retryCount: number;
  totalCount: number;
  droppedCount: number;
  noConsentCount: number;
  /** Whose recipients it leaves out. */
  leaveOutCarriers: string[];
  leftOutCount: number;
  estimatedSegments: number | null;
  estimatedCost: number | null;
  price: number | null;
  version: number;
  createdAt: Date;
  /** Exact, as PostgreSQL writes it: a Date loses microseconds, and a cursor must not. */
  createdKey: string;
  /** Until when a confirmed task without a plan waits; null: it does not. */
  graceEndsAt: Date | null;
  startedAt: Date | null;
  endedAt: Date | null;
  successCount: number;
  failedCount: number;
  deliveredCount: number;
  undeliveredCount: number;
  unknownCount: number;
  unconfirmedCount: number;
  checkRead: number;
  /** Null until the recipients are known. */
  checkTotal: number | null;
  /** Since the check began; null before it. */
  checkSeconds: number | null;
  chargedSegments: number;
  chargedCost: number;
  /** Its A/B test; null: it has none. */
  abTest: AbTestRow | null;
  /** The test, and the variant of it, that it sends; null: it is not one. */
  abVariant: { taskId: string; variant: number } | null;
}

/** Counters are one row per writer (no two processes wait for each other); reading sums them. */
const progressSums = sql.raw(
  `left join lateral (
     select coalesce(sum(success_count), 0)::int as "successCount", coalesce(sum(failed_count), 0)::int as "failedCount",
       coalesce(sum(delivered_count), 0)::int as "deliveredCount", coalesce(sum(undelivered_count), 0)::int as "undeliveredCount",
       coalesce(sum(unknown_count), 0)::int as "unknownCount", coalesce(sum(unconfirmed_count), 0)::int as "unconfirmedCount",
       coalesce(sum(charged_segments), 0)::float8 as "chargedSegments", coalesce(sum(charged_cost), 0)::float8 as "chargedCost"
     from task_progress where task_progress.task_id = t.task_id) p on true`,
);

const plainColumns = sql.raw(
  `t.task_id as "taskId", t.customer_id as "customerId", c.customer_name as "customerName", t.task_name as "taskName",
   t.sms_type as "smsType", t.app_id as "appId", a.app_name as "appName", t.template_id as "templateId",
   tpl.template_name as "templateName", t.sender_id as "senderId", t.file_id as "fileId", f.file_name as "fileName",
   f.valid_count as "validCount", case when t.audience_id is null then coalesce(t.file_generation, f.generation)
     else (t.audience ->> 'fileGeneration')::int end as "fileGeneration", t.group_ids as "groupIds",
   t.audience_id as "audienceId", t.audience,
   (select coalesce(jsonb_agg(jsonb_build_object('groupId', g.group_id, 'groupName', g.group_name, 'memberCount', coalesce(g.selected_count, g.member_count))
      order by array_position(t.group_ids, g.group_id)), '[]') from message_group g where g.group_id = any(t.group_ids)) as groups,
   t.mapping, t.plan_flag as "planFlag", t.plan_time as "planTime",
   t.latest_start_at as "latestStartAt", t.task_status as "taskStatus", t.paused,
   t.status_reason as "statusReason",
   case when c.quiet_hours_exempt then null else jsonb_build_object('from', c.quiet_from, 'to', c.quiet_to) end
     as "quietHours", t.status_note as "statusNote", t.audit_code as "auditCode", t.audit_from as "auditFrom",
   t.audit_to as "auditTo", t.retry_count as "retryCount", t.total_count as "totalCount",
   t.dropped_count as "droppedCount", t.no_consent_count as "noConsentCount",
   t.left_out_carriers as "leaveOutCarriers", t.left_out_count as "leftOutCount", t.estimated_segments::float8 as "estimatedSegments",
   t.estimated_cost::float8 as "estimatedCost", t.price, t.check_read as "checkRead", t.check_total as "checkTotal",
   extract(epoch from clock_timestamp() - t.check_started_at)::float8 as "checkSeconds", t.version,
   t.grace_ends_at as "graceEndsAt", t.created_at as "createdAt", t.created_at::text as "createdKey", t.started_at as "startedAt",
   t.ended_at as "endedAt", `,
);

const taskColumns = sql`${plainColumns} ${abColumns}, p.*`;

const taskJoins = sql`join customer c on c.customer_id = t.customer_id
  left join application a on a.app_id = t.app_id
  left join template tpl on tpl.template_id = t.template_id
  left join file f on f.file_id = t.file_id
  ${progressSums}`;

/** Null: a job, or an action of staff on a task that was found before. */
const ofAny = (customerId: string | null): Fragment<unknown> =>
  customerId === null ? sql`true` : sql`t.customer_id = ${customerId}`;
const ofReader = (customerId: string | null): Fragment<unknown> => ofCustomer(sql`t.customer_id`, customerId);

export interface TaskFilter {
  customerId: string | null;
  search?: string | undefined;
  taskStatus?: readonly number[] | undefined;
  smsType?: readonly number[] | undefined;
  appId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** One of these; not empty. */
  taskIds?: readonly string[] | undefined;
  ascending?: boolean | undefined;
  /** Key of the last row seen: `createdKey` and id. */
  after?: readonly [createdKey: string, taskId: string] | null | undefined;
  limit: number;
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const whereOf = (filter: TaskFilter): Fragment<unknown> => {
  const conditions: Fragment<unknown>[] = [ofReader(filter.customerId)];
  if (filter.search !== undefined && filter.search !== '')
    conditions.push(sql`t.task_name ilike ${`%${escapeLike(filter.search)}%`}`);
  if (filter.taskStatus) conditions.push(sql`t.task_status = any(${filter.taskStatus}::smallint[])`);
  if (filter.smsType) conditions.push(sql`t.sms_type = any(${filter.smsType}::smallint[])`);
  if (filter.appId !== undefined) conditions.push(sql`t.app_id = ${filter.appId}`);
  if (filter.from !== undefined) conditions.push(sql`t.created_at >= ${filter.from}::timestamptz`);
  if (filter.to !== undefined) conditions.push(sql`t.created_at < ${filter.to}::timestamptz`);
  if (filter.taskIds) conditions.push(sql`t.task_id = any(${filter.taskIds}::uuid[])`);
  if (filter.after) {
    const [createdKey, taskId] = filter.after;
    conditions.push(
      filter.ascending
        ? sql`(t.created_at, t.task_id) > (${createdKey}::timestamptz, ${taskId}::uuid)`
        : sql`(t.created_at, t.task_id) < (${createdKey}::timestamptz, ${taskId}::uuid)`,
    );
  }
  return sql.join(conditions, sql` and `);
};

/** The page is cut before anything is joined or summed, so a long list costs one page. */
export const listTasks = async (db: Db, filter: TaskFilter): Promise<TaskRow[]> => {
  const order = filter.ascending ? sql`t.created_at, t.task_id` : sql`t.created_at desc, t.task_id desc`;
  const rows = await many(
    db,
    sql<TaskRow>`select ${taskColumns} from (
        select t.* from task t where ${whereOf(filter)} order by ${order} limit ${filter.limit}) t
      ${taskJoins} order by ${order}`,
  );
  return nameLentTemplates(db, rows);
};

export const findTask = async (db: Db, customerId: string | null, taskId: string): Promise<TaskRow | null> => {
  const rows = await many(
    db,
    sql<TaskRow>`select ${taskColumns} from task t ${taskJoins} where t.task_id = ${taskId} and ${ofReader(customerId)}`,
  );
  return (await nameLentTemplates(db, rows))[0] ?? null;
};

/** Locks a task against other actions, so that data read next stays valid until the transaction ends. */
export const lockTask = async (tx: Db, customerId: string | null, taskId: string): Promise<void> => {
  await run(tx, sql`select 1 from task t where t.task_id = ${taskId} and ${ofReader(customerId)} for no key update`);
};

/** Tasks by id; `withMoving` adds those that may move at any moment, the newest 200 of them. */
export const listMovingTasks = async (
  db: Db,
  customerId: string | null,
  taskIds: readonly string[],
  withMoving: boolean,
): Promise<TaskRow[]> =>
  many(
    db,
    sql<TaskRow>`select ${taskColumns} from task t ${taskJoins} where t.task_id in (
        (select t.task_id from task t where ${withMoving}
          and t.task_status in (${taskStatus.Initialized}, ${taskStatus.Confirmed}, ${taskStatus.Preparing}, ${taskStatus.Sending}, ${taskStatus.PendingReview}) and ${ofReader(customerId)}
         order by t.created_at desc limit 200)
        union
        (select t.task_id from task t where t.task_id = any(${taskIds}::uuid[]) and ${ofReader(customerId)}))`,
  );

/** Fields that a user may fill in; all optional while the task is a draft. */
export interface TaskFields {
  taskName: string;
  appId: string | null;
  smsType: number | null;
  templateId: string | null;
  senderId: string | null;
  fileId: string | null;
  groupIds: readonly string[];
  mapping: TaskMappingRow | null;
  planFlag: number;
  planTime: string | null;
  latestStartTime: string | null;
  abTest: AbTestFields | null;
  leaveOutCarriers: readonly string[];
}

export const insertTask = async (
  db: Db,
  task: TaskFields & { taskId: string; customerId: string; createdBy: string | null; taskStatus: number },
): Promise<void> => {
  await run(
    db,
    sql`insert into task (task_id, customer_id, task_name, sms_type, app_id, template_id, sender_id, file_id, group_ids, mapping,
                          plan_flag, plan_time, latest_start_at, left_out_carriers, task_status, created_by)
        values (${task.taskId}, ${task.customerId}, ${task.taskName}, ${task.smsType}, ${task.appId}, ${task.templateId},
                ${task.senderId}, ${task.fileId}, ${task.groupIds}::uuid[], ${task.mapping === null ? null : JSON.stringify(task.mapping)},
                ${task.planFlag}, ${task.planTime}, ${task.latestStartTime}, ${task.leaveOutCarriers}::text[], ${task.taskStatus}, ${task.createdBy})`,
  );
  if (task.abTest !== null) await saveAbTest(db, task, task.abTest);
};

const columnOf: Record<keyof Omit<TaskFields, 'abTest'>, string> = {
  taskName: 'task_name',
  appId: 'app_id',
  smsType: 'sms_type',
  templateId: 'template_id',
  senderId: 'sender_id',
  fileId: 'file_id',
  groupIds: 'group_ids',
  mapping: 'mapping',
  planFlag: 'plan_flag',
  planTime: 'plan_time',
  latestStartTime: 'latest_start_at',
  leaveOutCarriers: 'left_out_carriers',
};

/**
 * Changes a task and makes it a draft again: all that its check found is forgotten. `from` includes drafts themselves.
 * False when the task is in none of these statuses by now, or was saved since `seen`.
 */
export const editTask = async (
  db: Db,
  edit: {
    taskId: string;
    customerId: string;
    from: readonly number[];
    fields: Partial<TaskFields>;
    /** The version that the edit was made from; undefined: the stored one. */
    seen: number | undefined;
    userId: string | null;
  },
): Promise<boolean> => {
  const { abTest, ...plain } = edit.fields;
  const sets = Object.entries(plain).map(([key, value]) => {
    const column = sql.ref(columnOf[key as keyof typeof plain]);
    const stored = key === 'mapping' && value !== null ? JSON.stringify(value) : value;
    return sql`${column} = ${stored}`;
  });
  const forget = sql.raw(
    `task_status = ${TaskStatus.Draft}, paused = ${YesNo.No}, status_reason = null, status_note = null, template_version = null, content = null,
     charge_type = null, price = null, prices = null, file_generation = null, total_count = 0, dropped_count = 0, opted_out_count = 0, no_consent_count = 0, left_out_count = 0,
     estimated_segments = null, estimated_cost = null, check_facts = null, next_block = 0, prepared_count = 0, prepared = false,
     audience_id = null, audience = null, check_started_at = null, owner = null, lease_until = null, submitted_at = null, confirmed_at = null,
     grace_ends_at = null`,
  );
  const frozen = await maybe(
    db,
    sql<{ audienceId: string | null }>`select audience_id as "audienceId" from task
      where task_id = ${edit.taskId} and customer_id = ${edit.customerId} for no key update`,
  );
  const changed = await run(
    db,
    sql`update task set ${sql.join([...sets, forget, savedBy(edit.userId)])}
        where task_id = ${edit.taskId} and customer_id = ${edit.customerId} and task_status = any(${edit.from}::smallint[])
          and ${isVersion(edit.seen)} and not ${isDivided}`,
  );
  if (changed === 0) return false;
  if (abTest !== undefined) await saveAbTest(db, edit, abTest);
  await run(db, sql`delete from task_reject where task_id = ${edit.taskId}`);
  if (frozen?.audienceId) await run(db, sql`delete from file where file_id = ${frozen.audienceId} and is_audience`);
  return true;
};

export const removeDraft = async (db: Db, customerId: string, taskId: string): Promise<boolean> =>
  (await run(
    db,
    sql`delete from task where task_id = ${taskId} and customer_id = ${customerId} and task_status = ${taskStatus.Draft}`,
  )) === 1;

export interface Transition {
  taskId: string;
  /** Null: an action of staff or of the program. */
  customerId: string | null;
  from: readonly number[];
  to: number;
  /** Further assignments, without the word SET. */
  set?: Fragment<unknown>;
  /** A further condition under which the transition holds. */
  where?: Fragment<unknown>;
}

/** The only function that changes a status. False: the task was in none of `from`, or not this customer's. */
export const transitionTask = async (db: Db, transition: Transition): Promise<boolean> => {
  const changed = await run(
    db,
    sql`update task t set task_status = ${transition.to}${transition.set ? sql`, ${transition.set}` : sql``}
        where t.task_id = ${transition.taskId} and ${ofAny(transition.customerId)}
          and t.task_status = any(${transition.from}::smallint[])${transition.where ? sql` and ${transition.where}` : sql``}`,
  );
  if (changed === 1) await writeTaskEvent(db, transition.taskId);
  return changed === 1;
};

/** Sets the pause flag; returns false if it is already set, or the task is in none of `from`. */
export const setPaused = async (
  db: Db,
  change: {
    taskId: string;
    customerId: string | null;
    from: readonly number[];
    paused: 0 | 1;
    reason: string | null;
    /** Only the reason may change. */
    takesOver: boolean;
  },
): Promise<boolean> => {
  const changed = await run(
    db,
    sql`update task t set paused = ${change.paused}, status_reason = ${change.reason}
        where t.task_id = ${change.taskId} and ${ofAny(change.customerId)}
          and t.task_status = any(${change.from}::smallint[]) and (t.paused <> ${change.paused} or ${change.takesOver})`,
  );
  if (changed === 1 && change.paused === YesNo.No) await wakeBatches(db, ParkReason.Task, [change.taskId]);
  return changed === 1;
};

export interface TaskEvent {
  taskId: string;
  customerId: string;
  /** Status entered; null for what leaves it alone. */
  taskStatus: number | null;
  action: string;
  userId: string | null;
  note?: string | null;
}

export const insertTaskEvent = async (db: Db, event: TaskEvent): Promise<void> => {
  await run(
    db,
    sql`insert into task_event (task_id, event_id, customer_id, task_status, action, user_id, note, at)
        values (${event.taskId}, ${uuidV7()}, ${event.customerId}, ${event.taskStatus}, ${event.action}, ${event.userId},
                ${event.note ?? null}, clock_timestamp())`,
  );
};

export interface TaskEventRow {
  at: Date;
  taskStatus: number | null;
  action: string;
  name: string | null;
  note: string | null;
}

/**
 * Names are only those of the customer's own users: row security hides staff from a customer, who sees them as the
 * provider.
 */
export const listTaskEvents = async (db: Db, customerId: string, taskId: string): Promise<TaskEventRow[]> =>
  many(
    db,
    sql<TaskEventRow>`select e.at, e.task_status as "taskStatus", e.action, u.name, e.note from task_event e
      left join app_user u on u.user_id = e.user_id
      where e.task_id = ${taskId} and e.customer_id = ${customerId} order by e.at, e.event_id limit 500`,
  );

/** Current components of a task; a part is null if it is not the customer's. */
export interface TaskParts {
  /** The database's instant. */
  now: Date;
  customerUseState: 0 | 1;
  app: { useState: 0 | 1; chargeType: string } | null;
  template: {
    appId: string;
    /** Null if no version may send. */
    version: number | null;
    smsType: number | null;
    content: string | null;
  } | null;
  sender: { auditStatus: number; useState: 0 | 1; senderId: string } | null;
  /** A sender ID of the application that may be sent from, else an assigned number: what an empty choice means. */
  defaultSender: string | null;
  file: {
    fileStatus: string;
    generation: number;
    validCount: number;
    /** Of them, on the list when the file was read. */
    optedOutCount: number;
    columns: { index: number; name: string }[];
    phoneColumn: number | null;
  } | null;
  /** Those of the groups that are there, in the order in which they were given. */
  groups: {
    groupId: string;
    groupName: string;
    memberCount: number;
    variableNames: string[];
    /** Of a dynamic group. */
    selection: GroupSelection | null;
    isImporting: boolean;
  }[];
}

type Named = Pick<TaskFields, 'appId' | 'templateId' | 'senderId' | 'fileId'> & Partial<Pick<TaskFields, 'groupIds'>>;

/** In test mode all but its files and groups are those of the live application (decision 155). */
export const findTaskParts = async (db: Db, customerId: string, task: Named): Promise<TaskParts> => {
  const own = await findOwnParts(db, customerId, task);
  if (!isTestCustomer(customerId)) return own;
  const { appId, lender } = await findLender(db, customerId, task.appId);
  const lent = await readLent(db, lender, () =>
    findOwnParts(db, lender.customerId, { ...task, appId: lender.appId, fileId: null, groupIds: [] }),
  );
  const { app, template, sender, defaultSender, customerUseState } = lent;
  const isOfTest = task.senderId?.toUpperCase() === testSenderId;
  return {
    ...own,
    customerUseState,
    app: own.app && app,
    template: template && { ...template, appId: template.appId === lender.appId ? appId : template.appId },
    sender: isOfTest
      ? { auditStatus: AuditStatus.NotRequired, useState: UseState.Enabled, senderId: testSenderId }
      : sender,
    defaultSender: defaultSender ?? testSenderId,
  };
};

const findOwnParts = (db: Db, customerId: string, task: Named): Promise<TaskParts> =>
  one(
    db,
    sql<TaskParts>`select clock_timestamp() as now, c.use_state as "customerUseState",
        (select jsonb_build_object('useState', a.use_state, 'chargeType', a.charge_type) from application a
          where a.customer_id = c.customer_id and a.app_id = ${task.appId}) as app,
        (select jsonb_build_object('appId', t.app_id, 'version', t.serving_version, 'smsType', v.sms_type, 'content', v.content)
          from template t left join template_version v on v.template_id = t.template_id and v.version = t.serving_version
          where t.customer_id = c.customer_id and t.template_id = ${task.templateId}::uuid and t.deleted_at is null) as template,
        coalesce((select jsonb_build_object('auditStatus', s.audit_status, 'useState', s.use_state, 'senderId', s.sender_id) from sender s
          where s.customer_id = c.customer_id and s.app_id = ${task.appId} and lower(s.sender_id) = lower(${task.senderId}::text)
          order by s.area_code = 'PH' desc limit 1),
          (select jsonb_build_object('auditStatus', 3, 'useState', n.use_state, 'senderId', n.number) from assigned_number n
          where n.customer_id = c.customer_id and n.app_id = ${task.appId} and n.number = ltrim(${task.senderId}::text, '+'))) as sender,
        coalesce((select s.sender_id from sender s where s.customer_id = c.customer_id and s.app_id = ${task.appId}
          and s.audit_status in (${auditStatus.Approved}, ${auditStatus.NotRequired})
            and s.use_state = ${useState.Enabled} order by s.area_code = 'PH' desc, s.created_at, s.id limit 1),
          (select n.number from assigned_number n where n.customer_id = c.customer_id and n.app_id = ${task.appId}
          and n.use_state = ${useState.Enabled} order by n.assigned_at, n.number limit 1)) as "defaultSender",
        (select jsonb_build_object('fileStatus', f.file_status, 'generation', f.generation, 'validCount', f.valid_count,
                                   'optedOutCount', f.opted_out_count, 'columns', f.columns, 'phoneColumn', (f.reading ->> 'phoneColumn')::int)
          from file f where f.customer_id = c.customer_id and f.file_id = ${task.fileId}::uuid and f.file_status <> 'uploading'
            and not f.is_audience) as file,
        (select coalesce(jsonb_agg(jsonb_build_object('groupId', g.group_id, 'groupName', g.group_name,
              'memberCount', coalesce(g.selected_count, g.member_count), 'variableNames', ${variableNamesOf},
              'selection', g.selection, 'isImporting', ${isBeingFilled})
            order by array_position(${task.groupIds ?? []}::uuid[], g.group_id)), '[]')
          from message_group g where g.customer_id = c.customer_id and g.group_id = any(${task.groupIds ?? []}::uuid[])
            and g.deleted_at is null) as groups
      from customer c where c.customer_id = ${customerId}`,
  );
