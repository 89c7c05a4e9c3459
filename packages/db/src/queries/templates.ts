/** Templates and their versions. A list shows the newest version; what sends is `servingVersion`. */

import type { AuditStatus, ReviewReason, SmsType, UseState } from '@pahatid/contract';
import { taskStatus } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { isVersion, savedBy } from './versions.ts';

export interface TemplateRow {
  templateId: string;
  customerId: string;
  customerName: string;
  templateName: string;
  appId: string;
  appName: string;
  /** Of the text. */
  version: number;
  /** Of everything that is edited. */
  editVersion: number;
  servingVersion: number | null;
  smsType: SmsType;
  content: string;
  auditStatus: AuditStatus;
  auditReason: string | null;
  auditCode: ReviewReason | null;
  auditFrom: number | null;
  auditTo: number | null;
  createTime: Date;
  updateTime: Date;
  /** When the newest version was submitted. */
  submitTime: Date;
  /** Keys of the sorts, exact as PostgreSQL writes them. */
  updateKey: string;
  nameKey: string;
}

const columns = sql.raw(
  `t.template_id as "templateId", t.customer_id as "customerId", c.customer_name as "customerName",
   t.template_name as "templateName", t.app_id as "appId", a.app_name as "appName", v.version,
   t.version as "editVersion", t.serving_version as "servingVersion", v.sms_type as "smsType", v.content, v.audit_status as "auditStatus",
   v.audit_reason as "auditReason", v.audit_code as "auditCode", v.audit_from as "auditFrom", v.audit_to as "auditTo",
   t.created_at as "createTime", t.updated_at as "updateTime",
   v.created_at as "submitTime", t.updated_at::text as "updateKey", lower(t.template_name) as "nameKey"`,
);

const joins = sql.raw(
  `template t
   join template_version v on v.template_id = t.template_id and v.version = t.newest_version
   join application a on a.app_id = t.app_id
   join customer c on c.customer_id = t.customer_id`,
);

export type TemplateSort = '-updateTime' | 'updateTime' | 'templateName';

export interface TemplateFilter {
  /** null looks across customers: staff. */
  customerId: string | null;
  search?: string | undefined;
  appId?: string | undefined;
  smsType?: readonly SmsType[] | undefined;
  auditStatus?: readonly AuditStatus[] | undefined;
  sendable?: boolean | undefined;
  sort: TemplateSort;
  /** Key of the last row seen: `updateKey` or `nameKey`, and templateId. */
  after?: readonly string[] | null;
  limit: number;
}

const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const ofCustomer = (customerId: string | null): Fragment<unknown> =>
  customerId === null ? sql`true` : sql`t.customer_id = ${customerId}`;

const conditionsOf = (filter: TemplateFilter): Fragment<unknown>[] => {
  const conditions = [sql`t.deleted_at is null`, ofCustomer(filter.customerId)];
  if (filter.search)
    conditions.push(
      sql`(t.template_name ilike ${contains(filter.search)} or v.content ilike ${contains(filter.search)})`,
    );
  if (filter.appId !== undefined) conditions.push(sql`t.app_id = ${filter.appId}`);
  if (filter.smsType) conditions.push(sql`v.sms_type = any(${filter.smsType}::smallint[])`);
  if (filter.auditStatus) conditions.push(sql`v.audit_status = any(${filter.auditStatus}::smallint[])`);
  if (filter.sendable) conditions.push(sql`t.serving_version is not null`);
  return conditions;
};

const orders: Record<TemplateSort, Fragment<unknown>> = {
  '-updateTime': sql`t.updated_at desc, t.template_id desc`,
  updateTime: sql`t.updated_at, t.template_id`,
  templateName: sql`lower(t.template_name), t.template_id`,
};

const keyCondition = (sort: TemplateSort, [key, id]: readonly string[]): Fragment<unknown> => {
  if (sort === 'templateName') return sql`(lower(t.template_name), t.template_id) > (${key}, ${id}::uuid)`;
  if (sort === 'updateTime') return sql`(t.updated_at, t.template_id) > (${key}::timestamptz, ${id}::uuid)`;
  return sql`(t.updated_at, t.template_id) < (${key}::timestamptz, ${id}::uuid)`;
};

export const listTemplates = async (db: Db, filter: TemplateFilter): Promise<TemplateRow[]> => {
  const conditions = conditionsOf(filter);
  if (filter.after) conditions.push(keyCondition(filter.sort, filter.after));
  return many<TemplateRow>(
    db,
    sql`select ${columns} from ${joins} where ${sql.join(conditions, sql` and `)}
        order by ${orders[filter.sort]} limit ${filter.limit}`,
  );
};

export const countTemplates = async (db: Db, filter: TemplateFilter): Promise<number> => {
  const { total } = await one<{ total: number }>(
    db,
    sql`select count(*)::int as total from ${joins} where ${sql.join(conditionsOf(filter), sql` and `)}`,
  );
  return total;
};

export const findTemplate = (db: Db, customerId: string | null, templateId: string): Promise<TemplateRow | null> =>
  maybe<TemplateRow>(
    db,
    sql`select ${columns} from ${joins}
        where t.template_id = ${templateId} and t.deleted_at is null and ${ofCustomer(customerId)}`,
  );

