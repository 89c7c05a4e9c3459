/** Closed sets of statistics and charts, separate from the schemas so that a console that lists them ships none. */
import { Carrier, ClientStatus, SendStatus, type ValueOf } from './enums.ts';

/** The eight metrics of specification §3: the columns of a report that names none. */
export const reportMetrics = [
  'reqTotalNum',
  'reqSuccessNum',
  'reqFailNum',
  'reqSuccessRate',
  'reqFailRate',
  'receiptSuccessNum',
  'receiptFailNum',
  'receiptUnknownNum',
] as const;
/** With the two shares of accepted messages by their receipts. */
export const statisticsMetrics = [...reportMetrics, 'receiptSuccessRate', 'receiptFailRate'] as const;
export type StatisticsMetric = (typeof statisticsMetrics)[number];

/** States of a message's record. */
interface RecordStates {
  sendStatus?: readonly SendStatus[];
  clientStatus?: readonly ClientStatus[];
}

const isAccepted = { sendStatus: [SendStatus.Successful] };
const isRefused = { sendStatus: [SendStatus.Failed] };
const isDelivered = { ...isAccepted, clientStatus: [ClientStatus.Delivered] };
const isUndelivered = {
  ...isAccepted,
  clientStatus: [ClientStatus.Undelivered, ClientStatus.Expired, ClientStatus.Rejected],
};

/**
 * The records that a metric counts; for a rate, those of its numerator. A receipt counts only for messages accepted by
 * a carrier: refused messages have a failure state as well, and no receipt.
 */
export const recordsOfMetric: Readonly<Record<StatisticsMetric, RecordStates>> = {
  reqTotalNum: {},
  reqSuccessNum: isAccepted,
  reqFailNum: isRefused,
  reqSuccessRate: isAccepted,
  reqFailRate: { ...isRefused, clientStatus: [ClientStatus.Rejected] },
  receiptSuccessNum: isDelivered,
  receiptFailNum: isUndelivered,
  receiptUnknownNum: { ...isAccepted, clientStatus: [ClientStatus.Unknown] },
  receiptSuccessRate: isDelivered,
  receiptFailRate: isUndelivered,
};

/** Carriers to narrow by; `unknown`: none was known. */
export const carrierFilters = [...Object.values(Carrier), 'unknown'] as const;

/** The dimensions of specification §3. */
export const statisticsDimensions = [
  'logDate',
  'appId',
  'areaCode',
  'carrier',
  'clientSid',
  'customerId',
  'routeId',
] as const;
export type StatisticsDimension = (typeof statisticsDimensions)[number];
/** What only the provider's staff may divide and narrow by. */
export const staffDimensions: readonly StatisticsDimension[] = ['customerId', 'routeId'];

/** Statistics time unit, specification §4. */
export const TimeUnit = { Minute: 0, Day: 1, Month: 2 } as const;
export type TimeUnit = ValueOf<typeof TimeUnit>;
/** How far one question may reach: hours by minute, days by day, months by month. */
export const rangeLimits = { [TimeUnit.Minute]: 24, [TimeUnit.Day]: 400, [TimeUnit.Month]: 36 } as const;

/** Date presets of specification §9, and one that suits minutes. All end now; days begin at the zone's midnight. */
export const datePresets = ['last24Hours', 'last7Days', 'last14Days', 'lastMonth', 'last3Months'] as const;
export type DatePreset = (typeof datePresets)[number];

/** Maximum cells in one response. */
export const statisticsRowLimit = 20_000;

export const chartTypes = ['line', 'bar', 'pie'] as const;
export type ChartType = (typeof chartTypes)[number];

/** Charts that one user may keep. */
export const chartLimit = 30;
