import { type Text, textNow } from './use-text.tsx';

/** A finding of the template rules at one place; the codes' texts are in `findings.json`. */
export interface Finding {
  code: string;
  severity: 'error' | 'warning';
  from: number;
  to: number;
  params?: Record<string, string | number> | undefined;
}

/** Returns a sentence about one finding; a code without a text is shown itself. */
export function findingText({ code, severity, params }: Finding, t: Text = textNow()): string {
  const flagged = severity === 'warning' ? t.maybe(`finding.${code}.flag`, params) : null;
  return flagged ?? t.maybe(`finding.${code}`, params) ?? code;
}

/** Positions of findings in their text, for marking. */
export const findingMarks = (findings: readonly Finding[]) =>
  findings.map(({ from, to, severity }) => ({ from, to, tone: severity === 'error' ? 'danger' : 'warning' }) as const);
