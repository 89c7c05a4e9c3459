/** Range of the figures; stored in the address as `?range=`. */
export const overviewRanges = ['today', '7days', 'month'] as const;
export type OverviewRange = (typeof overviewRanges)[number];

/** Parses the address; any unknown value is today. */
export const readRange = (value: string | undefined): OverviewRange =>
  overviewRanges.find((range) => range === value) ?? 'today';
