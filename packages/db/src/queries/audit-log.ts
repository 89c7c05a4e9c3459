/** The audit log as it is read: newest first, of one customer or, for staff, of all. */
import type { AuditActorKind, Role } from '@pahatid/contract';
import { type PageOrder, pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, sql } from '../sql.ts';

export interface AuditRow {
  auditId: string;
  time: Date;
  customerId: string | null;
  customerName: string | null;
  userId: string | null;
  account: string | null;
  name: string | null;
  role: Role | null;
  appId: string | null;
  /** The user is or was one of the staff. */
  isStaff: boolean;
  ip: string | null;
  userAgent: string | null;
  action: string;
  subjectType: string;
  subjectId: string;
  subjectName: string | null;
}

export interface AuditRowDetail extends AuditRow {
  before: unknown;
  after: unknown;
}

export interface AuditFilter {
  actor?: string | undefined;
  actorKind?: AuditActorKind | undefined;
  action?: readonly string[] | undefined;
  subjectType?: readonly string[] | undefined;
  subjectId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const staffRoles = sql`('reviewer', 'operator', 'admin')`;
/**
 * A customer's transaction sees only its own users: an actor that is none of them, or was staff at that time, is staff.
 * The first entries did not record the role.
 */
const isStaff = sql`(a.user_id is not null and (coalesce(a.role in ${staffRoles}, false) or u.user_id is null
  or u.customer_id is null))`;

const kindIs: Record<AuditActorKind, Fragment<unknown>> = {
  member: sql`a.user_id is not null and not ${isStaff}`,
  staff: isStaff,
  application: sql`a.app_id is not null`,
  visitor: sql`a.user_id is null and a.app_id is null and a.ip is not null`,
  system: sql`a.user_id is null and a.app_id is null and a.ip is null`,
};

/** Names of what still exists, as they are now; of prices and limits, what they are about. */
const presentName = sql`case a.subject_type
  when 'application' then (select x.app_name from application x where x.app_id = a.subject_id)
  when 'key' then (select x.key_name from api_key x where x.key_id = s.id)
  when 'template' then (select x.template_name from template x where x.template_id = s.id)
  when 'sender' then (select x.sender_id from sender x where x.id = s.id)
  when 'task' then (select x.task_name from task x where x.task_id = s.id)
  when 'group' then (select x.group_name from message_group x where x.group_id = s.id)
  when 'file' then (select x.file_name from file x where x.file_id = s.id)
  when 'shortLink' then (select x.link_name from short_link x where x.link_id = s.id)
  when 'chart' then (select x.tab_name from chart x where x.chart_id = s.id)
  when 'savedFilter' then (select x.name from saved_filter x where x.filter_id = s.id)
  when 'savedReply' then (select x.name from saved_reply x where x.saved_reply_id = s.id)
  when 'keywordRule' then (select x.keywords[1] from keyword_rule x where x.rule_id = s.id)
  when 'invitation' then (select x.email from invitation x where x.invitation_id = s.id)
  when 'supplier' then (select x.supplier_account from supplier x where x.supplier_id = s.id)
  when 'route' then (select x.route_name from route x where x.route_id = s.id)
  when 'price' then (select concat_ws(' · ', x.area_code, x.carrier) from price x where x.price_id = s.id)
  else case
    when a.subject_type in ('customer', 'optOut', 'privacy') then
      (select x.customer_name from customer x where x.customer_id = s.id)
    when a.subject_type in ('threshold', 'limit') then
      (select nullif(concat_ws(' · ', x.app_id, x.area_code, x.carrier), '') from threshold x where x.threshold_id = s.id)
    when a.subject_type in ('user', 'member', 'session', 'noticeSettings') then
      (select x.name from app_user x where x.user_id = s.id)
    end
  end`;
/** Where the entry itself names a subject that has since been deleted. */
const nameField = sql`case a.subject_type
  when 'application' then 'appName' when 'key' then 'keyName' when 'template' then 'templateName' when 'sender' then 'senderId'
  when 'task' then 'taskName' when 'group' then 'groupName' when 'file' then 'fileName' when 'shortLink' then 'linkName'
  when 'chart' then 'tabName' when 'invitation' then 'email' when 'supplier' then 'supplierAccount'
  when 'route' then 'routeName' when 'customer' then 'customerName' when 'prohibitedTerm' then 'term'
  else case when a.subject_type in ('savedFilter', 'savedReply', 'passkey', 'holiday', 'member', 'user') then 'name' end end`;
const subjectName = sql`coalesce(${presentName}, a.after ->> ${nameField}, a.before ->> ${nameField})`;

/** IDs of objects of all kinds are in one column: those that are UUIDs are looked up by key. */
const uuidPattern = '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$';
const columns = sql`a.audit_id::text as "auditId", a.at as time, a.customer_id as "customerId",
  c.customer_name as "customerName", a.user_id as "userId", a.account,
  coalesce(u.name, (select x.app_name from application x where x.app_id = a.app_id)) as name, a.role, a.app_id as "appId",
  ${isStaff} as "isStaff", host(a.ip) as ip, a.user_agent as "userAgent", a.action, a.subject_type as "subjectType",
  a.subject_id as "subjectId", ${subjectName} as "subjectName"`;
const source = sql`audit_log a left join app_user u on u.user_id = a.user_id left join customer c on c.customer_id = a.customer_id
  cross join lateral (select case when a.subject_id ~ ${uuidPattern} then a.subject_id::uuid end as id) s`;

const startsWith = (text: string): string => `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

const conditionsOf = (customerId: string | null, filter: AuditFilter): Fragment<unknown>[] => {
  const { actor, actorKind, action, subjectType, subjectId, from, to } = filter;
  const all: Fragment<unknown>[] = [customerId === null ? sql`true` : sql`a.customer_id = ${customerId}`];
  if (actor !== undefined) {
    const like = startsWith(actor);
    const byName = sql`lower(a.account) like ${like} or lower(a.app_id) like ${like} or lower(u.name) like ${`%${like}`}`;
    // The staff member's identity is neither shown to a customer nor searchable by it.
    const visible = customerId === null ? sql`` : sql`and not ${isStaff}`;
    all.push(sql`((${byName} or a.user_id::text = ${actor}) ${visible})`);
  }
  if (actorKind !== undefined) all.push(sql`(${kindIs[actorKind]})`);
  if (action) all.push(sql`a.action = any(${action}::text[])`);
  if (subjectType) all.push(sql`a.subject_type = any(${subjectType}::text[])`);
  if (subjectId !== undefined) all.push(sql`a.subject_id = ${subjectId}`);
  if (from !== undefined) all.push(sql`a.at >= ${from}::timestamptz`);
  if (to !== undefined) all.push(sql`a.at < ${to}::timestamptz`);
  return all;
};

type Page = PageOrder & { limit: number };

const readRows = <Row>(
  db: Db,
  selected: Fragment<unknown>,
  conditions: readonly Fragment<unknown>[],
  page: Page,
): Promise<Row[]> => {
  const { past, orderBy } = pageBy([[sql`a.audit_id`, 'bigint']], page);
  const all = [...conditions, past];
  return many<Row>(
    db,
    sql<Row>`select ${selected} from ${source} where ${sql.join(all, sql` and `)} order by ${orderBy} limit ${page.limit}`,
  );
};

/** `customerId` null: all. */
export const listAudit = (db: Db, customerId: string | null, filter: AuditFilter, page: Page): Promise<AuditRow[]> =>
  readRows<AuditRow>(db, columns, conditionsOf(customerId, filter), page);

/** The same with the states before and after. */
export const listAuditWithStates = (
  db: Db,
  customerId: string | null,
  filter: AuditFilter,
  page: Page,
): Promise<AuditRowDetail[]> =>
  readRows<AuditRowDetail>(db, sql`${columns}, a.before, a.after`, conditionsOf(customerId, filter), page);

/** With its place in its chain, as the operator's own programs read it. */
export interface AuditFeedRow extends AuditRowDetail {
  seq: string | null;
  hash: Buffer | null;
}

interface SettledRow extends AuditFeedRow {
  isSettled: boolean;
}

/**
 * Entries of all customers after `after`, oldest first, up to the first behind which one with a lower id may still be
 * committed: every transaction that began before it has ended, and it is two seconds old.
 */
export async function readAuditFeed(db: Db, after: string, limit: number): Promise<AuditFeedRow[]> {
  const rows = await many<SettledRow>(
    db,
    sql`select ${columns}, a.before, a.after, l.seq::text, l.hash,
          a.at < now() - interval '2 seconds'
            and age(a.xmin) > age((pg_snapshot_xmin(pg_current_snapshot()))::xid) as "isSettled"
        from ${source} left join audit_link l on l.audit_id = a.audit_id
        where a.audit_id > ${after}::bigint order by a.audit_id limit ${limit}`,
  );
  const open = rows.findIndex(({ isSettled }) => !isSettled);
  return rows.slice(0, open < 0 ? rows.length : open).map(({ isSettled: _isSettled, ...row }) => row);
}

export const findAudit = (db: Db, customerId: string | null, auditId: string): Promise<AuditRowDetail | null> =>
  maybe<AuditRowDetail>(
    db,
    sql`select ${columns}, a.before, a.after from ${source}
        where a.audit_id = ${auditId}::bigint and ${customerId === null ? sql`true` : sql`a.customer_id = ${customerId}`}`,
  );

/** Returns the chain links of entries. Never run in a customer's scope, which sees no chains. */
export const findAuditLinks = async (
  db: Db,
  auditIds: readonly string[],
): Promise<Map<string, { seq: string; hash: Buffer }>> => {
  const rows = await many<{ auditId: string; seq: string; hash: Buffer }>(
    db,
    sql`select audit_id::text as "auditId", seq::text, hash from audit_link where audit_id = any(${auditIds}::bigint[])`,
  );
  return new Map(rows.map(({ auditId, seq, hash }) => [auditId, { seq, hash }]));
};
