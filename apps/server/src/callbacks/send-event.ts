/** One request of one event or of several. */
import { createHash, randomBytes } from 'node:crypto';
import type { CallbackError } from '@pahatid/contract';
import type { DueEvent } from '@pahatid/db/queries/callback-dispatch';
import type { Posted, Poster } from './post.ts';
import { signCallback, webhookIdOf } from './sign.ts';
import { signTwilio, toTwilioForm } from './twilio-form.ts';
import type { CallbackBody } from './write-bodies.ts';

/**
 * Returns the value that an endpoint must respond with to a test, so that no one can make us call a server that is not
 * theirs.
 */
export const makeChallenge = (): string => randomBytes(24).toString('base64url');

/** What goes into one request. A test goes alone. */
export interface Parcel {
  readonly url: string;
  readonly secrets: readonly string[];
  /** As an array, also of one. */
  readonly isBatched: boolean;
  readonly events: readonly Pick<DueEvent, 'eventId' | 'type' | 'facts'>[];
  /** Of each event, by its id. */
  readonly bodies: ReadonlyMap<string, CallbackBody>;
}

interface Request {
  readonly url: string;
  readonly body: string;
  /** In addition to those of Standard Webhooks. */
  readonly headers: Readonly<Record<string, string>>;
}

export async function sendEvents(poster: Poster, parcel: Parcel, now: Date): Promise<Posted> {
  const { secrets, events } = parcel;
  const { url, body, headers } = toRequest(parcel);
  const posted = await poster.post(url, { ...headers, ...signCallback(toId(parcel), now, body, secrets) }, body);
  const test = events.find(({ type }) => type === 'test');
  if (test === undefined || posted.error !== null) return posted;
  if (hasChallenge(posted.body, String(test.facts['challenge']))) return posted;
  return { ...posted, error: 'challenge' satisfies CallbackError };
}

/** In an array each event has its own id, which the header has otherwise. */
function toRequest({ url, secrets, isBatched, events, bodies }: Parcel): Request {
  const textOf = (eventId: string): string => bodies.get(eventId)?.text ?? '{}';
  const [first] = events;
  const own = first === undefined ? null : (bodies.get(first.eventId)?.own ?? null);
  if (own?.format === 'twilio') {
    const form = toTwilioForm(textOf(first?.eventId ?? ''));
    const signature = signTwilio(own.url, form, secrets[0] ?? '');
    const type = 'application/x-www-form-urlencoded; charset=utf-8';
    const body = new URLSearchParams(form).toString();
    return { url: own.url, body, headers: { 'content-type': type, 'x-twilio-signature': signature } };
  }
  if (own !== null || !isBatched) return { url: own?.url ?? url, body: textOf(first?.eventId ?? ''), headers: {} };
  const items = events.map(({ eventId }) => `{"id":"${webhookIdOf(eventId)}",${textOf(eventId).slice(1)}`);
  return { url, body: `[${items.join(',')}]`, headers: {} };
}

/** The same whenever the same events are sent. */
function toId({ isBatched, events, bodies }: Parcel): string {
  const first = events[0]?.eventId ?? '';
  if (!isBatched || bodies.get(first)?.own != null) return first;
  const hash = createHash('sha256');
  for (const { eventId } of events) hash.update(eventId);
  return hash.digest('hex').slice(0, 32);
}

/**
 * The response is the challenge alone, or a JSON object with it as `challenge`. Not just anywhere in it: some servers
 * echo their input.
 */
function hasChallenge(answer: string, challenge: string): boolean {
  const text = answer.trim();
  if (text === challenge || text === JSON.stringify(challenge)) return true;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'challenge' in value && value.challenge === challenge;
  } catch {
    return false;
  }
}
