/** The outcome of events and of their endpoint after some attempts. */

import type { DueEvent, LeasedEndpoint, Tried } from '@pahatid/db/queries/callback-dispatch';
import { callbackDelayMs, callbackTestTries } from '@pahatid/domain';
import type { Posted } from './post.ts';

export interface Sent {
  readonly event: Pick<DueEvent, 'eventId' | 'type' | 'attempts'>;
  /** Of the last request it was in. */
  readonly posted: Posted;
  /** It was the only event of that. */
  readonly isAlone: boolean;
}

export type Verdict =
  | { readonly kind: 'answers' }
  /** It passed a test. */
  | { readonly kind: 'enabled' }
  /** Nothing more for so long. `counts`: nothing arrived. */
  | { readonly kind: 'waits'; readonly delayMs: number; readonly counts: boolean }
  | { readonly kind: 'disabled'; readonly reason: 'failing' | 'gone' }
  | { readonly kind: 'unchanged' };

/**
 * If some events arrived, those that did not are at fault themselves: they are retried on their own schedule, and given
 * up at its end. If none arrived, the endpoint is at fault: all its events wait for its own next attempt.
 */
export function judgeRound(
  endpoint: Pick<LeasedEndpoint, 'isVerified' | 'fails'>,
  sent: readonly Sent[],
): { tries: Tried[]; verdict: Verdict } {
  const arrived = sent.some(({ posted }) => posted.error === null);
  const tries = sent.map(({ event, posted, isAlone }) => ({
    eventId: event.eventId,
    ...fateOf(event, posted, arrived, isAlone),
    status: posted.status,
    ms: posted.ms,
    error: posted.error,
    response: posted.response,
  }));
  return { tries, verdict: verdictOf(endpoint, sent, arrived) };
}

function fateOf(
  { type, attempts }: Sent['event'],
  { error }: Posted,
  arrived: boolean,
  isAlone: boolean,
): Pick<Tried, 'state' | 'delayMs'> {
  if (error === null) return { state: 'delivered', delayMs: 0 };
  const delayMs = callbackDelayMs(attempts + 1);
  if (type === 'test')
    return delayMs === null || attempts + 1 >= callbackTestTries
      ? { state: 'givenUp', delayMs: 0 }
      : { state: 'waiting', delayMs };
  if (!arrived) return { state: 'waiting', delayMs: 0 };
  // Another event of the array may be at fault.
  if (!isAlone) return { state: 'waiting', delayMs: callbackDelayMs(1) ?? 0 };
  return delayMs === null ? { state: 'givenUp', delayMs: 0 } : { state: 'waiting', delayMs };
}

function verdictOf(
  { isVerified, fails }: Pick<LeasedEndpoint, 'isVerified' | 'fails'>,
  sent: readonly Sent[],
  arrived: boolean,
): Verdict {
  if (!isVerified) return { kind: arrived ? 'enabled' : 'unchanged' };
  const counted = sent.filter(({ event }) => event.type !== 'test');
  if (counted.some(({ posted }) => posted.error === 'gone')) return { kind: 'disabled', reason: 'gone' };
  const askedMs = Math.max(0, ...sent.map(({ posted }) => (posted.retryAfterS ?? 0) * 1_000));
  if (arrived) return askedMs > 0 ? { kind: 'waits', delayMs: askedMs, counts: false } : { kind: 'answers' };
  if (counted.length === 0) return { kind: 'unchanged' };
  const delayMs = callbackDelayMs(fails + 1);
  if (delayMs === null) return { kind: 'disabled', reason: 'failing' };
  return { kind: 'waits', delayMs: Math.max(delayMs, askedMs), counts: true };
}
