import type { Carrier } from '@pahatid/contract';
import type { PoolClient } from 'pg';
import { type NotifyDeps, notify } from './notify.ts';

interface Subject {
  dossierId: string;
  customerId: string;
  senderKey: string;
  senderId: string;
  carrier: Carrier;
}

/** Notifies a customer of the carrier's answer, in the transaction that enters it. */
export async function notifyDossierDecided(
  tx: PoolClient,
  dossier: Subject & { isApproved: boolean; approvedUntil: string | null; answer: string | null },
  now: Date,
  deps: NotifyDeps,
): Promise<void> {
  const { customerId, dossierId, senderKey, senderId, carrier, isApproved: approved, approvedUntil, answer } = dossier;
  await notify(
    tx,
    {
      kind: 'dossierDecided',
      customerId,
      params: { id: senderKey, senderId, carrier, approved, approvedUntil, answer },
      onceKey: `dossierDecided:${dossierId}:${now.getTime()}`,
    },
    deps,
  );
}

/** `days`: before the end; 0: it has ended. */
export async function notifyApprovalEnds(
  tx: PoolClient,
  dossier: Subject & { approvedUntil: string },
  days: number,
  deps: NotifyDeps,
): Promise<void> {
  const { customerId, dossierId, senderKey, senderId, carrier, approvedUntil } = dossier;
  await notify(
    tx,
    {
      kind: 'approvalEnds',
      customerId,
      params: { id: senderKey, senderId, carrier, approvedUntil, ended: days === 0 },
      onceKey: `approvalEnds:${dossierId}:${approvedUntil}:${days}`,
    },
    deps,
  );
}
