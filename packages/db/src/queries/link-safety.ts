/** What keeps short links from harm: which of them wait for a reviewer, and what staff closed for everybody. */
import type { LinkReviewPolicy } from '@pahatid/contract';
import { uuidV7 } from '../ids.ts';
import { type PageOrder, pageBy } from '../keyset.ts';
import { type Db, many, maybe, one, run, sql } from '../sql.ts';

/** The customer's policy, with those of the hosts that it used before. */
export const readLinkReview = async (
  tx: Db,
  customerId: string,
  hosts: readonly string[],
): Promise<{ policy: LinkReviewPolicy; used: ReadonlySet<string> }> => {
  const row = await one<{ policy: LinkReviewPolicy; used: string[] }>(
    tx,
    sql`select link_review as policy, array(select host from used_link_host u
          where u.customer_id = c.customer_id and host = any(${hosts})) as used
        from customer c where customer_id = ${customerId}`,
  );
  return { policy: row.policy, used: new Set(row.used) };
};

export const addUsedHosts = async (tx: Db, customerId: string, hosts: readonly string[]): Promise<void> => {
  await run(
    tx,
    sql`insert into used_link_host (customer_id, host) select ${customerId}, host from unnest(${hosts}::text[]) as h(host)
        on conflict do nothing`,
  );
};

/** Returns the first of the hosts that staff blocked, directly or through a parent domain. */
export const findBlockedHost = async (tx: Db, hosts: readonly string[]): Promise<string | null> => {
  const row = await maybe<{ host: string }>(
    tx,
    sql`select host from unnest(${hosts}::text[]) as h(host) where is_link_host_blocked(host) limit 1`,
  );
  return row?.host ?? null;
};

/** Null reason: unblocks it. Returns what was changed; null if there is no such link. */
export const setLinkBlocked = (
  tx: Db,
  linkId: string,
  reason: string | null,
): Promise<{ customerId: string; before: string | null } | null> =>
  maybe(
    tx,
    sql<{ customerId: string; before: string | null }>`update short_link l
        set blocked_reason = ${reason}, blocked_at = case when ${reason}::text is null then null else clock_timestamp() end,
          version = l.version + 1
        from (select link_id, blocked_reason from short_link where link_id = ${linkId} for update) b
        where l.link_id = b.link_id and l.deleted_at is null
        returning l.customer_id as "customerId", b.blocked_reason as before`,
  );

export interface BlockedDomainRow {
  domain: string;
  reason: string;
  blockedAt: Date;
  blockedBy: string | null;
  linkCount: number;
}

export const listBlockedDomains = (db: Db, page: PageOrder & { limit: number }) => {
  const { past, orderBy } = pageBy([[sql`domain`, 'text']], page);
  return many<BlockedDomainRow>(
    db,
    sql`select b.domain, b.reason, b.blocked_at as "blockedAt", u.name as "blockedBy",
          (select count(*)::int from short_link l where l.deleted_at is null
             and (l.target_host = b.domain or right(l.target_host, length(b.domain) + 1) = '.' || b.domain)) as "linkCount"
        from (select * from blocked_link_domain where ${past} order by ${orderBy} limit ${page.limit}) b
        left join app_user u on u.user_id = b.blocked_by order by ${orderBy}`,
  );
};

export const blockDomain = async (
  tx: Db,
  row: { domain: string; reason: string; blockedBy: string },
): Promise<void> => {
  await run(
    tx,
    sql`insert into blocked_link_domain (domain, reason, blocked_by) values (${row.domain}, ${row.reason}, ${row.blockedBy})
        on conflict (domain) do update set reason = excluded.reason, blocked_by = excluded.blocked_by`,
  );
};

/** Returns its reason; null if it was not blocked. */
export const unblockDomain = async (tx: Db, domain: string): Promise<string | null> => {
  const row = await maybe<{ reason: string }>(
    tx,
    sql`delete from blocked_link_domain where domain = ${domain} returning reason`,
  );
  return row?.reason ?? null;
};

export const insertLinkReport = async (
  db: Db,
  row: { customerId: string; linkId: string; code: string; message: string; at: Date },
): Promise<void> => {
  await run(
    db,
    sql`insert into link_report (report_id, customer_id, link_id, code, message, created_at)
        values (${uuidV7(row.at.getTime())}, ${row.customerId}, ${row.linkId}, ${row.code}, ${row.message}, ${row.at})`,
  );
};

export interface LinkReportRow {
  reportId: string;
  linkId: string;
  linkName: string;
  domain: string;
  code: string;
  targetUrl: string;
  customerName: string;
  message: string;
  createdAt: Date;
}

export const listLinkReports = (
  db: Db,
  /** `customerId`: null for all customers. */
  page: { customerId: string | null; limit: number } & PageOrder,
): Promise<LinkReportRow[]> => {
  const { past, orderBy } = pageBy([[sql`r.report_id`, 'uuid']], page);
  return many<LinkReportRow>(
    db,
    sql`select r.report_id as "reportId", r.link_id as "linkId", l.link_name as "linkName", l.domain, l.code,
          l.target_url as "targetUrl", c.customer_name as "customerName", r.message, r.created_at as "createdAt"
        from link_report r join short_link l on l.link_id = r.link_id join customer c on c.customer_id = r.customer_id
        where ${past} and (${page.customerId}::uuid is null or r.customer_id = ${page.customerId}::uuid)
        order by ${orderBy} limit ${page.limit}`,
  );
};

export const removeLinkReport = async (tx: Db, reportId: string): Promise<boolean> =>
  (await run(tx, sql`delete from link_report where report_id = ${reportId}`)) === 1;
