import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { count, instant, listOf, money, name, page, smsType, useState, uuid } from './shapes.ts';
import { routingWarning } from './suppliers.ts';

/** ISO 3166 alpha-2. */
const areaCode = z.string().regex(/^[A-Z]{2}$/);

/** Which supplier takes which messages. */
const routeRule = z.object({
  routeId: uuid,
  routeName: z.string(),
  areaCode: z.string(),
  /** null: any carrier. */
  carrier: z.string().nullable(),
  /** null: any send type. */
  smsType: smsType.nullable(),
  supplierId: uuid,
  supplierAccount: z.string(),
  /** The highest wins. */
  priority: z.number().int(),
  /** Equals share by it. */
  weight: count,
  useState,
  version: count,
  createTime: instant,
  updateTime: instant,
});
export type RouteRuleItem = z.output<typeof routeRule>;

/** Price of a segment; the most particular one counts. */
const price = z.object({
  priceId: uuid,
  areaCode: z.string(),
  carrier: z.string().nullable(),
  smsType: smsType.nullable(),
  /** null: every customer. */
  customerId: uuid.nullable(),
  operator: z.string().nullable(),
  price: money,
  version: count,
});
export type PriceItem = z.output<typeof price>;

/** A past, current or planned price. */
const priceChange = price.omit({ priceId: true, version: true, price: true }).extend({
  changeId: uuid,
  /** null: the price ended, and the next more general one counts. */
  price: money.nullable(),
  effectiveTime: instant,
  /** Whether its time is still to come; such a one can be withdrawn. */
  planned: z.boolean(),
  /** The user that made it. */
  account: z.string().nullable(),
  createTime: instant,
});
export type PriceChange = z.output<typeof priceChange>;

const toDestination = { areaCode: z.string(), carrier: z.string().nullable(), smsTypes: z.array(z.number().int()) };

/** A current problem with message routing. */
const routingNotice = z.discriminatedUnion('code', [
  /** Messages there are refused. */
  z.object({ code: z.literal('NO_ROUTE'), ...toDestination }),
  /** Every supplier that could take them fails: they wait. */
  z.object({ code: z.literal('ALL_WAYS_DOWN'), ...toDestination }),
  /** Nothing gets through to this supplier since then (null: it is only just down). */
  z.object({
    code: z.literal('SUPPLIER_DOWN'),
    supplierId: uuid,
    supplierAccount: z.string(),
    since: instant.nullable(),
    lastError: z.string().nullable(),
  }),
  /** The price of none of the rows: the default counts. */
  z.object({ code: z.literal('PRICE_MISSING'), ...toDestination }),
]);
export type RoutingNotice = z.output<typeof routingNotice>;

const fields = {
  routeName: name(50),
  areaCode,
  carrier: name(30).nullable(),
  smsType: smsType.nullable(),
  supplierId: uuid,
  priority: z.number().int().min(-1_000).max(1_000),
  weight: z.number().int().min(1).max(1_000),
};
const version = z.number().int().min(1);
const staff = [Role.Operator, Role.Admin] as const;
const changed = routeRule.extend({ warnings: z.array(routingWarning) });
const params = z.object({ routeId: uuid });
const priceParams = z.object({ priceId: uuid });
/** ₱1,000 a segment: more is a slip of the hand. */
const amount = money.min(0).max(10_000_000);

