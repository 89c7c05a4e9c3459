import type { JobList } from '../../sending/job-context.ts';
import { watchThresholds } from './watch-thresholds.ts';

export const thresholdJobs: JobList = ({ context, config, itemTurns }) => {
  const rules = itemTurns('thresholds');
  return [{ name: 'thresholds', everyMs: 3_000, step: () => watchThresholds(context, config, rules) }];
};
