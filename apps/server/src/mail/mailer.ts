import nodemailer from 'nodemailer';
import { isLoopback } from '../process/config.ts';

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
  /** Resolves when the server has accepted the mail; otherwise throws `RefusedMailError` or the underlying error. */
  send(letter: Letter): Promise<void>;
  close(): void;
}

/** The server permanently refuses this mail (a reply of 5xx, RFC 5321 §4.2.1). */
export class RefusedMailError extends Error {
  override name = 'RefusedMailError';
}

const connectTimeoutMs = 10_000;
const silenceTimeoutMs = 30_000;

/**
 * `url`: smtp:// or smtps://, with user and password. Over smtp:// TLS begins by STARTTLS: if the server offers it, and
 * always before a password is sent to another machine (`?requireTLS=true` requires it without one too). No TLS below
 * 1.2.
 */
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
    requireTLS: saysPasswordAway(url),
    tls: { minVersion: 'TLSv1.2' },
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

function saysPasswordAway(address: string): boolean {
  const { protocol, hostname, password } = new URL(address);
  return protocol === 'smtp:' && password !== '' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** A failed login is not a refusal of the mail: it may be fixed while the mail waits. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { responseCode, code } = error as Error & { responseCode?: number; code?: string };
  return responseCode !== undefined && responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}
