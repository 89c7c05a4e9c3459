/**
 * States of a dossier: draft → submitted → sent → approved or returned; an approved one expires. What was answered is
 * submitted again: a returned one with what was missing, an approved one to renew it.
 */
import type { DossierState } from '@pahatid/contract';

export type DossierAction = 'submit' | 'send' | 'approve' | 'return' | 'expire';

const steps: Record<DossierAction, { from: readonly DossierState[]; to: DossierState }> = {
  submit: { from: ['draft', 'returned', 'approved', 'expired'], to: 'submitted' },
  send: { from: ['submitted'], to: 'sent' },
  approve: { from: ['sent'], to: 'approved' },
  return: { from: ['submitted', 'sent'], to: 'returned' },
  expire: { from: ['approved'], to: 'expired' },
};

export const dossierStep = (action: DossierAction): { from: readonly DossierState[]; to: DossierState } =>
  steps[action];

/** Whether its customer may change papers and domains: not while staff or the carrier read them. */
export const isDossierOpen = (state: DossierState): boolean => steps.submit.from.includes(state);

/** Days before the end of an approval on which the owners are reminded. */
export const reminderDays = [30, 7] as const;

/** Returns the reminder that is due so many days before the end: the smallest that was reached; null: none. */
export const dueReminder = (daysLeft: number): number | null =>
  daysLeft < 0 ? null : (reminderDays.findLast((days) => daysLeft <= days) ?? null);
