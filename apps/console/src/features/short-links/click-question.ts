import type { LinkStatistics } from '@pahatid/contract';

/** Parameters of the figures in the address. */
export interface ClickView {
  link?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  unit?: string | undefined;
  by?: string | undefined;
  /** Owner of the links; for staff. */
  customerId?: string | undefined;
}
export const clickUnits = ['0', '1', '2'] as const;
type Unit = (typeof clickUnits)[number];

/** What the address asks the server for. Without a range: the last month, or by the minute the last day. */
export function questionOf({ link, from, to, unit: asked, customerId }: ClickView) {
  const unit: Unit = clickUnits.find((each) => each === asked) ?? '1';
  const range =
    from === undefined && to === undefined
      ? { preset: unit === '0' ? ('last24Hours' as const) : ('lastMonth' as const) }
      : { from, to };
  return { ...range, unit, linkId: link, customerId };
}

export type ClickQuestion = ReturnType<typeof questionOf>;
export type LinkPart = keyof LinkStatistics['parts'];

/** As many days before those that are shown; null: the steps are no days. */
export function daysBefore({ unit, times }: Pick<LinkStatistics, 'unit' | 'times'>) {
  const [first] = times;
  if (unit !== 1 || first === undefined) return null;
  const from = new Date(Date.parse(first) - times.length * dayMs).toISOString();
  return { from, to: first, unit: '1' as const };
}

const dayMs = 86_400_000;

/** The span of the bars from one to another; a day alone is looked at by the minute. */
export function spanOf(
  { unit, times, to }: Pick<LinkStatistics, 'unit' | 'times' | 'to'>,
  first: number,
  last: number,
): ClickView {
  const isDay = unit === 1 && first === last;
  return {
    from: times[first],
    to: times[last + 1] ?? to,
    ...(isDay && { unit: '0' }),
    ...(unit === 2 && { unit: '1' }),
  };
}
