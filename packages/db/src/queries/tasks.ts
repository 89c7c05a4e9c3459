/**
 * Bulk tasks: reading them, and the only function that changes their status. A transition is a single UPDATE guarded by
 * the statuses it may leave (the table is in domain), so of two clicks or two machines exactly one wins.
 */

import type { ReviewReason } from '@pahatid/contract';
import { TaskStatus, YesNo } from '@pahatid/contract/enums';
import { uuidV7 } from '../ids.ts';
import { auditStatus, taskStatus, useState } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
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
  task_id: string;
  customer_id: string;
  customer_name: string;
  task_name: string;
  sms_type: 1 | 2 | 3 | null;
  app_id: string | null;
  app_name: string | null;
  template_id: string | null;
  template_name: string | null;
  sender_id: string | null;
  file_id: string | null;
  file_name: string | null;
  valid_count: number | null;
  /** Blocks the task reads: frozen by its check, the file's newest until then. */
  file_generation: number | null;
  group_ids: string[];
  groups: { groupId: string; groupName: string; memberCount: number }[];
  /** Its recipients as frozen by its check, if it is sent to groups. */
  audience_id: string | null;
  audience: AudienceFacts | null;
  mapping: TaskMappingRow | null;
  plan_flag: 0 | 1;
  plan_time: Date | null;
  task_status: number;
  paused: 0 | 1;
  status_reason: string | null;
  /** Null: marketing of the customer is sent at any hour. */
  quiet_hours: { from: number; to: number } | null;
  status_note: string | null;
  audit_code: ReviewReason | null;
  audit_from: number | null;
  audit_to: number | null;
  retry_count: number;
  total_count: number;
  dropped_count: number;
  estimated_segments: number | null;
  estimated_cost: number | null;
  price: number | null;
  version: number;
  created_at: Date;
  /** Exact, as PostgreSQL writes it: a Date loses microseconds, and a cursor must not. */
  created_key: string;
  started_at: Date | null;
  ended_at: Date | null;
  success_count: number;
  failed_count: number;
  delivered_count: number;
  undelivered_count: number;
  unknown_count: number;
  unconfirmed_count: number;
  check_read: number;
  /** Null until the recipients are known. */
  check_total: number | null;
  /** Since the check began; null before it. */
  check_seconds: number | null;
  charged_segments: number;
  charged_cost: number;
}

/** Counters are one row per writer (no two processes wait for each other); reading sums them. */
const progressSums = sql.raw(
  `left join lateral (
     select coalesce(sum(success_count), 0)::int as success_count, coalesce(sum(failed_count), 0)::int as failed_count,
       coalesce(sum(delivered_count), 0)::int as delivered_count, coalesce(sum(undelivered_count), 0)::int as undelivered_count,
       coalesce(sum(unknown_count), 0)::int as unknown_count, coalesce(sum(unconfirmed_count), 0)::int as unconfirmed_count,
       coalesce(sum(charged_segments), 0)::float8 as charged_segments, coalesce(sum(charged_cost), 0)::float8 as charged_cost
     from task_progress where task_progress.task_id = t.task_id) p on true`,
);

const taskColumns = sql.raw(
  `t.task_id, t.customer_id, c.customer_name, t.task_name, t.sms_type, t.app_id, a.app_name, t.template_id, tpl.template_name,
   t.sender_id, t.file_id, f.file_name, f.valid_count, case when t.audience_id is null then coalesce(t.file_generation, f.generation)
     else (t.audience ->> 'fileGeneration')::int end as file_generation, t.group_ids, t.audience_id, t.audience,
   (select coalesce(jsonb_agg(jsonb_build_object('groupId', g.group_id, 'groupName', g.group_name, 'memberCount', g.member_count)
      order by array_position(t.group_ids, g.group_id)), '[]') from message_group g where g.group_id = any(t.group_ids)) as groups, t.mapping, t.plan_flag, t.plan_time, t.task_status, t.paused,
   t.status_reason, case when c.quiet_hours_exempt then null else jsonb_build_object('from', c.quiet_from, 'to', c.quiet_to) end
     as quiet_hours, t.status_note, t.audit_code, t.audit_from, t.audit_to, t.retry_count, t.total_count, t.dropped_count,
   t.estimated_segments::float8 as estimated_segments, t.estimated_cost::float8 as estimated_cost, t.price,
   t.check_read, t.check_total, extract(epoch from clock_timestamp() - t.check_started_at)::float8 as check_seconds,
   t.version, t.created_at, t.created_at::text as created_key, t.started_at, t.ended_at, p.*`,
);

const taskJoins = sql`join customer c on c.customer_id = t.customer_id
  left join application a on a.app_id = t.app_id
  left join template tpl on tpl.template_id = t.template_id
  left join file f on f.file_id = t.file_id
  ${progressSums}`;

/** Null looks across customers: staff and jobs. */
const ofCustomer = (customerId: string | null): Fragment<unknown> =>
  customerId === null ? sql`true` : sql`t.customer_id = ${customerId}`;

