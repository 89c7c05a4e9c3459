/** Changes of a dossier: each locks it, is refused in a state that does not allow it, and leaves a line of history. */
import type { Dossier } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import {
  addDossierEvent,
  type DossierChange,
  type DossierRow,
  lockDossier,
  moveDossier,
} from '@pahatid/db/queries/dossiers';
import { type DossierAction, dossierStep, isDossierOpen } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { ProblemError } from '../../http/problem.ts';

export interface Author {
  userId: string | null;
  now: Date;
}

/** `customerId` null: of any customer, for staff. */
export async function mustLock(tx: PoolClient, customerId: string | null, dossierId: string): Promise<DossierRow> {
  const row = await lockDossier(tx, customerId, dossierId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

/** Of the customer, while neither staff nor the carrier read it. */
export async function mustLockOpen(tx: PoolClient, customerId: string | null, dossierId: string): Promise<DossierRow> {
  const row = await mustLock(tx, customerId, dossierId);
  if (!isDossierOpen(row.state)) throw new ProblemError('CONFLICT');
  return row;
}

export const writeHistory = (
  tx: PoolClient,
  dossierId: string,
  { userId, now }: Author,
  kind: Dossier['history'][number]['kind'],
  subject?: string,
): Promise<number> =>
  addDossierEvent(tx, {
    ...{ eventId: uuidV7(), dossierId, kind, now, userId },
    ...(subject !== undefined && { subject }),
  });

const eventOf = {
  submit: 'submitted',
  send: 'sent',
  approve: 'approved',
  return: 'returned',
  expire: 'expired',
} as const satisfies Record<DossierAction, string>;

/** Takes one step; a dossier in another state is a conflict. */
export async function takeStep(
  tx: PoolClient,
  dossierId: string,
  action: DossierAction,
  author: Author,
  more: Pick<DossierChange, 'sentAt' | 'answer' | 'approvedUntil'> = {},
): Promise<void> {
  const isMoved = await moveDossier(tx, dossierId, { ...dossierStep(action), ...more, now: author.now });
  if (!isMoved) throw new ProblemError('CONFLICT');
  await writeHistory(tx, dossierId, author, eventOf[action]);
}
