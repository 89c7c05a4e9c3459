/** Signatures of Standard Webhooks: HMAC-SHA256 over id, time and body, with every valid secret. */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** 256 random bits. */
export const makeCallbackSecret = (): string => prefix + randomBytes(32).toString('base64');

/** `webhook-id`: the same at every try of an event. */
export const webhookIdOf = (eventId: string): string => `msg_${eventId.replaceAll('-', '')}`;

export interface SignedHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** `eventId`: or another id of 32 hexadecimal digits. `at`: time of this attempt, so that a receiver may refuse old ones. */
export function signCallback(eventId: string, at: Date, body: string, secrets: readonly string[]): SignedHeaders {
  const id = webhookIdOf(eventId);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
