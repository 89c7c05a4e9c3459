import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

const retries = 3;
const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/** Retries and cache times of specification §9; a refusal is never retried, only a failure. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < retries && (!(error instanceof ApiError) || error.retryable),
        retryDelay: (attempt) => Math.min(firstDelayMs * 2 ** attempt, longestDelayMs),
        gcTime: 5 * 60_000,
        staleTime: 5_000,
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false },
    },
  });
}
