import type { JobList } from '../../sending/job-context.ts';
import { followApprovals } from './follow-approvals.ts';

export const dossierJobs: JobList = ({ context, config }) => [
  { name: 'dossierApprovals', everyMs: 600_000, step: () => followApprovals(context, config) },
];
