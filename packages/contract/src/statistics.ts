import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { appId, count, instant, testMode, uuid } from './shapes.ts';
import {
  carrierFilters,
  datePresets,
  statisticsDimensions,
  statisticsMetrics,
  type TimeUnit,
} from './statistics-values.ts';

const wordList = <const T extends readonly string[]>(values: T) =>
  z
    .string()
    .max(200)
    .transform((list) => (list === '' ? [] : list.split(',')))
    .refine((list) => list.every((value) => values.includes(value)) && new Set(list).size === list.length)
    .transform((list) => list as T[number][]);

/** Filters of figures; a customer's figures are always its own. */
export const statisticsFilters = {
  appId: appId.optional(),
  areaCode: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  carrier: z.enum(carrierFilters).optional(),
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
  /** Of `reqFailNum`, the requests that were handed over to no carrier: blocked or terminated. */
  reqBlockedNum: count,
  /** Shares of what carriers answered (`reqSuccessNum + reqFailNum - reqBlockedNum`), 0 to 1; null if that is nothing. */
  reqSuccessRate: z.number().nullable(),
  reqFailRate: z.number().nullable(),
  receiptSuccessNum: count,
  receiptFailNum: count,
  receiptUnknownNum: count,
  receiptAwaitedNum: z.number().int(),
  /** Shares of `reqSuccessNum`, 0 to 1; null if that is nothing. */
  receiptSuccessRate: z.number().nullable(),
  receiptFailRate: z.number().nullable(),
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
  /** Sum of all groups except the largest; has no value of a dimension but its time. */
  isOthers: z.literal(true).optional(),
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

const statistics = z.object({
  ...period,
  zone: z.string(),
  unit: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /**
   * True if only the end of a preset by minute is returned: its last 24 hours, or the last 12, 6, 3 or 1 where those
   * have no more than 20,000 cells.
   */
  isShortened: z.boolean(),
  /**
   * How many groups are returned separately, all others as one item with `isOthers`; null if all are. Only a preset
   * that has too many cells otherwise is grouped.
   */
  largestGroups: z.number().int().nullable(),
  /** Names of the applications, customers and routes whose ids are in the cells. */
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
      /** Columns of the CSV, in this order; the response contains all. */
      metrics: wordList(statisticsMetrics).optional(),
      dimensions: wordList(statisticsDimensions).default(['logDate']),
      ...statisticsFilters,
      ...testMode,
      /** In place of `from` and `to`; the last 7 days by default. By minute, its last 24 hours. */
      preset: z.enum(datePresets).optional(),
      from: instant.optional(),
      /** Defaults to now. */
      to: instant.optional(),
      unit: z
        .enum(['0', '1', '2'])
        .default('1')
        .transform((unit) => Number(unit) as TimeUnit),
      /** Default: the viewer's own. */
      zone: z.string().max(60).optional(),
      compare: z.enum(['0', '1']).default('0'),
    }),
    response: statistics,
    errors: ['RANGE_TOO_LONG', 'STATISTICS_TOO_WIDE'],
  }),
};
