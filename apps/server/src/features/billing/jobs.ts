import type { JobList } from '../../sending/job-context.ts';
import { deleteOldEntries, foldLedgers } from './fold-ledger.ts';
import { notifyLowBalances } from './notify-low-balances.ts';

export const billingJobs: JobList = ({ context, config }) => [
  { name: 'lowBalances', everyMs: 15_000, step: () => notifyLowBalances(context, config) },
  { name: 'foldLedger', everyMs: 600_000, step: async () => void (await foldLedgers(context)) },
  { name: 'deleteLedger', everyMs: 3_600_000, step: async () => void (await deleteOldEntries(context)) },
];
