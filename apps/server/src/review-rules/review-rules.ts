/**
 * The current review rules as set by staff: prohibited terms, and when a decision may be expected. Read from the
 * database at most every ten seconds, so that a change takes effect within ten seconds and typing costs no query.
 */
import type { ReviewClockState, ReviewDelay } from '@pahatid/contract';
import { AuditStatus } from '@pahatid/contract/enums';
import { listHolidays, listProhibitedTerms } from '@pahatid/db';
import {
  type CompiledLexicon,
  compileLexicon,
  defaultLexicon,
  type LexiconEntry,
  type ReviewClock,
  readReviewClock,
  reviewWorkMs,
} from '@pahatid/domain';
import type { Pool } from 'pg';

const freshForMs = 10_000;

export interface ExpectedReview {
  expectedTime: string;
  /** Why it is later than after two hours; null when it is not. */
  expectedDelay: ReviewDelay | null;
}

export interface ReviewRules {
  readonly lexicon: CompiledLexicon;
  /** What the lexicon is made of. */
  readonly terms: readonly LexiconEntry[];
  /** Returns when a decision may be expected for a submission, and its clock state at `now`. */
  clockOf(submittedAt: Date, now: Date): ExpectedReview & { clock: ReviewClockState };
  /** The same for pending submissions, nothing for decided ones. */
  expected(auditStatus: AuditStatus, submittedAt: Date): { [K in keyof ExpectedReview]: ExpectedReview[K] | null };
}

export type ReadReviewRules = () => Promise<ReviewRules>;

export function makeReviewRules(pool: Pool): ReadReviewRules {
  let known: { rules: Promise<ReviewRules>; atMs: number } | null = null;
  return () => {
    const nowMs = performance.now();
    if (known !== null && nowMs - known.atMs < freshForMs) return known.rules;
    const entry = { rules: read(pool), atMs: nowMs };
    known = entry;
    // A failure is not remembered: the next call asks again.
    entry.rules.catch(() => {
      if (known === entry) known = null;
    });
    return entry.rules;
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();

async function read(pool: Pool): Promise<ReviewRules> {
  const [terms, holidays] = await Promise.all([listProhibitedTerms(pool), listHolidays(pool)]);
  // An installation with an empty table must not allow everything.
  const entries = terms.length === 0 ? defaultLexicon : terms;
  const lexicon = compileLexicon(entries);
  const byDay = new Map(holidays.map((holiday) => [holiday.day, holiday]));
  const days = new Set(byDay.keys());

  const describe = ({ dueMs, delay }: ReviewClock): ExpectedReview => ({
    expectedTime: iso(dueMs),
    expectedDelay: delay && {
      closed: delay.closed,
      holidays: delay.holidays.flatMap((day) => byDay.get(day) ?? []),
    },
  });
  const clockAt = (submittedAt: Date, nowMs: number): ReviewClock =>
    readReviewClock(submittedAt.getTime(), nowMs, days, reviewWorkMs);
  return {
    lexicon,
    terms: entries,
    clockOf: (submittedAt, now) => {
      const clock = clockAt(submittedAt, now.getTime());
      const { leftMs, stopped } = clock;
      return {
        ...describe(clock),
        clock: {
          leftS: Math.round(leftMs / 1000),
          stopped: stopped && { why: stopped.why, until: iso(stopped.untilMs) },
        },
      };
    },
    expected: (auditStatus, submittedAt) =>
      auditStatus === AuditStatus.Pending
        ? describe(clockAt(submittedAt, submittedAt.getTime()))
        : { expectedTime: null, expectedDelay: null },
  };
}
