import type { JobList } from '../../sending/job-context.ts';
import { writeNextExport } from './write-next-export.ts';

export const recordJobs: JobList = ({ context, config }) => [
  { name: 'export', everyMs: 1_000, step: () => writeNextExport(context, config) },
];
