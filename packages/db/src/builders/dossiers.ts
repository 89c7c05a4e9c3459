import type { Carrier, Dossier, DossierState } from '@pahatid/contract';
import { uuidV7 } from '../ids.ts';
import { addDossierPaper, type NewPaper } from '../queries/dossier-papers.ts';
import { addDossierEvent } from '../queries/dossiers.ts';
import { type Db, run, sql } from '../sql.ts';

export interface DossierSpec {
  senderKey: string;
  carrier: Carrier;
  state: DossierState;
  userId: string;
  openedAt: Date;
  changedAt: Date;
  sentAt?: Date;
  answer?: { text: string; by: string; at: Date; answerBy: Date };
  approvedUntil?: Date;
  papers: readonly (Pick<NewPaper, 'kind' | 'name' | 'content'> & { state: Dossier['papers'][number]['state'] })[];
  domains: readonly Dossier['domains'][number][];
  history: readonly { kind: Dossier['history'][number]['kind']; at: Date; byStaff?: boolean }[];
}

const type = 'application/pdf';

/** Builds a dossier in a state, with its papers, domains and history. */
export const buildDossier = async (db: Db, spec: DossierSpec): Promise<string> => {
  const dossierId = uuidV7();
  await run(
    db,
    sql`insert into sender_dossier (dossier_id, customer_id, app_id, sender_key, carrier, state, changed_at, sent_at, answer,
          answered_by, answered_at, answer_by, approved_until)
        select ${dossierId}, customer_id, app_id, id, ${spec.carrier}, ${spec.state}, ${spec.changedAt}, ${spec.sentAt ?? null},
          ${spec.answer?.text ?? null}, ${spec.answer?.by ?? null}, ${spec.answer?.at ?? null},
          ${spec.answer?.answerBy ?? null}::timestamptz::date, ${spec.approvedUntil ?? null}::timestamptz::date
        from sender where id = ${spec.senderKey}`,
  );
  for (const { state, ...paper } of spec.papers) {
    const paperId = uuidV7();
    await addDossierPaper(db, { ...paper, type, paperId, dossierId, userId: spec.userId, now: spec.openedAt });
    await run(
      db,
      sql`update sender_paper set state = ${state}, checked_at = ${state === 'new' ? null : spec.changedAt} where paper_id = ${paperId}`,
    );
  }
  for (const { domain, state } of spec.domains)
    await run(
      db,
      sql`insert into sender_domain (customer_id, dossier_id, app_id, sender_key, carrier, domain, state, asked_at, decided_at)
          select customer_id, dossier_id, app_id, sender_key, carrier, ${domain}, ${state}, ${spec.openedAt},
            ${state === 'asked' ? null : spec.changedAt}
          from sender_dossier where dossier_id = ${dossierId}`,
    );
  for (const { kind, at, byStaff } of spec.history)
    await addDossierEvent(db, { eventId: uuidV7(), dossierId, kind, now: at, userId: byStaff ? null : spec.userId });
  return dossierId;
};
