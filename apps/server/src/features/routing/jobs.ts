import type { JobList } from '../../sending/job-context.ts';
import { applyPrices } from './apply-due-prices.ts';
import { notifyLostBinds } from './notify-lost-binds.ts';

export const routingJobs: JobList = ({ context, config }) => [
  { name: 'prices', everyMs: 1_000, step: () => applyPrices(context) },
  { name: 'lostBinds', everyMs: 15_000, step: () => notifyLostBinds(context, config) },
];
