import type { JobList } from './job-context.ts';
import { endOutdatedJob, expireReceiptsJob, recoverBatches, settleRestoredJob, wakeParked } from './message-jobs.ts';
import { storeWaitingParts } from './store-waiting-parts.ts';
import { ParkedWaker } from './submit/wake-parked.ts';

export const sendingJobs: JobList = ({ context }) => {
  const waker = new ParkedWaker(context.pool, context.offsetMs);
  return [
    { name: 'wakeBatches', everyMs: 1_000, step: () => wakeParked(context, waker) },
    { name: 'endOutdated', everyMs: 1_000, step: () => endOutdatedJob(context) },
    { name: 'recover', everyMs: 5_000, step: () => recoverBatches(context) },
    { name: 'settleRestored', everyMs: 1_000, step: () => settleRestoredJob(context) },
    { name: 'expireReceipts', everyMs: 60_000, step: () => expireReceiptsJob(context) },
    { name: 'waitingParts', everyMs: 10_000, step: () => storeWaitingParts(context) },
  ];
};
