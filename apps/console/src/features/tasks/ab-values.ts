/** The A/B test of the form: up to four texts, the shares that they are tried on, and how the winner is found. */
import type { AbRule, CallInput, Task } from '@pahatid/contract';

export interface AbValues {
  /** Texts of B and the following; A is the task's own. */
  templateIds: readonly (string | null)[];
  /** Percent of the recipients, of A and the following. */
  shares: readonly number[];
  /** Minutes after the start, of A and the following. */
  delays: readonly number[];
  rule: AbRule;
  waitMinutes: number;
  /** Index of the variant sent if the difference is within chance; null: a person is asked. */
  fallback: number | null;
}

export const AB_VARIANTS = { least: 2, most: 4 } as const;
/** Percent: of one variant at least, and of all together at most. */
export const AB_SHARES = { least: 1, most: 99 } as const;
/** Panes of the strip; each is two percent. */
export const AB_PANES = 50;
export const AB_WAITS = [30, 60, 120, 240, 480, 720, 1_440, 2_880] as const;

export const newAbTest: AbValues = {
  templateIds: [null],
  shares: [10, 10],
  delays: [0, 0],
  rule: 'delivered',
  waitMinutes: 240,
  fallback: 0,
};

export const nameOfVariant = (index: number): string => String.fromCharCode(65 + index);

export const valuesOfAbTest = (test: Task['abTest']): AbValues | null =>
  test && {
    templateIds: test.variants.slice(1).map(({ templateId }) => templateId),
    shares: test.variants.map(({ share }) => share),
    delays: test.variants.map(({ delayMinutes }) => delayMinutes),
    rule: test.rule,
    waitMinutes: test.waitMinutes,
    fallback: test.fallback,
  };

type AbBody = NonNullable<NonNullable<CallInput<'PATCH /tasks/:taskId'>['body']>['abTest']>;

/** Null: there is none, or a text of it is not chosen yet. */
export function toAbBody(values: AbValues | null, templateId: string | null): AbBody | null {
  if (values === null) return null;
  const ids = [templateId, ...values.templateIds];
  const chosen = ids.filter((id): id is string => id !== null);
  if (chosen.length < ids.length) return null;
  return {
    variants: chosen.map((id, index) => ({
      templateId: id,
      share: values.shares[index] ?? AB_SHARES.least,
      delayMinutes: values.delays[index] ?? 0,
    })),
    rule: values.rule,
    waitMinutes: values.waitMinutes,
    fallback: values.fallback,
  };
}

export type AbProblem = 'abTemplate' | 'abSame';

export function findAbProblem(values: AbValues | null, templateId: string | null): AbProblem | null {
  if (values === null) return null;
  const ids = [templateId, ...values.templateIds];
  if (ids.slice(1).includes(null)) return 'abTemplate';
  const keys = ids.map((id, index) => `${id} ${values.delays[index] ?? 0}`);
  return new Set(keys).size < keys.length ? 'abSame' : null;
}

const sumOf = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0);

/** How large the share of a variant may become with the others as they are. */
export const mostShare = (shares: readonly number[], index: number): number =>
  AB_SHARES.most - (sumOf(shares) - (shares[index] ?? 0));

export const withShare = (values: AbValues, index: number, share: number): AbValues => {
  const most = mostShare(values.shares, index);
  const next = Math.min(most, Math.max(AB_SHARES.least, Math.round(share)));
  return { ...values, shares: values.shares.map((each, at) => (at === index ? next : each)) };
};

/** Takes its share of what is left for the winner. */
export const withVariant = (values: AbValues): AbValues => {
  const left = AB_SHARES.most - sumOf(values.shares);
  if (values.shares.length >= AB_VARIANTS.most || left < AB_SHARES.least) return values;
  return {
    ...values,
    templateIds: [...values.templateIds, null],
    shares: [...values.shares, Math.min(values.shares.at(-1) ?? 10, left)],
    delays: [...values.delays, 0],
  };
};

/** `index`: 1 is B. */
export const withoutVariant = (values: AbValues, index: number): AbValues => {
  const keep = <T>(items: readonly T[], at: number): T[] => items.filter((_, place) => place !== at);
  const { fallback } = values;
  return {
    ...values,
    templateIds: keep(values.templateIds, index - 1),
    shares: keep(values.shares, index),
    delays: keep(values.delays, index),
    fallback: fallback === null || fallback < index ? fallback : fallback === index ? 0 : fallback - 1,
  };
};

/** Of each variant its part of the recipients, and what is left, as the check will divide them. */
export function countParts(recipients: number, shares: readonly number[]): { parts: number[]; rest: number } {
  let percent = 0;
  let before = 0;
  const parts = shares.map((share) => {
    percent += share;
    const end = Math.round((recipients * percent) / 100);
    const part = end - before;
    before = end;
    return part;
  });
  return { parts, rest: recipients - before };
}

/** Variants of the panes; null: those that wait. A pane belongs to the variant in its middle. */
export const variantsOfPanes = (shares: readonly number[]): (number | null)[] =>
  Array.from({ length: AB_PANES }, (_, pane) => {
    const percent = ((pane + 0.5) * 100) / AB_PANES;
    let end = 0;
    const at = shares.findIndex((share) => {
      end += share;
      return percent < end;
    });
    return at === -1 ? null : at;
  });
