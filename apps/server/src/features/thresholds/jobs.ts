import type { JobList } from '../../sending/job-context.ts';
import { watchPumping } from './watch-pumping.ts';
import { watchThresholds } from './watch-thresholds.ts';

export const thresholdJobs: JobList = ({ context, config, itemTurns }) => {
  const rules = itemTurns('thresholds');
  const applications = itemTurns('pumping');
  return [
    { name: 'thresholds', everyMs: 3_000, step: () => watchThresholds(context, config, rules) },
    { name: 'pumping', everyMs: 60_000, step: () => watchPumping(context, config, applications) },
  ];
};
