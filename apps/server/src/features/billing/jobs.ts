import type { JobList } from '../../sending/job-context.ts';
import { notifyLowBalances } from './notify-low-balances.ts';

export const billingJobs: JobList = ({ context, config }) => [
  { name: 'lowBalances', everyMs: 15_000, step: () => notifyLowBalances(context, config) },
];
