/** What is of no use any more: broken uploads, files that no task took, keys long answered, counts of periods long over. */
import { sweepAttempts, sweepCaptchas } from '@pahatid/db';
import { sweepFiles } from '@pahatid/db/queries/file-parsing';
import { sweepKeys } from '@pahatid/db/queries/idempotency';
import { ensureComingPartitions } from '@pahatid/db/queries/task-running';
import { sweepVolumes } from '@pahatid/db/queries/thresholds';
import type { JobContext } from './context.ts';

const dayMs = 86_400_000;

export async function sweep({ pool, log, offsetMs }: JobContext): Promise<void> {
  const files = await sweepFiles(pool, dayMs, offsetMs);
  const keys = await sweepKeys(pool, 2 * dayMs);
  const volumes = await sweepVolumes(pool, 400 * dayMs);
  const now = new Date(Date.now() + offsetMs);
  const attempts = await sweepAttempts(pool, now);
  const captchas = await sweepCaptchas(pool, now);
  if (files + keys + volumes + attempts + captchas > 0) log.info({ files, keys, volumes, attempts, captchas }, 'swept');
}

/** The months that come, made before the first message needs one. */
export async function makePartitions({ pool }: JobContext): Promise<void> {
  await ensureComingPartitions(pool);
}
