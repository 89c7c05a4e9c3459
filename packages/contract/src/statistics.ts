import { z } from 'zod';
import { Role, type ValueOf } from './enums.ts';
import { route } from './route.ts';
import { appId, count, instant, uuid } from './shapes.ts';

/** The eight metrics of specification §3. */
export const statisticsMetrics = [
  'reqTotalNum',
  'reqSuccessNum',
  'reqFailNum',
  'reqSuccessRate',
  'reqFailRate',
  'receiptSuccessNum',
  'receiptFailNum',
  'receiptUnknownNum',
] as const;
export type StatisticsMetric = (typeof statisticsMetrics)[number];

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

/** Cells that one answer holds at most. */
export const statisticsRowLimit = 20_000;

const wordList = <const T extends readonly string[]>(values: T) =>
  z
    .string()
    .max(200)
    .transform((list) => (list === '' ? [] : list.split(',')))
    .refine((list) => list.every((value) => values.includes(value)) && new Set(list).size === list.length)
    .transform((list) => list as T[number][]);

/** What narrows figures; a customer's are its own whatever is asked. */
export const statisticsFilters = {
  appId: appId.optional(),
  areaCode: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  carrier: z.enum(['Globe', 'Smart', 'DITO', 'unknown']).optional(),
  clientSid: z.string().trim().min(1).max(20).optional(),
  customerId: uuid.optional(),
  routeId: uuid.optional(),
};

/**
 * `reqTotalNum = reqSuccessNum + reqFailNum + reqInFlightNum`, and
 * `reqSuccessNum = receiptSuccessNum + receiptFailNum + receiptUnknownNum + receiptAwaitedNum`.
 */
const figures = {
  reqTotalNum: count,
  reqSuccessNum: count,
  reqFailNum: count,
  reqInFlightNum: z.number().int(),
  /** Shares of all requests, 0 to 1; null where there is none. */
  reqSuccessRate: z.number().nullable(),
  reqFailRate: z.number().nullable(),
  receiptSuccessNum: count,
  receiptFailNum: count,
  receiptUnknownNum: count,
  receiptAwaitedNum: z.number().int(),
};
const statisticsTotals = z.object(figures);
export type StatisticsFigures = z.output<typeof statisticsTotals>;

/** One cell; of the dimensions only those that were asked for. */
const statisticsItem = z.object({
  /** Beginning of the minute, day or month in the zone. */
  logDate: instant.optional(),
  appId: z.string().optional(),
  areaCode: z.string().optional(),
  /** null: no carrier was known. */
  carrier: z.string().nullable().optional(),
  clientSid: z.string().optional(),
  customerId: uuid.optional(),
  routeId: uuid.optional(),
  ...figures,
});
export type StatisticsItem = z.output<typeof statisticsItem>;

const period = {
  from: instant,
  to: instant,
  /** Every minute, day or month of the range, those without a message too. */
  times: z.array(instant),
  totals: statisticsTotals,
  items: z.array(statisticsItem),
};

export const statistics = z.object({
  ...period,
  zone: z.string(),
  unit: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** Names of the applications, customers and routes that the cells bear ids of. */
  names: z.record(z.string(), z.string()),
  /** The period before, as long as this one; null unless asked for. */
  before: z.object(period).nullable(),
});
export type Statistics = z.output<typeof statistics>;

export const statisticsRoutes = {
  'GET /statistics': route({
    summary: 'Figures of messages by time, application, country, carrier and sender ID',
    access: [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const,
    csv: true,
    query: z.strictObject({
      /** Columns of the csv, in this order; the answer holds all. */
      metrics: wordList(statisticsMetrics).optional(),
      dimensions: wordList(statisticsDimensions).default(['logDate']),
      ...statisticsFilters,
      /** In place of `from` and `to`; the last 7 days unless either is told. */
      preset: z.enum(datePresets).optional(),
      from: instant.optional(),
      /** Now unless told. */
      to: instant.optional(),
      unit: z
        .enum(['0', '1', '2'])
        .default('1')
        .transform((unit) => Number(unit) as TimeUnit),
      /** The viewer's own unless told. */
      zone: z.string().max(60).optional(),
      compare: z.enum(['0', '1']).default('0'),
    }),
    response: statistics,
    errors: ['RANGE_TOO_LONG', 'STATISTICS_TOO_WIDE'],
  }),
};
