/** One request of one event or of several. */
import { createHash, randomBytes } from 'node:crypto';
import type { CallbackError } from '@pahatid/contract';
import type { DueEvent } from '@pahatid/db/queries/callback-dispatch';
import type { Posted, Poster } from './post.ts';
import { signCallback, webhookIdOf } from './sign.ts';

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
  readonly bodies: ReadonlyMap<string, string>;
}

export async function sendEvents(poster: Poster, parcel: Parcel, now: Date): Promise<Posted> {
  const { url, secrets, events } = parcel;
  const body = toBody(parcel);
  const posted = await poster.post(url, { ...signCallback(toId(parcel), now, body, secrets) }, body);
  const test = events.find(({ type }) => type === 'test');
  if (test === undefined || posted.error !== null) return posted;
  if (hasChallenge(posted.body, String(test.facts['challenge']))) return posted;
  return { ...posted, error: 'challenge' satisfies CallbackError };
}

/** In an array each event has its own id, which the header has otherwise. */
export function toBody({ isBatched, events, bodies }: Pick<Parcel, 'isBatched' | 'events' | 'bodies'>): string {
  const bodyOf = (eventId: string): string => bodies.get(eventId) ?? '{}';
  if (!isBatched) return bodyOf(events[0]?.eventId ?? '');
  return `[${events.map(({ eventId }) => `{"id":"${webhookIdOf(eventId)}",${bodyOf(eventId).slice(1)}`).join(',')}]`;
}

/** The same whenever the same events are sent. */
function toId({ isBatched, events }: Parcel): string {
  if (!isBatched) return events[0]?.eventId ?? '';
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
