/** How often one address may come with a link. A token can't be guessed (256 bits): this bounds the work of trying. */
import { ProblemError } from '../../http/problem.ts';

const windowMs = 60_000;
const attemptsPerWindow = 20;
/** More addresses than this in a window are a flood: the count restarts rather than grow. */
const maxAddresses = 10_000;

/** Counts an attempt, and throws RATE_LIMITED past the limit. */
export type CountAttempt = (ip: string, now: Date) => void;

export function makeAttempts(): CountAttempt {
  const counts = new Map<string, number>();
  let endsAtMs = 0;
  return (ip, now) => {
    const nowMs = now.getTime();
    if (nowMs >= endsAtMs || counts.size >= maxAddresses) {
      counts.clear();
      endsAtMs = nowMs + windowMs;
    }
    const count = (counts.get(ip) ?? 0) + 1;
    counts.set(ip, count);
    if (count > attemptsPerWindow)
      throw new ProblemError('RATE_LIMITED', { retryAfterS: Math.ceil((endsAtMs - nowMs) / 1000) });
  };
}
