import type { JobList } from '../../sending/job-context.ts';
import { judgeClicks } from './judge-clicks.ts';

export const shortLinkJobs: JobList = ({ context }) => [
  { name: 'judgeClicks', everyMs: 1_000, step: () => judgeClicks(context) },
];
