import { finishMail, giveUpLateMail, postponeMail, takeDueMail } from '@pahatid/db';
import type { JobContext } from '../sending/job-context.ts';
import { type Mailer, RefusedMailError } from './mailer.ts';

/** Longer than a try can take. */
const holdMs = 120_000;
/** Waits after the first failure, the second, and so on; after the last of them comes one more try. */
const backOffMs = [5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 4 * 3_600_000];

/** Sends one mail; true: there may be more. Never throws for a mail that could not be sent: that one waits, or is given up. */
export async function sendDueMail({ pool, log, offsetMs }: JobContext, mailer: Mailer): Promise<boolean> {
  for (const mailId of await giveUpLateMail(pool, offsetMs))
    log.error({ mailId }, 'mail dropped, expired before it was sent');
  const mail = await takeDueMail(pool, holdMs, offsetMs);
  if (mail === null) return false;
  const { mailId, tries, recipient, subject, bodyText, bodyHtml, createdAt } = mail;
  try {
    await mailer.send({
      messageId: mailId,
      date: createdAt,
      to: recipient,
      subject,
      text: bodyText,
      html: bodyHtml,
    });
    await finishMail(pool, mailId, 'sent', offsetMs);
  } catch (error) {
    const waitMs = backOffMs[tries - 1];
    if (error instanceof RefusedMailError || waitMs === undefined) {
      await finishMail(pool, mailId, 'givenUp', offsetMs);
      log.error({ mailId, tries, reason: reasonOf(error) }, 'mail failed, no more retries');
    } else {
      await postponeMail(pool, mailId, waitMs, offsetMs);
      log.warn({ mailId, tries, reason: reasonOf(error), retryInS: waitMs / 1000 }, 'mail not sent, will retry');
    }
  }
  return true;
}

/** Returns codes only: server replies may quote the address. */
function reasonOf(error: unknown): string {
  const cause = error instanceof RefusedMailError ? error.cause : error;
  const { code, responseCode } = (cause ?? {}) as { code?: string; responseCode?: number };
  return [code, responseCode].filter((part) => part !== undefined).join(' ') || 'unknown';
}
