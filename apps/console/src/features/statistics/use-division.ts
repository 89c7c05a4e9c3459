import type { Statistics } from '@pahatid/contract';
import { useMemo } from 'react';
import { regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { type ChartData, divide, mostSeries } from './series.ts';
import { type ChartView, shownDimensions } from './view.ts';

export interface Division {
  /** With the names of countries. */
  statistics: Statistics;
  data: ChartData;
  before: ChartData | null;
  /** With every group separate, for the table. */
  whole: ChartData;
  wholeBefore: ChartData | null;
}

/** Divides an answer into the groups of a view. */
export function useDivision(answer: Statistics, view: ChartView): Division {
  const { locale } = useTexts();
  const statistics = useMemo(() => nameRegions(answer, locale), [answer, locale]);
  const dimensions = shownDimensions(view);
  const by = dimensions.join();
  const isPie = view.chartType === 'pie';
  // biome-ignore lint/correctness/useExhaustiveDependencies: by stands for the dimensions.
  return useMemo(() => {
    // A pie has no comparison.
    const data = divide(statistics, dimensions, mostSeries, undefined, isPie ? null : statistics.before);
    const whole = divide(statistics, dimensions, Number.POSITIVE_INFINITY, undefined, statistics.before);
    return {
      statistics,
      data,
      before: statistics.before && divide(statistics.before, dimensions, mostSeries, data),
      whole,
      wholeBefore: statistics.before && divide(statistics.before, dimensions, Number.POSITIVE_INFINITY, whole),
    };
  }, [statistics, by, isPie]);
}

/** Countries are named in the user's language; the response has their codes. */
function nameRegions(statistics: Statistics, locale: string): Statistics {
  const codes = [...statistics.items, ...(statistics.before?.items ?? [])].flatMap(({ areaCode }) => areaCode ?? []);
  const regions = [...new Set(codes)].map((code) => [code, regionName(locale, code)]);
  return { ...statistics, names: { ...statistics.names, ...Object.fromEntries(regions) } };
}
