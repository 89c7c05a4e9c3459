/** Evidence that phones agreed to a customer's marketing. Opt-outs are stronger: they withdraw what was given before. */
import type { ConsentSource, EvidenceFile } from '@pahatid/contract';
import { pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { ofCustomer } from './real-customers.ts';
import { endsWith } from './shown-messages.ts';

export interface ConsentRow {
  evidenceId: string;
  msisdn: string;
  source: ConsentSource;
  givenAt: Date;
  wording: string;
  fileName: string | null;
  addedBy: string | null;
  createdAt: Date;
  createdKey: string;
  /** The number with the time of its consent, or their salted hash. */
  tieKey: string;
  withdrawnAt: Date | null;
}

export interface ConsentFilter {
  /** Null: staff. */
  customerId: string | null;
  msisdnPrefix?: string | undefined;
  msisdnSuffix?: string | undefined;
  source?: string | undefined;
  state?: 'inForce' | 'withdrawn' | undefined;
  /** Salt of the order of what came in one instant, for roles that see masked numbers; null: by number. */
  salt: string | null;
  after: readonly [createdKey: string, tieKey: string] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

export const listConsents = async (db: Db, filter: ConsentFilter): Promise<ConsentRow[]> => {
  const key = sql`c.msisdn || ' ' || extract(epoch from c.given_at)`;
  const tie = filter.salt === null ? key : sql`md5(${filter.salt}::text || ${key})`;
  const { past, orderBy } = pageBy(
    [
      [sql`c.created_at`, 'timestamptz'],
      [tie, 'text'],
    ],
    { isDescending: filter.isReversed !== true, after: filter.after },
  );
  const conditions: Fragment<unknown>[] = [ofCustomer(sql`c.customer_id`, filter.customerId), past];
  const prefix = filter.msisdnPrefix;
  if (prefix !== undefined) conditions.push(sql`c.msisdn >= ${prefix}`, sql`c.msisdn <= ${prefix + '9'.repeat(15)}`);
  if (filter.msisdnSuffix !== undefined) conditions.push(endsWith(sql`c.msisdn`, filter.msisdnSuffix));
  if (filter.source !== undefined)
    conditions.push(sql`exists (select from consent_evidence s where s.customer_id = c.customer_id
      and s.evidence_id = c.evidence_id and s.source = ${filter.source})`);
  if (filter.state !== undefined)
    conditions.push(filter.state === 'inForce' ? sql`c.withdrawn_at is null` : sql`c.withdrawn_at is not null`);
  return many(
    db,
    sql<ConsentRow>`select c.evidence_id as "evidenceId", c.msisdn, e.source, c.given_at as "givenAt", e.wording,
        e.file_name as "fileName", u.name as "addedBy", c.created_at as "createdAt", c.created_at::text as "createdKey",
        ${tie} as "tieKey", c.withdrawn_at as "withdrawnAt"
      from (select * from consent c where ${sql.join(conditions, sql` and `)}
        order by ${orderBy} limit ${filter.limit}) c
      join consent_evidence e on e.customer_id = c.customer_id and e.evidence_id = c.evidence_id
      left join app_user u on u.user_id = e.added_by order by ${orderBy}`,
  );
};

export interface NewEvidence {
  customerId: string;
  evidenceId: string;
  source: ConsentSource;
  wording: string;
  file: { name: string; type: EvidenceFile['type']; content: Buffer } | null;
  addedBy: string | null;
}

export const insertEvidence = async (tx: Db, { file, ...row }: NewEvidence): Promise<void> => {
  await run(
    tx,
    sql`insert into consent_evidence (customer_id, evidence_id, source, wording, file_name, file_type, file, added_by, created_at)
        values (${row.customerId}, ${row.evidenceId}, ${row.source}, ${row.wording}, ${file?.name ?? null},
          ${file?.type ?? null}, ${file?.content ?? null}, ${row.addedBy}, clock_timestamp())`,
  );
};

export interface NewConsent {
  msisdn: string;
  givenAt: Date;
}

/**
 * Records the consents of a piece of evidence; those known already, by number and time, stay as they are. One that was
 * given before the number opted out counts as withdrawn. Returns how many are new.
 */
export const addConsents = async (
  tx: Db,
  add: { customerId: string; evidenceId: string; consents: readonly NewConsent[] },
): Promise<number> => {
  if (add.consents.length === 0) return 0;
  const { n } = await one(
    tx,
    sql<{ n: number }>`with made as (
        insert into consent (customer_id, msisdn, given_at, evidence_id, created_at, withdrawn_at)
        select e.customer_id, g.msisdn, g.given_at, e.evidence_id, clock_timestamp(),
          case when o.created_at >= g.given_at then o.created_at end
        from consent_evidence e
        cross join unnest(${add.consents.map((each) => each.msisdn)}::text[],
          ${add.consents.map((each) => each.givenAt.toISOString())}::timestamptz[]) as g(msisdn, given_at)
        left join opt_out o on o.customer_id = e.customer_id and o.msisdn = g.msisdn
        where e.customer_id = ${add.customerId} and e.evidence_id = ${add.evidenceId}
        on conflict (customer_id, msisdn, given_at) do nothing returning 1)
      select count(*)::int as n from made`,
  );
  return n;
};

/** Ends the consents of these numbers; their evidence is kept. Returns how many there were. */
export const withdrawConsents = (
  tx: Db,
  customerId: string,
  msisdns: readonly string[],
  at: Date | null = null,
): Promise<number> =>
  run(
    tx,
    sql`update consent set withdrawn_at = coalesce(${at}::timestamptz, clock_timestamp())
        where customer_id = ${customerId} and msisdn = any(${msisdns}::text[]) and withdrawn_at is null`,
  );

export const findEvidenceFile = (db: Db, customerId: string, evidenceId: string): Promise<EvidenceFile | null> =>
  maybe<EvidenceFile>(
    db,
    sql`select file_name as name, file_type as type, translate(encode(file, 'base64'), E'\n', '') as content
        from consent_evidence where customer_id = ${customerId} and evidence_id = ${evidenceId} and file is not null`,
  );

export const requiresConsent = async (db: Db, customerId: string): Promise<boolean> =>
  (await one(db, sql<{ is: boolean }>`select consent_required as is from customer where customer_id = ${customerId}`))
    .is;

/** Those of the numbers whose consent is not in force. */
export const findWithoutConsent = async (
  db: Db,
  customerId: string,
  msisdns: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await many(
    db,
    sql<{ msisdn: string }>`select distinct msisdn from consent
      where customer_id = ${customerId} and msisdn = any(${msisdns}::text[]) and withdrawn_at is null`,
  );
  const given = new Set(rows.map((row) => row.msisdn));
  return new Set(msisdns.filter((msisdn) => !given.has(msisdn)));
};

export interface MarketingPolicyRow {
  consentRequired: boolean;
}

export const readMarketingPolicy = (db: Db, customerId: string): Promise<MarketingPolicyRow> =>
  one(
    db,
    sql<MarketingPolicyRow>`select consent_required as "consentRequired" from customer where customer_id = ${customerId}`,
  );

/** Returns the one before. */
export const setMarketingPolicy = async (tx: Db, customerId: string, policy: MarketingPolicyRow): Promise<void> => {
  await run(
    tx,
    sql`update customer set consent_required = ${policy.consentRequired} where customer_id = ${customerId}`,
  );
};

export const listNumberConsents = (
  db: Db,
  customerId: string,
  msisdn: string,
): Promise<Pick<ConsentRow, 'source' | 'givenAt' | 'wording' | 'fileName' | 'withdrawnAt'>[]> =>
  many(
    db,
    sql`select e.source, c.given_at as "givenAt", e.wording, e.file_name as "fileName", c.withdrawn_at as "withdrawnAt"
        from consent c join consent_evidence e on e.customer_id = c.customer_id and e.evidence_id = c.evidence_id
        where c.customer_id = ${customerId} and c.msisdn = ${msisdn} order by c.given_at`,
  );

/** Deletes the consents of a number, and evidence that is of no other number. Returns how many consents there were. */
export const eraseConsents = async (tx: Db, customerId: string, msisdn: string): Promise<number> => {
  const rows = await many(
    tx,
    sql<{ evidenceId: string }>`delete from consent where customer_id = ${customerId} and msisdn = ${msisdn}
      returning evidence_id as "evidenceId"`,
  );
  await deleteLooseEvidence(tx, customerId, rows);
  return rows.length;
};

/** Deletes a bounded number of consents withdrawn before `before`, with evidence that is of no other. Returns how many. */
export const deleteWithdrawnConsents = async (
  tx: Db,
  customerId: string,
  before: Date,
  limit: number,
): Promise<number> => {
  const rows = await many(
    tx,
    sql<{ evidenceId: string }>`delete from consent c using (
        select msisdn, given_at from consent where customer_id = ${customerId} and withdrawn_at < ${before}
        limit ${limit}) old
      where c.customer_id = ${customerId} and c.msisdn = old.msisdn and c.given_at = old.given_at
      returning c.evidence_id as "evidenceId"`,
  );
  await deleteLooseEvidence(tx, customerId, rows);
  return rows.length;
};

const deleteLooseEvidence = async (
  tx: Db,
  customerId: string,
  of: readonly { evidenceId: string }[],
): Promise<void> => {
  const ids = [...new Set(of.map((each) => each.evidenceId))];
  if (ids.length === 0) return;
  await run(
    tx,
    sql`delete from consent_evidence e where e.customer_id = ${customerId} and e.evidence_id = any(${ids}::uuid[])
        and not exists (select from consent c where c.customer_id = e.customer_id and c.evidence_id = e.evidence_id)`,
  );
};
