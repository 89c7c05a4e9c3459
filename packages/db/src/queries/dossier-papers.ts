/** Papers and domains of dossiers, and what letters of authorisation say about a customer. */
import type { CompanyDetails, Dossier } from '@pahatid/contract';
import { type Db, many, maybe, run, sql } from '../sql.ts';
import type { DomainRow } from './sender-domains.ts';

type Paper = Dossier['papers'][number];
export type PaperType = 'application/pdf' | 'image/png' | 'image/jpeg';
type PaperRow = Omit<Paper, 'uploadTime' | 'checkTime'> & { uploadTime: Date; checkTime: Date | null };

export const listDossierPapers = (db: Db, dossierId: string): Promise<PaperRow[]> =>
  many(
    db,
    sql<PaperRow>`select paper_id as "paperId", kind, name, length(content) as "sizeBytes", state,
          uploaded_at as "uploadTime", checked_at as "checkTime"
        from sender_paper where dossier_id = ${dossierId} order by paper_id`,
  );

export const listDossierDomains = (db: Db, dossierId: string): Promise<DomainRow[]> =>
  many(db, sql<DomainRow>`select domain, state from sender_domain where dossier_id = ${dossierId} order by domain`);

export interface NewPaper {
  paperId: string;
  dossierId: string;
  kind: Paper['kind'];
  name: string;
  type: PaperType;
  content: Buffer;
  userId: string;
  now: Date;
}

export const addDossierPaper = (tx: Db, paper: NewPaper): Promise<number> =>
  run(
    tx,
    sql`insert into sender_paper (paper_id, dossier_id, customer_id, kind, name, type, content, uploaded_by, uploaded_at)
        select ${paper.paperId}, dossier_id, customer_id, ${paper.kind}, ${paper.name}, ${paper.type}, ${paper.content},
          ${paper.userId}, ${paper.now}
        from sender_dossier where dossier_id = ${paper.dossierId}`,
  );

export const findDossierPaper = (
  db: Db,
  { dossierId, paperId, customerId }: { dossierId: string; paperId: string; customerId: string | null },
): Promise<{ name: string; type: PaperType; content: string } | null> =>
  maybe(
    db,
    sql<{
      name: string;
      type: PaperType;
      content: string;
    }>`select name, type, translate(encode(content, 'base64'), E'\n', '') as content
        from sender_paper where dossier_id = ${dossierId} and paper_id = ${paperId}
          and ${customerId === null ? sql`true` : sql`customer_id = ${customerId}`}`,
  );

/** Returns the name of the paper that was removed; null: there is none. */
export const removeDossierPaper = async (tx: Db, dossierId: string, paperId: string): Promise<string | null> => {
  const row = await maybe<{ name: string }>(
    tx,
    sql`delete from sender_paper where dossier_id = ${dossierId} and paper_id = ${paperId} returning name`,
  );
  return row?.name ?? null;
};

/** Marks papers as checked, and those named as returned; null: all that were new are checked. */
export const checkDossierPapers = (
  tx: Db,
  dossierId: string,
  returned: readonly string[] | null,
  now: Date,
): Promise<number> =>
  run(
    tx,
    returned === null
      ? sql`update sender_paper set state = 'checked', checked_at = ${now} where dossier_id = ${dossierId} and state = 'new'`
      : sql`update sender_paper set state = 'returned', checked_at = ${now}
            where dossier_id = ${dossierId} and paper_id = any(${[...returned]}::uuid[])`,
  );

/** What the carrier refused is asked for again when the dossier is submitted again. */
export const askAgainForDomains = (tx: Db, dossierId: string): Promise<number> =>
  run(
    tx,
    sql`update sender_domain set state = 'asked', decided_at = null where dossier_id = ${dossierId} and state = 'refused'`,
  );

export const findCompanyDetails = (db: Db, customerId: string): Promise<CompanyDetails | null> =>
  maybe(
    db,
    sql<CompanyDetails>`select legal_name as "legalName", registration_number as "registrationNumber", address, signatory,
          signatory_title as "signatoryTitle" from company_details where customer_id = ${customerId}`,
  );

export const setCompanyDetails = (tx: Db, customerId: string, details: CompanyDetails): Promise<number> =>
  run(
    tx,
    sql`insert into company_details (customer_id, legal_name, registration_number, address, signatory, signatory_title)
        values (${customerId}, ${details.legalName}, ${details.registrationNumber}, ${details.address},
          ${details.signatory}, ${details.signatoryTitle})
        on conflict (customer_id) do update set legal_name = excluded.legal_name,
          registration_number = excluded.registration_number, address = excluded.address,
          signatory = excluded.signatory, signatory_title = excluded.signatory_title`,
  );
