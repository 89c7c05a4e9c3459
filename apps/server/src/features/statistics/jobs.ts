import type { JobList } from '../../sending/job-context.ts';
import { deleteFoldedMinutes, deleteOldStatistics, foldEndedHours } from './fold-hours.ts';

export const statisticsJobs: JobList = ({ context }) => [
  { name: 'foldHours', everyMs: 60_000, step: async () => void (await foldEndedHours(context)) },
  { name: 'deleteMinutes', everyMs: 60_000, step: async () => void (await deleteFoldedMinutes(context)) },
  { name: 'deleteHours', everyMs: 600_000, step: async () => void (await deleteOldStatistics(context)) },
];
