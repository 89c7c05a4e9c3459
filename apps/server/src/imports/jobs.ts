import { uuidV7 } from '@pahatid/db';
import type { JobList } from '../sending/job-context.ts';
import { emptyDeletedGroups, runNextImport } from './run-next-import.ts';

export const importJobs: JobList = ({ context }) => [
  // Two, so that one customer's million does not delay the others.
  { name: 'import', everyMs: 1_000, wakeOn: 'import', step: () => runNextImport(context) },
  { name: 'import', everyMs: 1_000, wakeOn: 'import', step: () => runNextImport({ ...context, owner: uuidV7() }) },
  { name: 'emptyGroups', everyMs: 10_000, step: () => emptyDeletedGroups(context) },
];
