/**
 * The rules of reviews as staff have them now: prohibited words, and when a decision may be expected. Read from the
 * database at most every ten seconds, so that a change acts within ten seconds and typing costs no query.
 */
import { AuditStatus } from '@pahatid/contract';
import { listHolidays, listProhibitedTerms } from '@pahatid/db';
import { type CompiledLexicon, compileLexicon, defaultLexicon, expectedReviewBy } from '@pahatid/domain';
import type { Pool } from 'pg';

const freshForMs = 10_000;

export interface ReviewRules {
  readonly lexicon: CompiledLexicon;
  /** When a decision may be expected of what was submitted then. */
  expectedBy(submittedAt: Date): string;
  /** The same for what is pending, null for what is decided. */
  expectedTime(auditStatus: AuditStatus, submittedAt: Date): string | null;
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

async function read(pool: Pool): Promise<ReviewRules> {
  const [terms, holidays] = await Promise.all([listProhibitedTerms(pool), listHolidays(pool)]);
  // An installation whose table was never filled is not one that allows everything.
  const lexicon = compileLexicon(terms.length === 0 ? defaultLexicon : terms);
  const days = new Set(holidays);
  const expectedBy = (submittedAt: Date): string =>
    new Date(expectedReviewBy(submittedAt.getTime(), days)).toISOString();
  return {
    lexicon,
    expectedBy,
    expectedTime: (auditStatus, submittedAt) => (auditStatus === AuditStatus.Pending ? expectedBy(submittedAt) : null),
  };
}
