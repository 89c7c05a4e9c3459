/** A tab's view: a stored chart, overridden by changes in the address. */
import {
  type Chart,
  chartTypes,
  datePresets,
  type StatisticsDimension,
  type StatisticsMetric,
  statisticsDimensions,
  statisticsMetrics,
  TimeUnit,
} from '@pahatid/contract';

export type ChartView = Omit<Chart, 'chartId' | 'tabName' | 'isDefault' | 'version'>;

/** Dimensions that a chart keeps, at most. */
export const mostDimensions = 3;

/** If there is no chart yet. */
export const firstView: ChartView = {
  chartType: 'line',
  selectedMetrics: ['reqTotalNum', 'reqSuccessNum', 'receiptSuccessNum'],
  dimensions: ['logDate'],
  filters: {},
  preset: 'last14Days',
  from: null,
  to: null,
  unit: TimeUnit.Day,
  compare: 0,
};

/** Tabs that everybody has. */
export const readyTabs = ['delivery', 'volume', 'failures'] as const;
export type ReadyTab = (typeof readyTabs)[number];

const readyView = (chartType: ChartView['chartType'], metrics: StatisticsMetric[], by?: StatisticsDimension) => ({
  ...firstView,
  chartType,
  selectedMetrics: metrics,
  dimensions: ['logDate' as const, ...(by ? [by] : [])],
});
export const readyViews: Readonly<Record<ReadyTab, ChartView>> = {
  delivery: readyView('line', ['receiptSuccessRate'], 'carrier'),
  volume: readyView('bar', ['reqTotalNum'], 'appId'),
  failures: readyView('line', ['receiptFailRate', 'reqFailRate']),
};

export const filterNames = ['appId', 'areaCode', 'carrier', 'clientSid', 'customerId', 'routeId', 'test'] as const;
export type FilterName = Exclude<(typeof filterNames)[number], 'test'>;

/** Keys of the address that change the view; `none` takes a stored filter away. */
export const viewKeys = ['type', 'metrics', 'by', 'preset', 'from', 'to', 'unit', 'compare', ...filterNames] as const;
export type ViewAddress = Partial<Record<(typeof viewKeys)[number], string | undefined>>;
export const noFilter = 'none';

const listIn = <T extends string>(all: readonly T[], text: string | undefined): T[] | undefined => {
  if (text === undefined) return undefined;
  const asked = text.split(',');
  return all.filter((each) => asked.includes(each)).toSorted((a, b) => asked.indexOf(a) - asked.indexOf(b));
};

/** Applies the address to the stored view; invalid values leave the stored ones. */
export function applyAddress(stored: ChartView, address: ViewAddress): ChartView {
  const type = chartTypes.find((each) => each === address.type);
  const preset = datePresets.find((each) => each === address.preset);
  const metrics = listIn(statisticsMetrics, address.metrics);
  const filters: Record<string, string> = {};
  for (const name of filterNames) {
    const value = address[name] ?? (stored.filters as typeof filters)[name];
    if (value !== undefined && value !== noFilter) filters[name] = value;
  }
  const range = preset === undefined ? readRange(address) : undefined;
  return {
    chartType: type ?? stored.chartType,
    selectedMetrics: metrics === undefined || metrics.length === 0 ? stored.selectedMetrics : metrics,
    dimensions: listIn<StatisticsDimension>(statisticsDimensions, address.by) ?? stored.dimensions,
    filters,
    preset: range ? null : (preset ?? stored.preset),
    from: range ? range.from : preset === undefined ? stored.from : null,
    to: range ? range.to : preset === undefined ? stored.to : null,
    unit: ['0', '1', '2'].includes(address.unit ?? '') ? (Number(address.unit) as TimeUnit) : stored.unit,
    compare: address.compare === undefined ? stored.compare : address.compare === '1' ? 1 : 0,
  };
}

/** An invalid range, or one that ends before it begins, is treated like any other invalid value of the address. */
function readRange({ from, to = new Date().toISOString() }: ViewAddress): { from: string; to: string } | undefined {
  const start = Date.parse(from ?? '');
  const end = Date.parse(to);
  if (!(start < end)) return undefined;
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString() };
}

/** A pie has no course of time; what else divides stays. */
export const shownDimensions = (view: ChartView): StatisticsDimension[] =>
  view.chartType === 'pie' ? view.dimensions.filter((each) => each !== 'logDate') : view.dimensions;

export const isOutcome = (metric: StatisticsMetric): boolean => outcomes.includes(metric);

/** Parts of all requests, of which none counts what another does. */
const outcomes: readonly StatisticsMetric[] = [
  'receiptSuccessNum',
  'receiptFailNum',
  'receiptUnknownNum',
  'reqFailNum',
];

/**
 * Returns the metrics to draw. A pie has one whole: a count that groups share, or, undivided, the results of the
 * requests, whichever were chosen. A rate cannot be divided.
 */
export function drawnMetrics(view: ChartView, hasGroups: boolean): readonly StatisticsMetric[] {
  if (view.chartType !== 'pie') return view.selectedMetrics;
  if (hasGroups) return [view.selectedMetrics.find((metric) => !isRate(metric)) ?? 'reqTotalNum'];
  const chosen = outcomes.filter((metric) => view.selectedMetrics.includes(metric));
  return chosen.length > 1 ? chosen : outcomes;
}

/** The question to the server. */
export const questionOf = (view: ChartView, zone: string) => ({
  dimensions: shownDimensions(view).join(','),
  ...view.filters,
  ...(view.preset === null ? { from: view.from ?? undefined, to: view.to ?? undefined } : { preset: view.preset }),
  unit: String(view.unit) as '0' | '1' | '2',
  compare: view.compare === 1 ? ('1' as const) : ('0' as const),
  zone,
});

export const isRate = (metric: StatisticsMetric): boolean => metric.endsWith('Rate');
