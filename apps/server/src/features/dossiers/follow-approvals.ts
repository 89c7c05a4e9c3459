/** Reminds owners of carriers' approvals that end, and ends them. Each reminder is sent once for an approval. */
import { withTransaction } from '@pahatid/db';
import { type EndingDossier, listEndingDossiers, markReminded } from '@pahatid/db/queries/dossier-ends';
import { moveDossier } from '@pahatid/db/queries/dossiers';
import { dossierStep, dueReminder, reminderDays } from '@pahatid/domain';
import type { NotifyDeps } from '../../notices/notify.ts';
import { notifyApprovalEnds } from '../../notices/notify-dossier.ts';
import type { JobContext } from '../../sending/job-context.ts';
import { writeHistory } from './change-dossier.ts';

export async function followApprovals(
  { pool, offsetMs }: Pick<JobContext, 'pool' | 'offsetMs'>,
  deps: NotifyDeps,
): Promise<void> {
  const now = new Date(Date.now() + offsetMs);
  for (const dossier of await listEndingDossiers(pool, now, Math.max(...reminderDays))) {
    if (dossier.daysLeft < 0) await endApproval(pool, dossier, now, deps);
    else await remind(pool, dossier, deps);
  }
}

type Pool = JobContext['pool'];

async function remind(pool: Pool, dossier: EndingDossier, deps: NotifyDeps): Promise<void> {
  const days = dueReminder(dossier.daysLeft);
  if (days === null || (dossier.remindedDays !== null && dossier.remindedDays <= days)) return;
  await withTransaction(pool, async (tx) => {
    if (await markReminded(tx, dossier, days)) await notifyApprovalEnds(tx, dossier, days, deps);
  });
}

const endApproval = (pool: Pool, dossier: EndingDossier, now: Date, deps: NotifyDeps): Promise<void> =>
  withTransaction(pool, async (tx) => {
    if (!(await moveDossier(tx, dossier.dossierId, { ...dossierStep('expire'), now }))) return;
    await writeHistory(tx, dossier.dossierId, { userId: null, now }, 'expired');
    await notifyApprovalEnds(tx, dossier, 0, deps);
  });
