import type { JobList } from '../../sending/job-context.ts';
import { endSupportViews } from './end-support-views.ts';

export const customerJobs: JobList = ({ context }) => [
  { name: 'endSupportViews', everyMs: 15_000, step: () => endSupportViews(context) },
];
