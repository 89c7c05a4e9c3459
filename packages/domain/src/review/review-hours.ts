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
/** More holidays in a row than a year has days would be an error in the table, not a reason to wait forever. */
const daysLimit = 366;

/** Days as `2026-12-25`, in Manila. */
export type HolidaySet = ReadonlySet<string>;

/** One day in Manila: its date, and when it is reviewed, in Unix milliseconds; null on a holiday. */
interface ReviewDay {
  readonly date: string;
  readonly hours: { readonly from: number; readonly to: number } | null;
  /** When the next day begins. */
  readonly nextMs: number;
}

const readDay = (atMs: number, holidays: HolidaySet): ReviewDay => {
  const midnight = Math.floor((atMs + manilaOffsetMs) / dayMs) * dayMs;
  const local = new Date(midnight);
  const date = local.toISOString().slice(0, 10);
  const start = midnight - manilaOffsetMs;
  const hours = { from: start + openHour * hourMs, to: start + closingHour(local.getUTCDay()) * hourMs };
  return { date, hours: holidays.has(date) ? null : hours, nextMs: start + dayMs };
};

/** Returns Unix milliseconds. */
export const expectedReviewBy = (
  submittedMs: number,
  holidays: HolidaySet = new Set(),
  workMs: number = reviewWorkMs,
): number => {
  let left = workMs;
  let now = submittedMs;
  for (let days = 0; days < daysLimit; days++) {
    const { hours, nextMs } = readDay(now, holidays);
    if (hours !== null) {
      const from = Math.max(now, hours.from);
      if (hours.to - from >= left) return from + left;
      left -= Math.max(0, hours.to - from);
    }
    now = nextMs;
  }
  return submittedMs + daysLimit * dayMs;
};

/** Milliseconds of the review hours that lie between two instants; negative when the second is the earlier. */
export const reviewTimeBetween = (fromMs: number, toMs: number, holidays: HolidaySet = new Set()): number => {
  if (toMs < fromMs) return -reviewTimeBetween(toMs, fromMs, holidays);
  let sum = 0;
  let now = fromMs;
  for (let days = 0; days <= daysLimit && now < toMs; days++) {
    const { hours, nextMs } = readDay(now, holidays);
    if (hours !== null) sum += Math.max(0, Math.min(toMs, hours.to) - Math.max(now, hours.from));
    now = nextMs;
  }
  return sum;
};

export interface ReviewClock {
  /** When a decision is due, Unix milliseconds. */
  readonly dueMs: number;
  /** Review time until then; negative: overdue by this much. It stops outside review hours. */
  readonly leftMs: number;
  /** Null while it runs. */
  readonly stopped: { readonly why: 'closed' | 'holiday'; readonly untilMs: number } | null;
  /** Why it is due later than two hours after it was submitted; null when it is not. */
  readonly delay: { readonly closed: boolean; readonly holidays: readonly string[] } | null;
}

/** Returns the current clock of one waiting item. */
export const readReviewClock = (
  submittedMs: number,
  nowMs: number,
  holidays: HolidaySet = new Set(),
  workMs: number = reviewWorkMs,
): ReviewClock => {
  const dueMs = expectedReviewBy(submittedMs, holidays, workMs);
  return {
    dueMs,
    leftMs: reviewTimeBetween(nowMs, dueMs, holidays),
    stopped: findStop(nowMs, holidays),
    delay: dueMs - submittedMs > workMs ? explainDelay(submittedMs, dueMs, holidays) : null,
  };
};

function findStop(nowMs: number, holidays: HolidaySet): ReviewClock['stopped'] {
  const today = readDay(nowMs, holidays);
  if (today.hours !== null && nowMs >= today.hours.from && nowMs < today.hours.to) return null;
  if (today.hours !== null && nowMs < today.hours.from) return { why: 'closed', untilMs: today.hours.from };
  const why = today.hours === null ? 'holiday' : 'closed';
  let day = readDay(today.nextMs, holidays);
  for (let days = 0; day.hours === null && days < daysLimit; days++) day = readDay(day.nextMs, holidays);
  return { why, untilMs: day.hours?.from ?? day.nextMs };
}

/** Returns what lies between: holidays, and non-review hours on other days. */
function explainDelay(fromMs: number, toMs: number, holidays: HolidaySet): NonNullable<ReviewClock['delay']> {
  const met: string[] = [];
  let closed = false;
  for (let now = fromMs, days = 0; now < toMs && days < daysLimit; days++) {
    const day = readDay(now, holidays);
    if (day.hours === null) met.push(day.date);
    else if (now < day.hours.from || (toMs > day.hours.to && day.nextMs <= toMs)) closed = true;
    now = day.nextMs;
  }
  // A holiday already explains the nights around it.
  return { closed: closed && met.length === 0, holidays: met };
}
