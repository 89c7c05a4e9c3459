import type { Dossier, QueuedDossier } from '@pahatid/contract';
import type { Scope } from '@pahatid/db';
import { listDossierDomains, listDossierPapers } from '@pahatid/db/queries/dossier-papers';
import { type DossierRow, listDossierEvents } from '@pahatid/db/queries/dossiers';
import type { PoolClient } from 'pg';
import { type CsvColumn, column } from '../../http/csv.ts';

const shownEvents = 50;

const summarize = (row: DossierRow): Omit<QueuedDossier, 'operator'> => ({
  dossierId: row.dossierId,
  senderKey: row.senderKey,
  senderId: row.senderId,
  carrier: row.carrier,
  state: row.state,
  changeTime: row.changeTime.toISOString(),
  sentTime: row.sentTime?.toISOString() ?? null,
  approvedUntil: row.approvedUntil,
  answerBy: row.answerBy,
  paperCount: row.paperCount,
  domainCount: row.domainCount,
  customerId: row.customerId,
});

export const presentQueued = (row: DossierRow): QueuedDossier => ({ ...summarize(row), operator: row.operator });

/** With its papers, domains and history. */
export async function presentDossier(tx: PoolClient, row: DossierRow, scope: Scope): Promise<Dossier> {
  const { dossierId } = row;
  const papers = await listDossierPapers(tx, dossierId);
  const domains = await listDossierDomains(tx, dossierId);
  const events = await listDossierEvents(tx, dossierId, shownEvents);
  return {
    ...summarize(row),
    ...('staff' in scope && { operator: row.operator }),
    answer: row.answer,
    answeredBy: row.answeredBy,
    answerTime: row.answerTime?.toISOString() ?? null,
    papers: papers.map(({ uploadTime, checkTime, ...paper }) => ({
      ...paper,
      uploadTime: uploadTime.toISOString(),
      checkTime: checkTime?.toISOString() ?? null,
    })),
    domains,
    history: events.map(({ time, ...event }) => ({ ...event, time: time.toISOString() })),
  };
}

export const dossierColumns: readonly CsvColumn<QueuedDossier>[] = [
  column('Sender ID', 'Sender ID', (row) => row.senderId),
  column('运营商', 'Carrier', (row) => row.carrier),
  column('客户', 'Customer', (row) => row.operator),
  column('状态', 'Status', (row) => row.state),
  column('状态变更时间', 'Changed', (row) => row.changeTime),
  column('资料数', 'Papers', (row) => row.paperCount),
  column('域名数', 'Domains', (row) => row.domainCount),
  column('有效期至', 'Approved until', (row) => row.approvedUntil),
];
