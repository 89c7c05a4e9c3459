import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { instant, listOf, name, uuid, yesNo } from './shapes.ts';
import { statisticsFilters } from './statistics.ts';
import { chartLimit, chartTypes, datePresets, statisticsDimensions, statisticsMetrics } from './statistics-values.ts';

const distinct = (list: readonly string[]): boolean => new Set(list).size === list.length;

const fields = {
  tabName: name(40),
  chartType: z.enum(chartTypes),
  selectedMetrics: z.array(z.enum(statisticsMetrics)).min(1).max(statisticsMetrics.length).refine(distinct),
  dimensions: z.array(z.enum(statisticsDimensions)).max(3).refine(distinct),
  filters: z.strictObject(statisticsFilters),
  /** A preset, or both ends of a range. */
  preset: z.enum(datePresets).nullable(),
  from: instant.nullable(),
  to: instant.nullable(),
  unit: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** With the period before alongside. */
  compare: yesNo,
};

const chart = z.object({ chartId: uuid, ...fields, isDefault: yesNo, version: z.number().int().min(1) });
export type Chart = z.output<typeof chart>;

const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const writers = [Role.Owner, Role.Member, Role.Reviewer, Role.Operator, Role.Admin] as const;
const params = z.object({ chartId: uuid });
const charts = listOf(chart);

/** A user's own charts, in the order of their tabs. */
export const chartRoutes = {
  'GET /charts': route({ summary: 'My charts, in the order of their tabs', access: readers, response: charts }),
  'POST /charts': route({
    summary: 'Add a chart as the last tab',
    access: writers,
    status: 201,
    body: z.strictObject({
      ...fields,
      dimensions: fields.dimensions.default(['logDate']),
      filters: fields.filters.default({}),
      /** Default the last 7 days, if no range is given either. */
      preset: fields.preset.optional(),
      from: fields.from.default(null),
      to: fields.to.default(null),
      unit: fields.unit.default(1),
      compare: fields.compare.default(0),
    }),
    response: chart,
    errors: ['CHART_LIMIT'],
  }),
  'PATCH /charts/:chartId': route({
    summary: 'Change a chart; of two changes at once the second is refused',
    access: writers,
    params,
    body: z.strictObject({
      ...z.object(fields).partial().shape,
      /** The one that was seen. */
      version: z.number().int().min(1).max(2_147_483_647),
    }),
    response: chart,
    errors: ['CONFLICT'],
  }),
  'POST /charts/:chartId/copy': route({
    summary: 'Copy a chart; the copy stands right after it',
    access: writers,
    params,
    status: 201,
    body: z.strictObject({ tabName: fields.tabName }),
    response: chart,
    errors: ['CHART_LIMIT'],
  }),
  'POST /charts/:chartId/default': route({
    summary: 'Open this chart first',
    access: writers,
    params,
    response: chart,
  }),
  'PUT /charts/order': route({
    summary: 'Put the tabs into this order',
    access: writers,
    body: z.strictObject({ chartIds: z.array(uuid).max(chartLimit).refine(distinct) }),
    response: charts,
    errors: ['CONFLICT'],
  }),
  'DELETE /charts/:chartId': route({ summary: 'Delete a chart', access: writers, params, answer: 'empty' }),
};
