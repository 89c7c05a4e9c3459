/** Domains that a sender ID's texts may link to, by carrier: asked for in its dossier, decided by the carrier. */
import type { Carrier } from '@pahatid/contract';
import { type Db, many, run, sql } from '../sql.ts';

export interface AllowedDomains {
  carrier: Carrier;
  /** The id of the sender ID. */
  senderKey: string;
  /** Whether the carrier has ever answered: before, nothing is known of what it passes. */
  isAnswered: boolean;
  /** Last day, in Manila, of the carrier's approval; null: it has not approved the sender ID. */
  approvedUntil: string | null;
  /** Whether the approval holds today. Otherwise `domains` is empty. */
  isApproved: boolean;
  /** Lower case, internationalised names as xn--. Subdomains of them are not listed: they are allowed as well. */
  domains: string[];
}

/**
 * Returns what each carrier with a dossier allows a sender ID, named as tasks name it. A carrier without a dossier is not
 * among them: nothing is known of it.
 */
export const listAllowedDomains = (
  db: Db,
  customerId: string,
  sender: { appId: string; senderId: string },
  now: Date = new Date(),
): Promise<AllowedDomains[]> =>
  many(
    db,
    sql<AllowedDomains>`select d.carrier, s.id as "senderKey", d.answered_at is not null or d.approved_until is not null as "isAnswered", to_char(d.approved_until, 'YYYY-MM-DD') as "approvedUntil", a.ok as "isApproved",
          coalesce(array_agg(m.domain order by m.domain) filter (where m.domain is not null), '{}') as domains
        from sender s join sender_dossier d on d.sender_key = s.id
        cross join lateral (select coalesce(d.approved_until >= (${now}::timestamptz at time zone 'Asia/Manila')::date, false) as ok) a
        left join sender_domain m on m.dossier_id = d.dossier_id and m.state = 'allowed' and a.ok
        where s.customer_id = ${customerId} and s.app_id = ${sender.appId} and lower(s.sender_id) = lower(${sender.senderId})
        group by d.dossier_id, s.id, a.ok order by d.carrier`,
  );

export interface DomainRow {
  domain: string;
  state: 'asked' | 'allowed' | 'refused';
}

/** False: it is there already. */
export const addSenderDomain = async (tx: Db, dossierId: string, domain: string, now: Date): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into sender_domain (customer_id, dossier_id, app_id, sender_key, carrier, domain, asked_at)
        select customer_id, dossier_id, app_id, sender_key, carrier, ${domain}, ${now} from sender_dossier
        where dossier_id = ${dossierId} on conflict do nothing`,
  )) === 1;

/** False: there is none. */
export const removeSenderDomain = async (tx: Db, dossierId: string, domain: string): Promise<boolean> =>
  (await run(tx, sql`delete from sender_domain where dossier_id = ${dossierId} and domain = ${domain}`)) === 1;

/** Stores the carrier's decision on every domain of a dossier: those named are allowed, the others refused. */
export const decideSenderDomains = (
  tx: Db,
  dossierId: string,
  allowed: readonly string[],
  now: Date,
): Promise<number> =>
  run(
    tx,
    sql`update sender_domain set decided_at = ${now},
          state = case when domain = any(${[...allowed]}::text[]) then 'allowed' else 'refused' end
        where dossier_id = ${dossierId}`,
  );