export interface TaskFilter {
  customerId: string | null;
  search?: string | undefined;
  taskStatus?: readonly number[] | undefined;
  smsType?: readonly number[] | undefined;
  appId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  ascending?: boolean | undefined;
  /** Key of the last row seen: `created_key` and id. */
  after?: readonly [createdKey: string, taskId: string] | null | undefined;
  limit: number;
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const whereOf = (filter: TaskFilter): Fragment<unknown> => {
  const conditions: Fragment<unknown>[] = [ofCustomer(filter.customerId)];
  if (filter.search !== undefined && filter.search !== '')
    conditions.push(sql`t.task_name ilike ${`%${escapeLike(filter.search)}%`}`);
  if (filter.taskStatus) conditions.push(sql`t.task_status = any(${filter.taskStatus}::smallint[])`);
  if (filter.smsType) conditions.push(sql`t.sms_type = any(${filter.smsType}::smallint[])`);
  if (filter.appId !== undefined) conditions.push(sql`t.app_id = ${filter.appId}`);
  if (filter.from !== undefined) conditions.push(sql`t.created_at >= ${filter.from}::timestamptz`);
  if (filter.to !== undefined) conditions.push(sql`t.created_at < ${filter.to}::timestamptz`);
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
  return many(
    db,
    sql<TaskRow>`select ${taskColumns} from (
        select t.* from task t where ${whereOf(filter)} order by ${order} limit ${filter.limit}) t
      ${taskJoins} order by ${order}`,
  );
};

export const findTask = async (db: Db, customerId: string | null, taskId: string): Promise<TaskRow | null> =>
  maybe(
    db,
    sql<TaskRow>`select ${taskColumns} from task t ${taskJoins} where t.task_id = ${taskId} and ${ofCustomer(customerId)}`,
  );

/** Locks a task against other actions, so that data read next stays valid until the transaction ends. */
export const lockTask = async (tx: Db, customerId: string | null, taskId: string): Promise<void> => {
  await run(tx, sql`select 1 from task t where t.task_id = ${taskId} and ${ofCustomer(customerId)} for no key update`);
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
          and t.task_status in (${taskStatus.Initialized}, ${taskStatus.Confirmed}, ${taskStatus.Preparing}, ${taskStatus.Sending}, ${taskStatus.PendingReview}) and ${ofCustomer(customerId)}
         order by t.created_at desc limit 200)
        union
        (select t.task_id from task t where t.task_id = any(${taskIds}::uuid[]) and ${ofCustomer(customerId)}))`,
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
}

export const insertTask = async (
  db: Db,
  task: TaskFields & { taskId: string; customerId: string; createdBy: string; taskStatus: number },
): Promise<void> => {
  await run(
    db,
    sql`insert into task (task_id, customer_id, task_name, sms_type, app_id, template_id, sender_id, file_id, group_ids, mapping,
                          plan_flag, plan_time, task_status, created_by)
        values (${task.taskId}, ${task.customerId}, ${task.taskName}, ${task.smsType}, ${task.appId}, ${task.templateId},
                ${task.senderId}, ${task.fileId}, ${task.groupIds}::uuid[], ${task.mapping === null ? null : JSON.stringify(task.mapping)},
                ${task.planFlag}, ${task.planTime}, ${task.taskStatus}, ${task.createdBy})`,
  );
};

const columnOf: Record<keyof TaskFields, string> = {
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
    userId: string;
  },
): Promise<boolean> => {
  const sets = Object.entries(edit.fields).map(([key, value]) => {
    const column = sql.ref(columnOf[key as keyof TaskFields]);
    const stored = key === 'mapping' && value !== null ? JSON.stringify(value) : value;
    return sql`${column} = ${stored}`;
  });
  const forget = sql.raw(
    `task_status = ${TaskStatus.Draft}, paused = ${YesNo.No}, status_reason = null, status_note = null, template_version = null, content = null,
     charge_type = null, price = null, prices = null, file_generation = null, total_count = 0, dropped_count = 0, opted_out_count = 0,
     estimated_segments = null, estimated_cost = null, check_facts = null, next_block = 0, prepared_count = 0, prepared = false,
     audience_id = null, audience = null, check_started_at = null, owner = null, lease_until = null, submitted_at = null, confirmed_at = null`,
  );
  const frozen = await maybe(
    db,
    sql<{ audience_id: string | null }>`select audience_id from task
      where task_id = ${edit.taskId} and customer_id = ${edit.customerId} for no key update`,
  );
  const changed = await run(
    db,
    sql`update task set ${sql.join([...sets, forget, savedBy(edit.userId)])}
        where task_id = ${edit.taskId} and customer_id = ${edit.customerId} and task_status = any(${edit.from}::smallint[])
          and ${isVersion(edit.seen)}`,
  );
  if (changed === 0) return false;
  await run(db, sql`delete from task_reject where task_id = ${edit.taskId}`);
  if (frozen?.audience_id) await run(db, sql`delete from file where file_id = ${frozen.audience_id} and is_audience`);
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
export const transitionTask = async (db: Db, transition: Transition): Promise<boolean> =>
  (await run(
    db,
    sql`update task t set task_status = ${transition.to}${transition.set ? sql`, ${transition.set}` : sql``}
        where t.task_id = ${transition.taskId} and ${ofCustomer(transition.customerId)}
          and t.task_status = any(${transition.from}::smallint[])${transition.where ? sql` and ${transition.where}` : sql``}`,
  )) === 1;

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
): Promise<boolean> =>
  (await run(
    db,
    sql`update task t set paused = ${change.paused}, status_reason = ${change.reason}
        where t.task_id = ${change.taskId} and ${ofCustomer(change.customerId)}
          and t.task_status = any(${change.from}::smallint[]) and (t.paused <> ${change.paused} or ${change.takesOver})`,
  )) === 1;

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
  task_status: number | null;
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
    sql<TaskEventRow>`select e.at, e.task_status, e.action, u.name, e.note from task_event e
      left join app_user u on u.user_id = e.user_id
      where e.task_id = ${taskId} and e.customer_id = ${customerId} order by e.at, e.event_id limit 500`,
  );

/** Current components of a task; a part is null if it is not the customer's. */
export interface TaskParts {
  /** The database's instant. */
  now: Date;
  customer_use_state: 0 | 1;
  app: { use_state: 0 | 1; charge_type: string } | null;
  template: {
    app_id: string;
    /** Null if no version may send. */
    version: number | null;
    sms_type: number | null;
    content: string | null;
  } | null;
  sender: { audit_status: number; use_state: 0 | 1; sender_id: string } | null;
  /** A sender ID of the application that may be sent from, else an assigned number: what an empty choice means. */
  default_sender: string | null;
  file: {
    file_status: string;
    generation: number;
    valid_count: number;
    /** Of them, on the list when the file was read. */
    opted_out_count: number;
    columns: { index: number; name: string }[];
    phone_column: number | null;
  } | null;
  /** Those of the groups that are there, in the order in which they were given. */
  groups: {
    group_id: string;
    group_name: string;
    member_count: number;
    variable_names: string[];
    is_importing: boolean;
  }[];
}

export const findTaskParts = async (
  db: Db,
  customerId: string,
  task: Pick<TaskFields, 'appId' | 'templateId' | 'senderId' | 'fileId'> & Partial<Pick<TaskFields, 'groupIds'>>,
): Promise<TaskParts> =>
  one(
    db,
    sql<TaskParts>`select clock_timestamp() as now, c.use_state as customer_use_state,
        (select jsonb_build_object('use_state', a.use_state, 'charge_type', a.charge_type) from application a
          where a.customer_id = c.customer_id and a.app_id = ${task.appId}) as app,
        (select jsonb_build_object('app_id', t.app_id, 'version', t.serving_version, 'sms_type', v.sms_type, 'content', v.content)
          from template t left join template_version v on v.template_id = t.template_id and v.version = t.serving_version
          where t.customer_id = c.customer_id and t.template_id = ${task.templateId}::uuid and t.deleted_at is null) as template,
        coalesce((select jsonb_build_object('audit_status', s.audit_status, 'use_state', s.use_state, 'sender_id', s.sender_id) from sender s
          where s.customer_id = c.customer_id and s.app_id = ${task.appId} and lower(s.sender_id) = lower(${task.senderId}::text)
          order by s.area_code = 'PH' desc limit 1),
          (select jsonb_build_object('audit_status', 3, 'use_state', n.use_state, 'sender_id', n.number) from assigned_number n
          where n.customer_id = c.customer_id and n.app_id = ${task.appId} and n.number = ltrim(${task.senderId}::text, '+'))) as sender,
        coalesce((select s.sender_id from sender s where s.customer_id = c.customer_id and s.app_id = ${task.appId}
          and s.audit_status in (${auditStatus.Approved}, ${auditStatus.NotRequired})
            and s.use_state = ${useState.Enabled} order by s.area_code = 'PH' desc, s.created_at, s.id limit 1),
          (select n.number from assigned_number n where n.customer_id = c.customer_id and n.app_id = ${task.appId}
          and n.use_state = ${useState.Enabled} order by n.assigned_at, n.number limit 1)) as default_sender,
        (select jsonb_build_object('file_status', f.file_status, 'generation', f.generation, 'valid_count', f.valid_count,
                                   'opted_out_count', f.opted_out_count, 'columns', f.columns, 'phone_column', (f.reading ->> 'phoneColumn')::int)
          from file f where f.customer_id = c.customer_id and f.file_id = ${task.fileId}::uuid and f.file_status <> 'uploading'
            and not f.is_audience) as file,
        (select coalesce(jsonb_agg(jsonb_build_object('group_id', g.group_id, 'group_name', g.group_name,
              'member_count', g.member_count, 'variable_names', g.variable_names, 'is_importing', exists (
                select from intake i where i.customer_id = g.customer_id and i.group_id = g.group_id and i.state = 'waiting'))
            order by array_position(${task.groupIds ?? []}::uuid[], g.group_id)), '[]')
          from message_group g where g.customer_id = c.customer_id and g.group_id = any(${task.groupIds ?? []}::uuid[])
            and g.deleted_at is null) as groups
      from customer c where c.customer_id = ${customerId}`,
  );
