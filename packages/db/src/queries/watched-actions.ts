/**
 * What staff alarms are judged by: sign-ins, opened numbers and exports, as the audit log, the log of software's calls
 * and the exports have them. Instants are passed as values, so that an index serves them; each query reads a bounded
 * number of rows.
 */
import { uuidFloor } from '../ids.ts';
import { type Db, many, sql } from '../sql.ts';

/** Entries read at most: beyond it counts are lower bounds. */
const mostEntries = 50_000;
/** Calls of one customer's software. */
const mostCalls = 100_000;
/** Sign-ins of owners, each of which is compared with as many earlier ones. */
const mostOwnerSignIns = 5_000;
const mostSignIns = 500;

export interface FailedSignIns {
  ip: string;
  /** Name of an account, or the first letters of an unknown one. */
  account: string;
}

/** Pairs of an address and an account for which a sign-in failed. */
export const listFailedSignIns = (db: Db, since: Date): Promise<FailedSignIns[]> =>
  many<FailedSignIns>(
    db,
    sql`select host(ip) as ip, account from (
          select ip, coalesce(account, '? ' || (after ->> 'typed'), '?') as account from audit_log
          where action = 'signInFailed'
            and at > ${since} and ip is not null
          order by at desc limit ${mostEntries}) e
        group by e.ip, account`,
  );

export interface OpenedNumbers {
  /** Id of a user, a key or an application. */
  subject: string;
  actor: string;
  numbers: number;
}

/** Users that opened at least so many numbers that the console shows them masked. */
export const listUserLookUps = (db: Db, { since, least }: { since: Date; least: number }): Promise<OpenedNumbers[]> =>
  many<OpenedNumbers>(
    db,
    sql`select user_id as subject, max(account) as actor, count(distinct subject_id)::int as numbers from (
          select user_id, account, subject_id from audit_log
          where action in ('unmask', 'lookUp')
            and at > ${since} and user_id is not null
          order by at desc limit ${mostEntries}) e
        group by user_id having count(distinct subject_id) >= ${least} order by 3 desc`,
  );

/**
 * Keys and passwords of applications that opened at least so many messages, one by one or by pages of a list, which
 * count as `perPage`: the log of calls does not have the length of a page. Calls are read by customer, where the
 * table's indexes begin.
 */
export const listSoftwareLookUps = (
  db: Db,
  { since, least, perPage }: { since: Date; least: number; perPage: number },
): Promise<OpenedNumbers[]> =>
  many<OpenedNumbers>(
    db,
    sql`select coalesce(s.key_id::text, s.app_id) as subject,
          concat_ws(' · ', a.app_name, k.key_name) as actor, s.numbers
        from (
          select app_id, key_id,
            (count(distinct path) filter (where path <> route)
              + ${perPage}::int * count(*) filter (where path = route))::int as numbers
          from customer c cross join lateral (
            select app_id, key_id, path, route from api_call
            where customer_id = c.customer_id and call_id >= ${uuidFloor(since.getTime())}::uuid
              and route in ('/messages', '/messages/:messageId', '/records', '/records/:messageId')
              and method = 'GET' and status < 300
            limit ${mostCalls}) calls
          group by app_id, key_id) s
        left join application a on a.app_id = s.app_id left join api_key k on k.key_id = s.key_id
        where s.numbers >= ${least} order by s.numbers desc`,
  );

export interface ExportSum {
  /** Id of a user or an application. */
  subject: string;
  actor: string;
  rows: number;
  usualRows: number;
}

/**
 * Users and applications that exported at least so many rows since `since`, with those of the busiest of the days
 * before. Ids of exports are in the order of time.
 */
export const listLargeExports = (
  db: Db,
  { since, before, least }: { since: Date; before: Date; least: number },
): Promise<ExportSum[]> =>
  many<ExportSum>(
    db,
    sql`select coalesce(s.user_id::text, s.app_id) as subject, coalesce(u.account, a.app_name, s.app_id) as actor,
          s.rows, coalesce(p.rows, 0)::float8 as "usualRows"
        from (
          select user_id, app_id, sum(row_count)::float8 as rows from export_job
          where export_id >= ${uuidFloor(since.getTime())}::uuid
          group by user_id, app_id having sum(row_count) >= ${least}) s
        cross join lateral (
          select max(d.rows) as rows from (
            select sum(e.row_count) as rows from export_job e
            where (e.user_id = s.user_id or (s.user_id is null and e.app_id = s.app_id))
              and e.created_at >= ${before} and e.created_at < ${since}
            group by date_bin('1 day', e.created_at, ${since})) d) p
        left join app_user u on u.user_id = s.user_id left join application a on a.app_id = s.app_id
        order by s.rows desc`,
  );

/** Users that downloaded at least so many files: lists as csv, and exports that were asked for. */
export const listExportedFiles = (
  db: Db,
  { since, least }: { since: Date; least: number },
): Promise<{ subject: string; actor: string; files: number }[]> =>
  many(
    db,
    sql<{ subject: string; actor: string; files: number }>`select user_id as subject, max(account) as actor,
          count(*)::int as files from (
          select user_id, account from audit_log
          where action = 'export'
            and at > ${since} and user_id is not null
          order by at desc limit ${mostEntries}) e
        group by user_id having count(*) >= ${least} order by 3 desc`,
  );

export interface SignIn {
  auditId: string;
  userId: string;
  account: string;
  ip: string;
  country: string | null;
  at: Date;
}

/** Sign-ins of owners, newest first. */
export const listOwnerSignIns = (db: Db, since: Date): Promise<SignIn[]> =>
  many<SignIn>(
    db,
    sql`select audit_id::text as "auditId", user_id as "userId", coalesce(account, '') as account, host(ip) as ip,
          after ->> 'country' as country, at
        from audit_log
        where action = 'signIn' and role = 'owner'
          and at > ${since} and user_id is not null and ip is not null
        order by at desc limit ${mostOwnerSignIns}`,
  );

/** The latest sign-ins of a user before an entry. */
export const listSignInsBefore = (
  db: Db,
  { userId, at, auditId }: SignIn,
  since: Date,
): Promise<{ ip: string; country: string | null }[]> =>
  many(
    db,
    sql<{ ip: string; country: string | null }>`select host(ip) as ip, after ->> 'country' as country from audit_log
        where action = 'signIn' and user_id = ${userId} and at <= ${at} and at > ${since} and ip is not null
          and audit_id <> ${auditId}::bigint
        order by at desc limit ${mostSignIns}`,
  );
