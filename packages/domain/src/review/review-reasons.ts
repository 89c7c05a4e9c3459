/** Which reasons of the catalogue fit what, and which place a finding of the rules suggests for a reason. */
import { ReviewReason } from '@pahatid/contract/enums';

const R = ReviewReason;
const ofText = [
  R.SenderUnnamed,
  R.LinkVariable,
  R.LinkUnsafe,
  R.UnsubscribeMissing,
  R.TypeMismatch,
  R.Prohibited,
  R.Misleading,
] as const;

/** In the order in which they are offered. */
export const reviewReasons: Readonly<Record<'template' | 'sender' | 'task' | 'link', readonly ReviewReason[]>> = {
  template: [...ofText, R.Other],
  sender: [R.NameUnproven, R.Misleading, R.Prohibited, R.Other],
  link: [R.LinkUnsafe, R.Misleading, R.Prohibited, R.Other],
  task: [...ofText, R.FileMismatch, R.Other],
};

const findingsOf: Partial<Record<ReviewReason, readonly string[]>> = {
  [R.LinkVariable]: ['LINK_HAS_VARIABLE'],
  [R.LinkUnsafe]: ['LINK_PRESENT', 'LINK_HAS_VARIABLE', 'LINK_WORD_BEFORE_VARIABLE'],
  [R.UnsubscribeMissing]: ['UNSUBSCRIBE_LINE_MISSING'],
  [R.TypeMismatch]: ['UNSUBSCRIBE_IN_NON_MARKETING'],
  [R.Prohibited]: ['PROHIBITED'],
};

/** Returns the most likely place of a reason: that of the first finding with the same meaning; null if none has. */
export function suggestSpan(
  reason: ReviewReason,
  findings: readonly { code: string; from: number; to: number }[],
): { from: number; to: number } | null {
  const found = findings.find(({ code, from, to }) => from < to && findingsOf[reason]?.includes(code));
  return found === undefined ? null : { from: found.from, to: found.to };
}

/** Whether a place lies in a text and holds something, cutting no character in two. */
export function isSpanOf(text: string, { from, to }: { from: number; to: number }): boolean {
  const cuts = (at: number): boolean =>
    /^[\uDC00-\uDFFF]/.test(text.slice(at)) && /[\uD800-\uDBFF]$/.test(text.slice(0, at));
  return from < to && to <= text.length && !cuts(from) && !cuts(to);
}
