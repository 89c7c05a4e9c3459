/** Short links as customers keep them, and the codes that lead to them. */

import type { LinkMode, LinkState, ReviewReason } from '@pahatid/contract';
import { AuditStatus, UseState } from '@pahatid/contract/enums';
import { numberArray, textArray } from '../array-literal.ts';
import { pageBy } from '../keyset.ts';
import { auditStatus, taskStatus, useState } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, prepared, run, sql } from '../sql.ts';
import { makeRowWriter } from '../write-rows.ts';
import { isVersion, savedBy } from './versions.ts';

export interface ShortLinkFields {
  linkName: string;
  targetUrl: string;
  fallbackUrl: string | null;
  appId: string | null;
  templateId: string | null;
  expireTime: Date;
  useState: UseState;
}

export interface ShortLinkRow extends ShortLinkFields {
  linkId: string;
  customerId: string;
  customerName: string;
  domain: string;
  code: string;
  mode: LinkMode;
  appName: string | null;
  templateName: string | null;
  version: number;
  createTime: Date;
  updateTime: Date;
  createdBy: string | null;
  auditStatus: AuditStatus;
  auditCode: ReviewReason | null;
  auditReason: string | null;
  /** By staff: of the link itself, or of a domain it leads to. */
  blockedReason: string | null;
  createKey: string;
}

const columns = sql.raw(
  `l.link_id as "linkId", l.customer_id as "customerId", c.customer_name as "customerName", l.link_name as "linkName",
   l.domain, l.code, l.target_url as "targetUrl", l.fallback_url as "fallbackUrl", l.mode, l.app_id as "appId",
   a.app_name as "appName", l.template_id as "templateId", t.template_name as "templateName", l.expires_at as "expireTime",
   l.use_state as "useState", l.version, l.created_at as "createTime", l.updated_at as "updateTime", u.name as "createdBy",
   l.created_at::text as "createKey", l.audit_status as "auditStatus", l.audit_code as "auditCode",
   l.audit_reason as "auditReason", coalesce(l.blocked_reason, (select b.reason from blocked_link_domain b
     where (l.target_host = b.domain or right(l.target_host, length(b.domain) + 1) = '.' || b.domain)
       or l.fallback_host = b.domain or right(l.fallback_host, length(b.domain) + 1) = '.' || b.domain limit 1)) as "blockedReason"`,
);
const joins = sql.raw(
  `short_link l join customer c on c.customer_id = l.customer_id left join application a on a.app_id = l.app_id
   left join template t on t.template_id = l.template_id left join app_user u on u.user_id = l.created_by`,
);
/** null looks across customers: staff. */
const ofCustomer = (customerId: string | null): Fragment<unknown> =>
  customerId === null ? sql`l.deleted_at is null` : sql`l.deleted_at is null and l.customer_id = ${customerId}`;

