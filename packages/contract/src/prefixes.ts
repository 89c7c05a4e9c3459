import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { count, instant, listOf, name, page } from './shapes.ts';

/** Leading digits of a number with its country's calling code, as in 63917. */
const digits = z.string().regex(/^[1-9]\d{0,14}$/);
const areaCode = z.string().regex(/^[A-Z]{2}$/);

/**
 * The first holder of a number range; a number may have been ported since. Numbers in unknown ranges are still sent.
 */
const prefix = z.object({
  prefix: z.string(),
  areaCode: z.string(),
  carrier: z.string(),
  version: count,
  updateTime: instant,
});
export type PrefixItem = z.output<typeof prefix>;

const params = z.object({ prefix: digits });
const version = z.number().int().min(1);
const staff = [Role.Operator, Role.Admin] as const;

export const prefixRoutes = {
  'GET /prefixes': route({
    summary: 'Ranges of numbers and who held them first',
    access: staff,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['prefix', '-prefix']).default('prefix'),
      /** Digits of a range, or of a number: those it may lie in. */
      search: z.string().trim().max(30).optional(),
      carrier: z.string().trim().max(30).optional(),
    }),
    response: listOf(prefix),
  }),
  'GET /prefixes/:prefix': route({ summary: 'One range', access: staff, params, response: prefix }),
  'POST /prefixes': route({
    summary: 'Add a range; messages accepted from now on follow it',
    access: staff,
    status: 201,
    body: z.strictObject({ prefix: digits, areaCode: areaCode.default('PH'), carrier: name(30) }),
    response: prefix,
    errors: ['PREFIX_TAKEN'],
  }),
  'PATCH /prefixes/:prefix': route({
    summary: 'Change who held a range',
    access: staff,
    params,
    body: z.strictObject({ carrier: name(30), areaCode: areaCode.optional(), version }),
    response: prefix,
    errors: ['CONFLICT'],
  }),
  'DELETE /prefixes/:prefix': route({
    summary: 'Remove a range: its numbers are sent by the default route',
    access: staff,
    params,
    answer: 'empty',
    status: 204,
  }),
};
