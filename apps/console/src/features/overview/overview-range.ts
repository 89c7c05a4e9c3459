/** What the figures cover; kept in the address as `?range=`. */
export const overviewRanges = ['today', '7days', 'month'] as const;
export type OverviewRange = (typeof overviewRanges)[number];

/** Whatever stands in the address; anything unknown is today. */
export const readRange = (value: string | undefined): OverviewRange =>
  overviewRanges.find((range) => range === value) ?? 'today';
