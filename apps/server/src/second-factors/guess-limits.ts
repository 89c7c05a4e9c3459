/**
 * Guesses at a person's authenticator app or recovery codes, wherever they are asked for: ten in 15 minutes and fifty a
 * day, counted before anything is compared.
 */
import { clearAttempts, countAttempts } from '@pahatid/db';
import type { ApiDeps } from '../http/deps.ts';
import { tooOften } from '../http/problem.ts';

const limits = [
  { what: 'secondFactor', limit: 10, windowMs: 15 * 60_000 },
  { what: 'secondFactor.day', limit: 50, windowMs: 24 * 3_600_000 },
];

export async function countGuess({ pools, now: clock }: ApiDeps, userId: string): Promise<void> {
  const now = clock();
  const counted = await countAttempts(
    pools.control,
    limits.map((limit) => ({ ...limit, key: userId, now })),
  );
  if ('refused' in counted) throw tooOften(counted.endsAt, now);
}

export async function refundGuesses({ pools }: ApiDeps, userId: string): Promise<void> {
  for (const { what } of limits) await clearAttempts(pools.control, what, userId);
}
