/** What is of no use any more: broken uploads, files that no task took, keys long answered, counts of periods long over. */
import { sweepAttempts, sweepCaptchas, sweepCodes, sweepMail } from '@pahatid/db';
import { sweepFiles } from '@pahatid/db/queries/file-parsing';
import { sweepKeys } from '@pahatid/db/queries/idempotency';
import { sweepReceipts } from '@pahatid/db/queries/retention';
import { ensureComingPartitions } from '@pahatid/db/queries/task-running';
import { sweepVolumes } from '@pahatid/db/queries/thresholds';
import type { JobContext } from './context.ts';

const dayMs = 86_400_000;
/** Receipts kept beside the messages: matched within seconds, tried for 7 days, of no use once carriers' ids wrap. */
const receiptDays = 40;
const rowsAtOnce = 5_000;

export async function sweep({ pool, log, offsetMs }: JobContext): Promise<void> {
  const files = await sweepFiles(pool, dayMs, offsetMs);
  const keys = await sweepKeys(pool, 2 * dayMs);
  const volumes = await sweepVolumes(pool, 400 * dayMs);
  const now = new Date(Date.now() + offsetMs);
  const attempts = await sweepAttempts(pool, now);
  const captchas = await sweepCaptchas(pool, now);
  const codes = await sweepCodes(pool, now, dayMs);
  const mail = await sweepMail(pool, 30 * dayMs, offsetMs);
  const receipts = await sweepReceipts(pool, receiptDays * dayMs, rowsAtOnce);
  if (files + keys + volumes + attempts + captchas + codes + mail + receipts > 0)
    log.info({ files, keys, volumes, attempts, captchas, codes, mail, receipts }, 'swept');
}

/** The months that come, made before the first message needs one. */
export async function makePartitions({ pool }: JobContext): Promise<void> {
  await ensureComingPartitions(pool);
}
