import nodemailer from 'nodemailer';

export interface Letter {
  readonly messageId: string;
  readonly date: Date;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

/** Hands mail to an SMTP server. */
export interface Mailer {
  /** Resolves once the server has taken it; else throws `RefusedMailError` or whatever went wrong. */
  send(letter: Letter): Promise<void>;
  close(): void;
}

/** The server says that it will never take this mail (a reply of 5xx, RFC 5321 §4.2.1). */
export class RefusedMailError extends Error {
  override name = 'RefusedMailError';
}

const connectTimeoutMs = 10_000;
const silenceTimeoutMs = 30_000;

/** `url`: smtp:// (STARTTLS where the server offers it; `?requireTLS=true` insists) or smtps://, with user and password. */
export function makeMailer(url: string, from: string): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ messageId, date, to, subject, text, html }) {
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          ...(html !== null && { html }),
          date,
          messageId: `<${messageId}@${domain}>`,
          headers: { 'auto-submitted': 'auto-generated' },
        });
      } catch (error) {
        if (isRefusal(error)) throw new RefusedMailError('the SMTP server refused the mail', { cause: error });
        throw error;
      }
    },
    close: () => transport.close(),
  };
}

/** A wrong login is no refusal of the mail: somebody may mend it while the mail waits. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { responseCode, code } = error as Error & { responseCode?: number; code?: string };
  return responseCode !== undefined && responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}
