/** What a regulator may ask of a customer for a period: consents, opt-outs, erasures, and carriers that got its data. */
import type { NumberCounts } from '@pahatid/contract';
import { pageBy } from '../keyset.ts';
import { type Db, many, sql } from '../sql.ts';

export interface ReportPeriod {
  customerId: string;
  from: string;
  to: string;
}

type After = readonly string[] | null;

export interface ReportedConsent {
  msisdn: string;
  givenAt: Date;
  givenKey: string;
  source: string;
  wording: string;
  fileName: string | null;
  withdrawnAt: Date | null;
  addedBy: string | null;
}

/** Recorded or withdrawn in the period, by number. */
export const listReportedConsents = (
  db: Db,
  { customerId, from, to }: ReportPeriod,
  after: After,
  limit: number,
): Promise<ReportedConsent[]> => {
  const key = [
    [sql`c.msisdn`, 'text'],
    [sql`c.given_at`, 'timestamptz'],
  ] as const;
  const { past, orderBy } = pageBy(key, { isDescending: false, after });
  return many(
    db,
    sql<ReportedConsent>`select c.msisdn, c.given_at as "givenAt", c.given_at::text as "givenKey", e.source, e.wording,
        e.file_name as "fileName", c.withdrawn_at as "withdrawnAt", u.name as "addedBy"
      from consent c join consent_evidence e on e.customer_id = c.customer_id and e.evidence_id = c.evidence_id
      left join app_user u on u.user_id = e.added_by
      where c.customer_id = ${customerId} and ${past}
        and ((c.created_at >= ${from}::timestamptz and c.created_at < ${to}::timestamptz)
          or (c.withdrawn_at >= ${from}::timestamptz and c.withdrawn_at < ${to}::timestamptz))
      order by ${orderBy} limit ${limit}`,
  );
};

export interface ReportedOptOut {
  /** Empty: of a number that was erased since. */
  msisdn: string;
  source: string;
  evidence: string | null;
  createdAt: Date;
  createdKey: string;
  erasedAt: Date | null;
  addedBy: string | null;
  key: string;
}

/** Those of the period, oldest first, with those of numbers erased since. */
export const listReportedOptOuts = (
  db: Db,
  { customerId, from, to }: ReportPeriod,
  after: After,
  limit: number,
): Promise<ReportedOptOut[]> => {
  const key = [
    [sql`o.created_at`, 'timestamptz'],
    [sql`o.key`, 'text'],
  ] as const;
  const { past, orderBy } = pageBy(key, { isDescending: false, after });
  const inPeriod = sql`customer_id = ${customerId} and created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz`;
  return many(
    db,
    sql<ReportedOptOut>`select o.msisdn, o.source, o.evidence, o.created_at as "createdAt", o.created_at::text as "createdKey",
        o.erased_at as "erasedAt", u.name as "addedBy", o.key
      from (select msisdn, source, evidence, created_at, null::timestamptz as erased_at, added_by, msisdn as key from opt_out where ${inPeriod}
        union all
        select '', source, null, created_at, erased_at, null, encode(msisdn_hash, 'hex') from erased_opt_out where ${inPeriod}) o
      left join app_user u on u.user_id = o.added_by
      where ${past} order by ${orderBy} limit ${limit}`,
  );
};

export interface ReportedErasure {
  shownNumber: string;
  askedAt: Date;
  askedKey: string;
  erasureId: string;
  askedBy: string | null;
  doneAt: Date | null;
  counts: NumberCounts;
}

/** Asked for or done in the period, oldest first. */
export const listReportedErasures = (
  db: Db,
  { customerId, from, to }: ReportPeriod,
  after: After,
  limit: number,
): Promise<ReportedErasure[]> => {
  const key = [
    [sql`e.asked_at`, 'timestamptz'],
    [sql`e.erasure_id`, 'uuid'],
  ] as const;
  const { past, orderBy } = pageBy(key, { isDescending: false, after });
  return many(
    db,
    sql<ReportedErasure>`select e.shown_number as "shownNumber", e.asked_at as "askedAt", e.asked_at::text as "askedKey",
        e.erasure_id as "erasureId", u.name as "askedBy", e.done_at as "doneAt", e.counts
      from erasure e left join app_user u on u.user_id = e.asked_by
      where e.customer_id = ${customerId} and ${past} and e.asked_at < ${to}::timestamptz
        and (e.done_at is null or e.done_at >= ${from}::timestamptz)
      order by ${orderBy} limit ${limit}`,
  );
};

/** Carriers that messages were given to in the period, the last two hours not included. */
export const listReportedCarriers = (
  db: Db,
  { customerId, from, to }: ReportPeriod,
): Promise<{ areaCode: string; carrier: string; messages: number }[]> =>
  many(
    db,
    sql<{ areaCode: string; carrier: string; messages: number }>`select area_code as "areaCode", carrier,
        sum(req_success)::float8 as messages
      from report_hour where customer_id = ${customerId} and hour >= ${from}::timestamptz and hour < ${to}::timestamptz
      group by area_code, carrier having sum(req_success) > 0 order by 3 desc, 1, 2`,
  );
