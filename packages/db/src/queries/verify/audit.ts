/** The stored chains of the audit log, for `pahatid verify` to recompute. */
import { type Db, type Fragment, many, sql } from '../../sql.ts';

/** The staff's chain. */
export const STAFF_CHAIN = '00000000-0000-0000-0000-000000000000';

export interface ChainLink {
  seq: string;
  auditId: string;
  previous: Buffer;
  hash: Buffer;
  /** The entry's fields as they are hashed, in order; null: the entry is missing. */
  fields: (string | null)[] | null;
}

export interface Chain {
  chain: string;
  /** The last link as the head has it; null: there is no head. */
  seq: string;
  hash: Buffer | null;
  /** The last link that was deleted for its age. */
  startSeq: string;
  startHash: Buffer;
}

/** All chains, or one. Includes those of which only the head, only links or only the start remain. */
export const readChains = (db: Db, chain: string | null): Promise<Chain[]> =>
  many(
    db,
    sql<Chain>`select c.chain, coalesce(h.seq, 0)::text as seq, h.hash, coalesce(s.seq, 0)::text as "startSeq",
          coalesce(s.hash, '') as "startHash"
        from (select chain from audit_chain union select chain from audit_link union select chain from audit_start) c
        left join audit_chain h using (chain) left join audit_start s using (chain)
        where ${chain === null ? sql`true` : sql`c.chain = ${chain}`} order by 1`,
  );

const fields: Fragment<unknown> = sql`array[l.chain::text, l.seq::text, a.audit_id::text,
  to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), a.customer_id::text, a.user_id::text, a.account,
  a.role, a.app_id, a.ip::text, a.user_agent, a.action, a.subject_type, a.subject_id, a.before::text, a.after::text]`;

/** The next links of a chain after `seq`. */
export const readChainLinks = (db: Db, chain: string, seq: string, limit: number): Promise<ChainLink[]> =>
  many(
    db,
    sql<ChainLink>`select l.seq::text, l.audit_id::text as "auditId", l.previous, l.hash,
          case when a.audit_id is null then null else ${fields} end as fields
        from audit_link l left join audit_log a on a.audit_id = l.audit_id
        where l.chain = ${chain} and l.seq > ${seq}::bigint order by l.seq limit ${limit}`,
  );

/** Entries that hang in no chain, or in another one than their customer's. */
export const readUnchained = (
  db: Db,
  chain: string | null,
  limit: number,
): Promise<{ auditId: string; customerId: string | null; chain: string | null }[]> =>
  many(
    db,
    sql`select a.audit_id::text as "auditId", a.customer_id as "customerId", l.chain
        from audit_log a left join audit_link l on l.audit_id = a.audit_id
        where l.chain is distinct from coalesce(a.customer_id, ${STAFF_CHAIN}::uuid)
          and ${chain === null ? sql`true` : sql`coalesce(a.customer_id, ${STAFF_CHAIN}::uuid) = ${chain}`}
        order by a.audit_id limit ${limit}`,
  );
