import type { JobList } from '../../sending/job-context.ts';
import { makeArchiver } from './archive-messages.ts';

export const archiveJobs: JobList = ({ context, config }) =>
  config.archiveAfterDays === null
    ? []
    : [{ name: 'archiveMessages', everyMs: 600_000, step: makeArchiver(context, config.archiveAfterDays) }];
