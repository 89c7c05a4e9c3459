import type { JobList } from './job-context.ts';
import { expireReceiptsJob, recoverBatches } from './message-jobs.ts';
import { storeWaitingParts } from './store-waiting-parts.ts';

export const sendingJobs: JobList = ({ context }) => [
  { name: 'recover', everyMs: 5_000, step: () => recoverBatches(context) },
  { name: 'expireReceipts', everyMs: 60_000, step: () => expireReceiptsJob(context) },
  { name: 'waitingParts', everyMs: 10_000, step: () => storeWaitingParts(context) },
];
