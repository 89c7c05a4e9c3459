import { type Db, insertMail } from '@pahatid/db';
import { isEmail } from '@pahatid/domain';

export interface Mail {
  /** One address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Not sent after this time from now; default one day. */
  readonly lifetimeMs?: number;
}

const usualLifetimeMs = 24 * 3_600_000;

/**
 * Inserts a mail into the outbox; returns its id. Within a transaction it is sent once that commits, and never if it
 * rolls back. The jobs pass it to the SMTP server; without one it stays in the development mailbox.
 */
export async function sendMail(
  db: Db,
  { to, subject, text, html, lifetimeMs = usualLifetimeMs }: Mail,
): Promise<string> {
  if (!isEmail(to)) throw new TypeError('not an e-mail address');
  // One line, whatever a name contains: text after a line break would be another header.
  const line = subject.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return insertMail(db, {
    recipient: to.toLowerCase(),
    subject: line,
    bodyText: text,
    bodyHtml: html ?? null,
    lifetimeMs,
  });
}
