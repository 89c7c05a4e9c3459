/**
 * When a decision may be expected: about two working hours (specification §9) of the review hours, Monday to Friday
 * 9:00–21:00, Saturday and Sunday 9:00–18:00, in Manila (UTC+8 the whole year); not on public holidays.
 */
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const manilaOffsetMs = 8 * hourMs;
export const reviewWorkMs = 2 * hourMs;

const openHour = 9;
const closingHour = (weekday: number): number => (weekday === 0 || weekday === 6 ? 18 : 21);

/** `holidays`: days as `2026-12-25`, in Manila. Answers Unix milliseconds. */
export const expectedReviewBy = (
  submittedMs: number,
  holidays: ReadonlySet<string> = new Set(),
  workMs: number = reviewWorkMs,
): number => {
  let left = workMs;
  let now = submittedMs + manilaOffsetMs;
  // More holidays in a row than a year has days would be a mistake of the table, not a reason to wait for ever.
  for (let days = 0; days < 366; days++) {
    const midnight = Math.floor(now / dayMs) * dayMs;
    const date = new Date(midnight);
    if (!holidays.has(date.toISOString().slice(0, 10))) {
      const from = Math.max(now, midnight + openHour * hourMs);
      const to = midnight + closingHour(date.getUTCDay()) * hourMs;
      if (to - from >= left) return from + left - manilaOffsetMs;
      left -= Math.max(0, to - from);
    }
    now = midnight + dayMs;
  }
  return submittedMs + 366 * dayMs;
};
