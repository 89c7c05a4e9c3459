import type { JobList } from '../../sending/job-context.ts';
import { showQuietHours } from './show-quiet-hours.ts';

export const quietHourJobs: JobList = ({ context }) => [
  { name: 'quietHours', everyMs: 10_000, step: () => showQuietHours(context) },
];
