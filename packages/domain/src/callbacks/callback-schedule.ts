/**
 * Retry schedule of undelivered callbacks: the one that Standard Webhooks recommends, 75 h 35 min from the first
 * attempt to the last.
 */
const secondsAfter = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

/** Milliseconds until the next try after so many that failed in a row; null: there was the last one. */
export const callbackDelayMs = (failed: number): number | null => {
  const seconds = secondsAfter[failed - 1];
  return seconds === undefined ? null : seconds * 1_000;
};

/** A test is short-lived: if the endpoint does not respond within minutes, a user starts the test again. */
export const callbackTestTries = 3;
