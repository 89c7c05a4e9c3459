import { listDemoSenders } from '@pahatid/db/queries/demo-traffic';
import { ProblemError } from '../../http/problem.ts';
import { makeJobSending } from '../../messages/job-sending.ts';
import type { JobList } from '../../sending/job-context.ts';
import { sendDemoTraffic, slotMs } from './send-demo-traffic.ts';

export const demoTrafficJobs: JobList = (jobDeps) => {
  if (jobDeps.config.demoTraffic !== true) return [];
  const { log, pool } = jobDeps.context;
  const { deps, idle } = makeJobSending(jobDeps.context);
  return [
    {
      name: 'demoTraffic',
      everyMs: slotMs,
      step: async () => {
        try {
          const { recipientAt } = await import('@pahatid/db/builders');
          await sendDemoTraffic(await listDemoSenders(pool), deps, recipientAt);
        } catch (error) {
          // A user tries what happens when an application is disabled or the balance is used up.
          if (!(error instanceof ProblemError)) throw error;
          log.debug({ code: error.code }, 'demo message refused');
        }
      },
      stop: idle,
    },
  ];
};
