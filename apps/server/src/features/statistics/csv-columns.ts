import {
  type StatisticsDimension,
  type StatisticsItem,
  type StatisticsMetric,
  statisticsMetrics,
  type TimeUnit,
} from '@pahatid/contract';
import type { CsvColumn } from '../../http/csv.ts';

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });

const metricHeads: Record<StatisticsMetric, Record<'zh-CN' | 'en-US', string>> = {
  reqTotalNum: head('请求总数', 'Requests'),
  reqSuccessNum: head('请求成功数', 'Requests accepted'),
  reqFailNum: head('请求失败数', 'Requests failed'),
  reqSuccessRate: head('请求成功率', 'Request success rate'),
  reqFailRate: head('请求失败率', 'Request failure rate'),
  receiptSuccessNum: head('回执成功数', 'Receipts delivered'),
  receiptFailNum: head('回执失败数', 'Receipts failed'),
  receiptUnknownNum: head('回执未知数', 'Receipts unknown'),
};

/** The beginning of a step as the zone's clock says it: `2026-03-10 14:30`, `2026-03-10`, `2026-03`. */
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
}

/** Columns of a report: what divides it, names beside ids, then the metrics. */
export function reportColumns(shape: ReportShape): CsvColumn<StatisticsItem>[] {
  const { unit, zone, names } = shape;
  const nameOf = (id: string | undefined): string => names[id ?? ''] ?? '';
  const divided: Record<StatisticsDimension, CsvColumn<StatisticsItem>[]> = {
    logDate: [
      {
        head: head(`日期（${zone}）`, `Date (${zone})`),
        value: (row) => (row.logDate === undefined ? '' : writeTime(row.logDate, unit, zone)),
      },
    ],
    appId: [
      { head: head('应用ID', 'Application ID'), value: (row) => row.appId },
      { head: head('应用名称', 'Application'), value: (row) => nameOf(row.appId) },
    ],
    areaCode: [{ head: head('国家/地区', 'Country'), value: (row) => row.areaCode }],
    carrier: [{ head: head('运营商', 'Carrier'), value: (row) => row.carrier }],
    clientSid: [{ head: head('Sender ID', 'Sender ID'), value: (row) => row.clientSid }],
    customerId: [
      { head: head('客户ID', 'Customer ID'), value: (row) => row.customerId },
      { head: head('客户', 'Customer'), value: (row) => nameOf(row.customerId) },
    ],
    routeId: [
      { head: head('路由ID', 'Route ID'), value: (row) => row.routeId },
      { head: head('路由', 'Route'), value: (row) => nameOf(row.routeId) },
    ],
  };
  return [
    ...shape.dimensions.flatMap((dimension) => divided[dimension]),
    ...(shape.metrics ?? statisticsMetrics).map((metric) => ({
      head: metricHeads[metric],
      value: (row: StatisticsItem) => row[metric],
    })),
  ];
}
