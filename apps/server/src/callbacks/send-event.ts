/** One try of one event. */
import { randomBytes } from 'node:crypto';
import type { CallbackError } from '@pahatid/contract';
import type { Posted, Poster } from './post.ts';
import { signCallback } from './sign.ts';

/**
 * Returns the value that an endpoint must respond with to a test, so that no one can make us call a server that is not
 * theirs.
 */
export const makeChallenge = (): string => randomBytes(24).toString('base64url');

export interface SentEvent {
  readonly eventId: string;
  readonly url: string;
  readonly body: string;
  readonly secrets: readonly string[];
  /** Of a test. */
  readonly challenge: string | null;
}

export async function sendEvent(poster: Poster, event: SentEvent, now: Date): Promise<Posted> {
  const { eventId, url, body, secrets, challenge } = event;
  const posted = await poster.post(url, { ...signCallback(eventId, now, body, secrets) }, body);
  if (challenge === null || posted.error !== null || hasChallenge(posted.body, challenge)) return posted;
  return { ...posted, error: 'challenge' satisfies CallbackError };
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
