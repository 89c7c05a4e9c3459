import type { JobList } from '../../sending/job-context.ts';
import { deleteFoldedMinutes, foldEndedHours } from './fold-hours.ts';

export const statisticsJobs: JobList = ({ context }) => [
  { name: 'foldHours', everyMs: 60_000, step: async () => void (await foldEndedHours(context)) },
  { name: 'deleteMinutes', everyMs: 60_000, step: async () => void (await deleteFoldedMinutes(context)) },
];
