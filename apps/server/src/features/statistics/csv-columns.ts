import { reportMetrics, type StatisticsDimension, type StatisticsMetric, type TimeUnit } from '@pahatid/contract';
import type { CsvColumn } from '../../http/csv.ts';
import type { ReportRow } from './pair-periods.ts';

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });

/** The labels of the console's screen, so that a number has one name. */
const metricHeads: Record<StatisticsMetric, Record<'zh-CN' | 'en-US', string>> = {
  reqTotalNum: head('请求总数', 'Requests'),
  reqSuccessNum: head('请求成功数', 'Accepted'),
  reqFailNum: head('请求失败数', 'Refused'),
  reqSuccessRate: head('请求成功率', 'Acceptance rate'),
  reqFailRate: head('请求失败率', 'Refusal rate'),
  receiptSuccessNum: head('回执成功数', 'Delivered'),
  receiptFailNum: head('回执失败数', 'Undelivered'),
  receiptUnknownNum: head('回执未知数', 'No receipt'),
  receiptSuccessRate: head('回执成功率', 'Delivery rate'),
  receiptFailRate: head('回执失败率', 'Non-delivery rate'),
};

/** Formats the start of a step in the zone: `2026-03-10 14:30`, `2026-03-10`, `2026-03`. */
function writeTime(instant: string, unit: TimeUnit, zone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return parts.format(new Date(instant)).slice(0, { 0: 16, 1: 10, 2: 7 }[unit]);
}

export interface ReportShape {
  dimensions: readonly StatisticsDimension[];
  metrics: readonly StatisticsMetric[] | undefined;
  unit: TimeUnit;
  zone: string;
  names: Readonly<Record<string, string>>;
  /** With the period before alongside. */
  isCompared: boolean;
}

const others = head('其他', 'Others');
/** The sum of the smaller groups has no value of any dimension: it is named in the columns of the first. */
const nameOthers = (column: CsvColumn<ReportRow>): CsvColumn<ReportRow> => ({
  ...column,
  value: (row, lang) => (row.cell.isOthers ? others[lang] : column.value(row, lang)),
});

const inPeriodBefore = (of: Record<'zh-CN' | 'en-US', string>) =>
  head(`${of['zh-CN']}（上一周期）`, `${of['en-US']} (previous period)`);

/**
 * Columns of a report: its dimensions, names next to ids, then the metrics, each with its previous value if requested.
 */
export function reportColumns(shape: ReportShape): CsvColumn<ReportRow>[] {
  const { unit, zone, names, isCompared } = shape;
  const nameOf = (id: string | undefined): string => names[id ?? ''] ?? '';
  const dateHead = head(`日期（${zone}）`, `Date (${zone})`);
  const timeOf = (time: string | undefined): string => (time === undefined ? '' : writeTime(time, unit, zone));
  const divided: Record<StatisticsDimension, CsvColumn<ReportRow>[]> = {
    logDate: [
      { head: dateHead, value: ({ cell }) => timeOf(cell.logDate) },
      ...(isCompared
        ? [{ head: inPeriodBefore(dateHead), value: ({ before }: ReportRow) => timeOf(before?.logDate) }]
        : []),
    ],
    appId: [
      { head: head('应用ID', 'Application ID'), value: ({ cell }) => cell.appId },
      { head: head('应用名称', 'Application'), value: ({ cell }) => nameOf(cell.appId) },
    ],
    areaCode: [{ head: head('国家/地区', 'Country'), value: ({ cell }) => cell.areaCode }],
    carrier: [{ head: head('运营商', 'Carrier'), value: ({ cell }) => cell.carrier }],
    clientSid: [{ head: head('Sender ID', 'Sender ID'), value: ({ cell }) => cell.clientSid }],
    customerId: [
      { head: head('客户ID', 'Customer ID'), value: ({ cell }) => cell.customerId },
      { head: head('客户', 'Customer'), value: ({ cell }) => nameOf(cell.customerId) },
    ],
    routeId: [
      { head: head('路由ID', 'Route ID'), value: ({ cell }) => cell.routeId },
      { head: head('路由', 'Route'), value: ({ cell }) => nameOf(cell.routeId) },
    ],
  };
  const firstKey = shape.dimensions.find((dimension) => dimension !== 'logDate');
  return [
    ...shape.dimensions.flatMap((dimension) =>
      dimension === firstKey ? divided[dimension].map(nameOthers) : divided[dimension],
    ),
    ...(shape.metrics ?? reportMetrics).flatMap((metric) => [
      { head: metricHeads[metric], value: ({ cell }: ReportRow) => cell[metric] },
      ...(isCompared
        ? [{ head: inPeriodBefore(metricHeads[metric]), value: ({ before }: ReportRow) => before?.figures[metric] }]
        : []),
    ]),
  ];
}
