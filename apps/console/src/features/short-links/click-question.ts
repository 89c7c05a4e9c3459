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