export const routingRoutes = {
  'GET /routes': route({
    summary: 'Routes, the highest priority first',
    access: staff,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-priority', 'priority']).default('-priority'),
      search: z.string().trim().max(100).optional(),
      supplierId: uuid.optional(),
      carrier: z.string().trim().max(30).optional(),
      useState: z.enum(['0', '1']).optional(),
    }),
    response: listOf(routeRule),
  }),
  'POST /routes': route({
    summary: 'Add a route',
    access: staff,
    status: 201,
    body: z.strictObject({
      routeName: fields.routeName,
      areaCode: fields.areaCode.default('PH'),
      carrier: fields.carrier.default(null),
      smsType: fields.smsType.default(null),
      supplierId: fields.supplierId,
      priority: fields.priority.default(0),
      weight: fields.weight.default(1),
    }),
    response: changed,
    errors: ['ROUTE_NAME_TAKEN', 'SUPPLIER_NOT_FOUND'],
  }),
  'GET /routes/:routeId': route({ summary: 'One route', access: staff, params, response: routeRule }),
  'PATCH /routes/:routeId': route({
    summary: 'Edit a route: new messages follow it at once, accepted ones stay where they are',
    access: staff,
    params,
    body: z.strictObject(fields).partial().extend({ version }),
    response: changed,
    errors: ['ROUTE_NAME_TAKEN', 'SUPPLIER_NOT_FOUND', 'CONFLICT'],
  }),
  'POST /routes/:routeId/enable': route({
    summary: 'Enable a route',
    access: staff,
    params,
    response: changed,
    errors: ['CONFLICT'],
  }),
  'POST /routes/:routeId/disable': route({
    summary: 'Disable a route: new messages take others',
    access: staff,
    params,
    response: changed,
    errors: ['CONFLICT'],
  }),
  'DELETE /routes/:routeId': route({
    summary: 'Remove a route; what went over it keeps its record',
    access: staff,
    params,
    response: changed,
    errors: ['CONFLICT'],
  }),
  'GET /routes/notices': route({
    summary: 'What is wrong with the way messages go now: no route, no bind, no price',
    access: staff,
    response: z.object({ items: z.array(routingNotice) }),
  }),
  'GET /prices': route({
    summary: 'Prices by country, carrier, send type and customer',
    access: staff,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['priceId', '-priceId']).default('priceId'),
      customerId: uuid.optional(),
      carrier: z.string().trim().max(30).optional(),
    }),
    response: listOf(price),
  }),
  'GET /prices/:priceId': route({ summary: 'One price', access: staff, params: priceParams, response: price }),
  'POST /prices': route({
    summary: 'Add a price; tasks that are confirmed keep theirs',
    access: staff,
    status: 201,
    body: z.strictObject({
      areaCode: areaCode.default('PH'),
      carrier: fields.carrier.default(null),
      smsType: fields.smsType.default(null),
      customerId: uuid.nullable().default(null),
      price: amount,
    }),
    response: price,
    errors: ['PRICE_TAKEN', 'CUSTOMER_NOT_FOUND'],
  }),
  'PATCH /prices/:priceId': route({
    summary: 'Change a price',
    access: staff,
    params: priceParams,
    body: z.strictObject({ price: amount, version }),
    response: price,
    errors: ['CONFLICT'],
  }),
  'DELETE /prices/:priceId': route({
    summary: 'Remove a price: the next more general one counts',
    access: staff,
    params: priceParams,
    answer: 'empty',
    status: 204,
    errors: ['CONFLICT'],
  }),
  'GET /price-changes': route({
    summary: 'What prices were and will be, the newest first',
    access: staff,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-effectiveTime', 'effectiveTime']).default('-effectiveTime'),
      planned: z.enum(['0', '1']).optional(),
      /** Prices that are this customer's alone. */
      customerId: uuid.optional(),
      carrier: z.string().trim().max(30).optional(),
      areaCode: areaCode.optional(),
      smsType: z.enum(['1', '2', '3']).optional(),
    }),
    response: listOf(priceChange),
  }),
  'POST /price-changes': route({
    summary: 'Plan a price: it counts from its time on',
    access: staff,
    status: 201,
    body: z.strictObject({
      areaCode: areaCode.default('PH'),
      carrier: fields.carrier.default(null),
      smsType: fields.smsType.default(null),
      customerId: uuid.nullable().default(null),
      price: amount,
      effectiveTime: instant,
    }),
    response: priceChange,
    errors: ['PRICE_TAKEN', 'CUSTOMER_NOT_FOUND'],
  }),
  'DELETE /price-changes/:changeId': route({
    summary: 'Withdraw a planned price; one that came into force stays in the history',
    access: staff,
    params: z.object({ changeId: uuid }),
    answer: 'empty',
    status: 204,
  }),
};
