import type { JobList } from '../../sending/job-context.ts';
import { deleteExpired } from './delete-expired.ts';
import { finishErasures } from './finish-erasures.ts';

export const privacyJobs: JobList = ({ context, secrets }) => [
  {
    name: 'deleteExpired',
    everyMs: 1_000,
    // One bounded step a second; without a pause only while customers have nothing to delete.
    step: async () => {
      const deleted = await deleteExpired(context);
      return deleted !== null && deleted.messages + deleted.texts === 0 && deleted.fileId === null;
    },
  },
  { name: 'finishErasures', everyMs: 10_000, step: () => finishErasures(context, secrets) },
];