export interface ShortLinkFilter {
  customerId: string | null;
  search?: string | undefined;
  appId?: string | undefined;
  mode?: LinkMode | undefined;
  linkState?: LinkState | undefined;
  now: Date;
  /** `createKey` and linkId of the last row seen. */
  after?: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

const isBlocked = sql`(l.blocked_at is not null or is_link_host_blocked(l.target_host)
  or coalesce(is_link_host_blocked(l.fallback_host), false))`;

const stateIs = (state: LinkState, now: Date): Fragment<unknown> => {
  if (state === 'blocked') return isBlocked;
  return sql`not ${isBlocked} and ${unblockedStateIs(state, now)}`;
};

const unblockedStateIs = (state: LinkState, now: Date): Fragment<unknown> => {
  if (state === 'pending') return sql`l.audit_status = ${auditStatus.Pending}`;
  if (state === 'rejected') return sql`l.audit_status = ${auditStatus.Rejected}`;
  return sql`l.audit_status in (${auditStatus.Approved}, ${auditStatus.NotRequired}) and ${openStateIs(state, now)}`;
};

const openStateIs = (state: LinkState, now: Date): Fragment<unknown> => {
  if (state === 'disabled') return sql`l.use_state = ${useState.Disabled}`;
  return state === 'expired'
    ? sql`l.use_state = ${useState.Enabled} and l.expires_at <= ${now}`
    : sql`l.use_state = ${useState.Enabled} and l.expires_at > ${now}`;
};

const conditionsOf = (filter: ShortLinkFilter): Fragment<unknown>[] => {
  const all = [ofCustomer(filter.customerId)];
  if (filter.search) {
    const part = `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`;
    all.push(sql`(l.link_name ilike ${part} or l.target_url ilike ${part} or l.code like ${part})`);
  }
  if (filter.appId !== undefined) all.push(sql`l.app_id = ${filter.appId}`);
  if (filter.mode !== undefined) all.push(sql`l.mode = ${filter.mode}`);
  if (filter.linkState !== undefined) all.push(stateIs(filter.linkState, filter.now));
  return all;
};

export const listShortLinks = (db: Db, filter: ShortLinkFilter): Promise<ShortLinkRow[]> => {
  const { past, orderBy } = pageBy(
    [
      [sql`l.created_at`, 'timestamptz'],
      [sql`l.link_id`, 'uuid'],
    ],
    { isDescending: filter.isReversed !== true, after: filter.after },
  );
  const conditions = [...conditionsOf(filter), past];
  return many(
    db,
    sql<ShortLinkRow>`select ${columns} from ${joins} where ${sql.join(conditions, sql` and `)}
      order by ${orderBy} limit ${filter.limit}`,
  );
};

export const countShortLinks = async (db: Db, filter: ShortLinkFilter): Promise<number> =>
  (
    await one(
      db,
      sql<{
        n: number;
      }>`select count(*)::int as n from short_link l where ${sql.join(conditionsOf(filter), sql` and `)}`,
    )
  ).n;

export const findShortLink = (db: Db, customerId: string | null, linkId: string): Promise<ShortLinkRow | null> =>
  maybe(
    db,
    sql<ShortLinkRow>`select ${columns} from ${joins} where l.link_id = ${linkId} and ${ofCustomer(customerId)}`,
  );

/** Locked while one is added, so that two concurrent additions don't exceed the limit together. */
export const lockShortLinks = (tx: Db, customerId: string): Promise<number> =>
  run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`short link ${customerId}`}, 0))`);

export interface NewShortLink extends ShortLinkFields {
  linkId: string;
  customerId: string;
  domain: string;
  code: string;
  mode: LinkMode;
  createdBy: string | null;
  /** Whether it needs review first; default: it does not. */
  auditStatus?: typeof AuditStatus.Pending | typeof AuditStatus.NotRequired;
  at: Date;
}

/** False: the code is another's. */
export const insertShortLink = async (tx: Db, link: NewShortLink): Promise<boolean> => {
  const taken = await run(
    tx,
    sql`insert into link_code (code, customer_id, link_id) values (${link.code}, ${link.customerId}, ${link.linkId})
        on conflict do nothing`,
  );
  if (taken === 0) return false;
  await run(
    tx,
    sql`insert into short_link (link_id, customer_id, link_name, domain, code, target_url, fallback_url, mode, app_id,
          template_id, expires_at, use_state, created_by, created_at, updated_at, audit_status, submitted_at)
        values (${link.linkId}, ${link.customerId}, ${link.linkName}, ${link.domain}, ${link.code}, ${link.targetUrl},
          ${link.fallbackUrl}, ${link.mode}, ${link.appId}, ${link.templateId}, ${link.expireTime}, ${link.useState},
          ${link.createdBy}, ${link.at}, ${link.at}, ${link.auditStatus ?? AuditStatus.NotRequired},
          ${link.auditStatus === AuditStatus.Pending ? link.at : null})`,
  );
  return true;
};

/** `audit`: the new state of a link whose target changed; null leaves it unchanged. */
const reviewAgain = (audit: 0 | 3 | null, at: Date): Fragment<unknown> =>
  audit === null
    ? sql``
    : sql`, audit_status = ${audit}, audit_reason = null, audit_code = null, audited_at = null, audited_by = null,
        submitted_at = ${audit === 0 ? at : null}`;

/** False: changed since that version, or deleted. */
export const updateShortLink = async (
  tx: Db,
  customerId: string,
  linkId: string,
  save: { seen: number | undefined; userId: string | null },
  link: ShortLinkFields & { audit: 0 | 3 | null },
  at: Date,
): Promise<boolean> =>
  (await run(
    tx,
    sql`update short_link l set link_name = ${link.linkName}, target_url = ${link.targetUrl},
          fallback_url = ${link.fallbackUrl}, app_id = ${link.appId}, template_id = ${link.templateId},
          expires_at = ${link.expireTime}, use_state = ${link.useState}, updated_at = ${at}, ${savedBy(save.userId)}${reviewAgain(link.audit, at)}
        where link_id = ${linkId} and ${isVersion(save.seen)} and ${ofCustomer(customerId)}`,
  )) === 1;

/** It leads nowhere any more; its code stays taken, and its figures stay. */
export const removeShortLink = async (tx: Db, customerId: string, linkId: string, at: Date): Promise<boolean> =>
  (await run(
    tx,
    sql`update short_link l set deleted_at = ${at}, version = version + 1 where link_id = ${linkId} and ${ofCustomer(customerId)}`,
  )) === 1;

/** Name of a task that has yet to send the link, or null. */
export const findTaskOfLink = async (tx: Db, customerId: string, code: string): Promise<string | null> => {
  const row = await maybe(
    tx,
    sql<{ name: string }>`select t.task_name as name from task t
      left join template_version v on v.template_id = t.template_id
        and t.task_status in (${taskStatus.Initialized}, ${taskStatus.ValidationPassed})
      where t.customer_id = ${customerId}
        and t.task_status in (${taskStatus.Initialized}, ${taskStatus.ValidationPassed}, ${taskStatus.Confirmed}, ${taskStatus.Preparing}, ${taskStatus.Sending}, ${taskStatus.PendingReview})
        and (strpos(t.content, ${`/s/${code}`}) > 0 or strpos(v.content, ${`/s/${code}`}) > 0
          or exists (select from ab_variant ab where ab.task_id = t.task_id and strpos(ab.content, ${`/s/${code}`}) > 0))
      order by t.created_at desc limit 1`,
  );
  return row?.name ?? null;
};

/** Whether a template is the customer's own. */
export const hasTemplate = async (tx: Db, customerId: string, templateId: string): Promise<boolean> =>
  (await maybe(
    tx,
    sql`select 1 from template where template_id = ${templateId} and customer_id = ${customerId} and deleted_at is null`,
  )) !== null;

export interface OwnLink {
  linkId: string;
  linkName: string;
  customerId: string;
  domain: string;
  code: string;
  mode: LinkMode;
  targetUrl: string;
  /** Neither deleted, disabled nor expired. */
  isUsable: boolean;
  isApproved: boolean;
  linkState: LinkState;
}

/** Links of some customers by their own codes; codes that went out to recipients are not among them. */
export const findLinksByCode = (
  db: Db,
  customerIds: readonly string[],
  codes: readonly string[],
  now: Date,
): Promise<OwnLink[]> =>
  many(
    db,
    prepared(sql<OwnLink>`select link_id as "linkId", link_name as "linkName", customer_id as "customerId", domain, code, mode,
        deleted_at is null and use_state = ${useState.Enabled} and expires_at > ${now} as "isUsable",
        l.audit_status in (${auditStatus.Approved}, ${auditStatus.NotRequired}) and not ${isBlocked} as "isApproved",
        target_url as "targetUrl",
        case when ${isBlocked} then 'blocked' when l.audit_status = ${auditStatus.Pending} then 'pending'
          when l.audit_status = ${auditStatus.Rejected} then 'rejected'
          when l.use_state = ${useState.Disabled} or l.deleted_at is not null then 'disabled'
          when l.expires_at <= ${now} then 'expired' else 'active' end as "linkState"
      from short_link l where code = any(${codes}::text[]) and customer_id = any(${customerIds}::uuid[])`),
  );

export interface NewLinkCode {
  code: string;
  customerId: string;
  linkId: string;
  messageId: bigint;
}

export const insertLinkCodes = makeRowWriter<NewLinkCode>(
  'link_code',
  { code: 'text', customer_id: 'uuid', link_id: 'uuid', message_id: 'bigint' },
  (row) => [row.code, row.customerId, row.linkId, row.messageId],
);

/** A message that repeats another one keeps its recipient's code, which is the new one's from here on. */
export const moveLinkCodes = async (
  tx: Db,
  customerId: string,
  moves: readonly { code: string; messageId: bigint }[],
): Promise<void> => {
  await run(
    tx,
    sql`update link_code c set message_id = n.message_id
        from unnest(${textArray(moves.map((each) => each.code))}::text[], ${numberArray(moves.map((each) => each.messageId))}::bigint[]) as n(code, message_id)
        where c.code = n.code and c.customer_id = ${customerId} and c.message_id is not null`,
  );
};

export const insertLinkTasks = async (
  tx: Db,
  uses: readonly { customerId: string; linkId: string; taskId: string }[],
): Promise<void> => {
  await run(
    tx,
    sql`insert into link_task (customer_id, link_id, task_id)
        select * from unnest(${uses.map((each) => each.customerId)}::uuid[], ${uses.map((each) => each.linkId)}::uuid[],
          ${uses.map((each) => each.taskId)}::uuid[]) on conflict do nothing`,
  );
};

export interface LinkTarget {
  customerId: string;
  linkId: string;
  targetUrl: string;
  fallbackUrl: string | null;
  expireTime: Date;
  /** Neither disabled nor deleted, and its customer not suspended. */
  isOpen: boolean;
  /** By a reviewer, or no review was required. */
  isApproved: boolean;
  /** By staff, for everybody. */
  isBlocked: boolean;
}

/** Returns the target of a code; one lookup by key, planned once per connection. */
export const findLinkTarget = async (db: Db, code: string): Promise<LinkTarget | null> => {
  const { rows } = await db.query<LinkTarget>({
    name: 'find_link_target',
    text: `
      select k.customer_id as "customerId", k.link_id as "linkId", l.target_url as "targetUrl",
        l.fallback_url as "fallbackUrl", l.expires_at as "expireTime",
        l.use_state = ${UseState.Enabled} and l.deleted_at is null
          and c.use_state = ${UseState.Enabled} as "isOpen", l.audit_status in (${AuditStatus.Approved}, ${AuditStatus.NotRequired}) as "isApproved",
        l.blocked_at is not null or is_link_host_blocked(l.target_host)
          or coalesce(is_link_host_blocked(l.fallback_host), false) as "isBlocked"
      from link_code k join short_link l on l.link_id = k.link_id join customer c on c.customer_id = l.customer_id
      where k.code = $1`,
    values: [code],
  });
  return rows[0] ?? null;
};