export interface TemplateVersionRow {
  version: number;
  content: string;
  smsType: SmsType;
  auditStatus: AuditStatus;
  auditReason: string | null;
  auditCode: ReviewReason | null;
  auditFrom: number | null;
  auditTo: number | null;
  auditTime: Date | null;
  createTime: Date;
  createdBy: string | null;
}

export const listTemplateVersions = (db: Db, templateId: string): Promise<TemplateVersionRow[]> =>
  many<TemplateVersionRow>(
    db,
    sql`select v.version, v.content, v.sms_type as "smsType", v.audit_status as "auditStatus",
               v.audit_reason as "auditReason", v.audit_code as "auditCode", v.audit_from as "auditFrom",
               v.audit_to as "auditTo", v.audited_at as "auditTime", v.created_at as "createTime", u.name as "createdBy"
        from template_version v left join app_user u on u.user_id = v.created_by
        where v.template_id = ${templateId} order by v.version desc limit 200`,
  );

/** Application and customer data for a new template; null if the application is not the customer's. */
export const findTemplateGround = (
  db: Db,
  customerId: string,
  appId: string,
): Promise<{ useState: UseState; exemptSmsTypes: number[] } | null> =>
  maybe<{ useState: UseState; exemptSmsTypes: number[] }>(
    db,
    sql`select a.use_state as "useState", c.exempt_sms_types as "exemptSmsTypes"
        from application a join customer c using (customer_id)
        where a.customer_id = ${customerId} and a.app_id = ${appId}`,
  );

export interface NewVersion {
  templateId: string;
  customerId: string;
  version: number;
  smsType: SmsType;
  content: string;
  auditStatus: AuditStatus;
  createdBy: string | null;
}

const insertVersion = (tx: Db, row: NewVersion): Promise<number> =>
  run(
    tx,
    sql`insert into template_version (template_id, version, customer_id, sms_type, content, audit_status, created_by)
        values (${row.templateId}, ${row.version}, ${row.customerId}, ${row.smsType}, ${row.content}, ${row.auditStatus},
                ${row.createdBy})`,
  );

/** Throws a unique violation of `template_name` when the customer has one of that name. */
export const insertTemplate = async (
  tx: Db,
  row: Omit<NewVersion, 'version'> & { appId: string; templateName: string; serves: boolean },
): Promise<void> => {
  await run(
    tx,
    sql`insert into template (template_id, customer_id, app_id, template_name, newest_version, serving_version)
        values (${row.templateId}, ${row.customerId}, ${row.appId}, ${row.templateName}, 1, ${row.serves ? 1 : null})`,
  );
  await insertVersion(tx, { ...row, version: 1 });
};

/**
 * Raises the version of a template that is being saved, which locks it: its texts are numbered consecutively. False: it
 * does not exist, or another user saved since `seen`.
 */
export const saveTemplate = async (
  tx: Db,
  save: { customerId: string; templateId: string; seen: number | undefined; userId: string | null },
): Promise<boolean> =>
  (await run(
    tx,
    sql`update template set ${savedBy(save.userId)}
        where template_id = ${save.templateId} and customer_id = ${save.customerId} and deleted_at is null
          and ${isVersion(save.seen)}`,
  )) === 1;

/** Locks a template. False: there is none. */
export const lockTemplate = async (tx: Db, customerId: string, templateId: string): Promise<boolean> =>
  (await run(
    tx,
    sql`select 1 from template where template_id = ${templateId} and customer_id = ${customerId} and deleted_at is null
        for update`,
  )) === 1;

export const renameTemplate = (tx: Db, templateId: string, templateName: string): Promise<number> =>
  run(
    tx,
    sql`update template set template_name = ${templateName}, updated_at = clock_timestamp()
        where template_id = ${templateId}`,
  );

/** Adds a version. The version in use stays in use, unless the new one needs no review. */
export const addTemplateVersion = async (tx: Db, row: NewVersion & { serves: boolean }): Promise<void> => {
  await insertVersion(tx, row);
  await run(
    tx,
    sql`update template set newest_version = ${row.version}, updated_at = clock_timestamp(),
          serving_version = case when ${row.serves} then ${row.version} else serving_version end
        where template_id = ${row.templateId}`,
  );
};

/** Name of a task that still needs the template, or null: those being checked, drafted, confirmed, reviewed or sent. */
export const findTaskOfTemplate = async (tx: Db, customerId: string, templateId: string): Promise<string | null> => {
  const row = await maybe<{ name: string }>(
    tx,
    sql`select task_name as name from task
        where customer_id = ${customerId} and (template_id = ${templateId}
            or task_id in (select v.task_id from ab_variant v where v.template_id = ${templateId}))
          and task_status in (${taskStatus.Initialized}, ${taskStatus.Draft}, ${taskStatus.ValidationPassed}, ${taskStatus.Confirmed}, ${taskStatus.Preparing}, ${taskStatus.Sending}, ${taskStatus.PendingReview})
        order by created_at desc limit 1`,
  );
  return row?.name ?? null;
};

/** Tasks of the past still name it, so its rows stay. */
export const removeTemplate = (tx: Db, templateId: string): Promise<number> =>
  run(
    tx,
    sql`update template set deleted_at = clock_timestamp(), serving_version = null where template_id = ${templateId}`,
  );
