import { existsSync } from 'node:fs';
import { pruneErasures } from '../../process/erasure-list.ts';
import type { JobList } from '../../sending/job-context.ts';
import { deleteExpired } from './delete-expired.ts';
import { finishErasures } from './finish-erasures.ts';

/** Erasures stay in their folder as long as a backup of an external database may: those of the embedded one say how long. */
const LISTED_MS = 400 * 86_400_000;

export const privacyJobs: JobList = ({ context, config, secrets }) => [
  {
    name: 'deleteExpired',
    everyMs: 1_000,
    // One bounded step a second; without a pause only while customers have nothing to delete.
    step: async () => {
      const deleted = await deleteExpired(context);
      return deleted !== null && deleted.messages + deleted.texts + deleted.batches === 0 && deleted.fileId === null;
    },
  },
  {
    name: 'pruneErasures',
    everyMs: 86_400_000,
    step: async () => {
      // Made by the first erasure.
      if (config.erasureFolder === null || !existsSync(config.erasureFolder)) return;
      await pruneErasures(config.erasureFolder, secrets, new Date(Date.now() - LISTED_MS));
    },
  },
  { name: 'finishErasures', everyMs: 10_000, step: () => finishErasures(context, secrets) },
];
