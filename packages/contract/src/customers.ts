import { z } from 'zod';
import { factorReset } from './account.ts';
import { ChargeType, ReviewPolicy, Role } from './enums.ts';
import { quietHours } from './quiet-hours.ts';
import { route } from './route.ts';
import { appId, count, instant, listOf, money, name, page, smsType, text, useState, uuid } from './shapes.ts';
import { linkReviewPolicies } from './short-links-values.ts';

const reviewPolicy = z.enum(ReviewPolicy);
const linkReview = z.enum(linkReviewPolicies);

/** A customer as staff see it in a list. */
const customer = z.object({
  customerId: uuid,
  customerName: z.string(),
  /** 0: suspended. */
  useState,
  balance: money,
  reserved: money,
  /** Since midnight in Manila. */
  today: z.object({ messages: count, delivered: count, spend: money }),
  reviewPolicy,
  /** Recipients above which `aboveCount` asks for a review. */
  reviewAbove: count.nullable(),
  createTime: instant,
  version: count,
});
export type CustomerItem = z.output<typeof customer>;

/** A limit on one customer's traffic; null in its scope: any. */
const customerLimit = z.object({
  thresholdId: uuid,
  kind: z.enum(['frequency', 'volume']),
  /** Those of the customer's own are its to change. */
  setBy: z.enum(['customer', 'staff']),
  appId: appId.nullable(),
  areaCode: z.string().nullable(),
  carrier: z.string().nullable(),
  smsType: smsType.nullable(),
  sameContentPer30s: count.nullable(),
  perMinute: count.nullable(),
  perHour: count.nullable(),
  perDay: count.nullable(),
  period: z.enum(['hour', 'day', 'month']).nullable(),
  unit: z.enum(['messages', 'segments', 'cost']).nullable(),
  /** In the unit; cost in 1/10,000 PHP. */
  limitAt: count.nullable(),
});
export type CustomerLimit = z.output<typeof customerLimit>;

const customerApplication = z.object({
  appId,
  appName: z.string(),
  useState,
  chargeType: z.enum(ChargeType),
  /** Segments a second. */
  tps: count,
  maxConnectNum: count,
  /** That it may send to. */
  countries: z.array(z.string()),
});
export type CustomerApplication = z.output<typeof customerApplication>;

const customerDetail = customer.extend({
  /** Send types whose templates need no review. */
  exemptSmsTypes: z.array(smsType),
  quietHoursExempt: z.boolean(),
  /** Texts that its software sends by SMPP must match an approved template. */
  templateRequired: z.boolean(),
  /** Which of its short links wait for a reviewer. */
  linkReview,
  quietHours,
  lowBalance: money,
  suspendTime: instant.nullable(),
  suspendReason: z.string().nullable(),
  users: z.array(
    z.object({
      userId: uuid,
      name: z.string(),
      account: z.string(),
      email: z.string(),
      role: z.enum(Role),
      useState,
      lastSignInTime: instant.nullable(),
      /** Has an authenticator app or a passkey. */
      hasTwoFactor: z.boolean(),
    }),
  ),
  applications: z.array(customerApplication),
  limits: z.array(customerLimit),
});
export type CustomerDetail = z.output<typeof customerDetail>;

const settings = {
  customerName: name(100),
  reviewPolicy,
  reviewAbove: z.number().int().min(1).max(10_000_000).nullable(),
  exemptSmsTypes: z.array(smsType).max(3),
  quietHoursExempt: z.boolean(),
  templateRequired: z.boolean(),
  linkReview,
  lowBalance: money.min(0).max(1e13),
};

const staff = [Role.Reviewer, Role.Operator, Role.Admin] as const;
const operators = [Role.Operator, Role.Admin] as const;
const admin = [Role.Admin] as const;
const params = z.object({ customerId: uuid });
const owner = {
  ownerEmail: z.string().trim().min(3).max(254),
  /** `email`: the link is sent there; `link`: it is returned only in this response. */
  invite: z.enum(['email', 'link']),
};
const ownerLink = { ownerLink: z.string().nullable(), ownerLinkExpireTime: instant };
const perPhone = z.number().int().min(1).max(100_000).nullable().default(null);
const scope = {
  appId: appId.nullable().default(null),
  areaCode: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable()
    .default(null),
  carrier: name(30).nullable().default(null),
  smsType: smsType.nullable().default(null),
};
/** ₱100,000,000: a larger amount is a typing error. */
const largest = 1e12;

export const customerRoutes = {
  'GET /customers': route({
    summary: 'Customers with their balance and their traffic of today',
    access: staff,
    csv: true,
    query: z.strictObject({
      ...page,
      search: z.string().trim().max(100).optional(),
      useState: z.enum(['0', '1']).optional(),
      reviewPolicy: reviewPolicy.optional(),
      sort: z.enum(['customerName', '-createTime']).default('customerName'),
    }),
    response: listOf(customer),
  }),
  'POST /customers': route({
    summary: 'Add a customer, whose first owner comes in by a link that works once',
    access: admin,
    status: 201,
    body: z.strictObject({
      customerName: settings.customerName,
      reviewPolicy: reviewPolicy.default(ReviewPolicy.FirstTask),
      ...owner,
    }),
    response: customerDetail.extend(ownerLink),
    errors: ['CUSTOMER_NAME_TAKEN', 'EMAIL_TAKEN'],
  }),
  'GET /customers/:customerId': route({ summary: 'One customer', access: staff, params, response: customerDetail }),
  'PATCH /customers/:customerId': route({
    summary: 'Change a customer: name, review policy, exemptions, warning of a low balance',
    access: admin,
    params,
    body: z
      .strictObject(settings)
      .partial()
      .extend({ version: z.number().int().min(1).max(2_147_483_647) }),
    response: customerDetail,
    errors: ['CUSTOMER_NAME_TAKEN', 'CONFLICT'],
  }),
  'POST /customers/:customerId/owners': route({
    summary: 'Invite an owner; a link that the address had before opens nothing any more',
    access: admin,
    params,
    status: 201,
    body: z.strictObject(owner),
    response: z.object(ownerLink),
    errors: ['EMAIL_TAKEN'],
  }),
  'POST /customers/:customerId/users/:userId/reset-two-factor': route({
    summary: "Take the lost second factors of a customer's user away, and end the user's sessions",
    access: operators,
    params: params.extend({ userId: uuid }),
    body: factorReset,
    answer: 'empty',
    status: 204,
    errors: ['TWO_FACTOR_OFF', 'REAUTHENTICATE', 'RATE_LIMITED'],
  }),
  'POST /customers/:customerId/suspend': route({
    summary: 'Suspend a customer: its sends stop, its people are signed out, its data stays',
    access: operators,
    params,
    body: z.strictObject({ reason: text(200).min(1) }),
    response: customerDetail,
    errors: ['CONFLICT'],
  }),
  'POST /customers/:customerId/resume': route({
    summary: 'Let a suspended customer send again; tasks that the suspension paused go on',
    access: operators,
    params,
    response: customerDetail,
    errors: ['CONFLICT'],
  }),
  'POST /customers/:customerId/ledger': route({
    summary: 'Top up a balance, or correct it; the header Idempotency-Key makes a repeated request act once',
    access: admin,
    params,
    status: 201,
    body: z.strictObject({
      kind: z.enum(['topUp', 'adjustment']).default('topUp'),
      /** 1/10,000 PHP; a correction may be negative. */
      amount: money.min(-largest).max(largest),
      note: text(200).default(''),
    }),
    response: z.object({ entryId: uuid, balance: money }),
    errors: ['IDEMPOTENCY_KEY_REUSED'],
  }),
  'PATCH /customers/:customerId/applications/:appId': route({
    summary: "An application's pace, connections, countries, and who pays when",
    access: admin,
    params: params.extend({ appId }),
    body: z
      .strictObject({
        chargeType: z.enum(ChargeType),
        tps: z.number().int().min(1).max(100_000),
        maxConnectNum: z.number().int().min(1).max(20),
        /** That it may send to: each must have a price. */
        countries: z
          .array(z.string().regex(/^[A-Z]{2}$/))
          .min(1)
          .max(250),
      })
      .partial(),
    response: customerApplication,
    errors: ['COUNTRY_WITHOUT_PRICE'],
  }),
  'POST /customers/:customerId/limits': route({
    summary: 'Limit what a customer sends, per phone or in all',
    access: admin,
    params,
    status: 201,
    body: z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('frequency'),
        ...scope,
        sameContentPer30s: perPhone,
        perMinute: perPhone,
        perHour: perPhone,
        perDay: perPhone,
      }),
      z.strictObject({
        kind: z.literal('volume'),
        ...scope,
        period: z.enum(['hour', 'day', 'month']),
        unit: z.enum(['messages', 'segments', 'cost']),
        limitAt: count.max(1e13),
      }),
    ]),
    response: customerLimit,
    errors: ['APP_NOT_FOUND'],
  }),
  'DELETE /customers/:customerId/limits/:thresholdId': route({
    summary: 'Lift a limit',
    access: admin,
    params: params.extend({ thresholdId: uuid }),
    answer: 'empty',
    status: 204,
  }),
  'POST /customers/:customerId/view': route({
    summary: "Look at a customer's screens as its viewer, for half an hour at most; nothing can be changed meanwhile",
    access: staff,
    params,
    status: 201,
    response: z.object({ customerId: uuid, customerName: z.string(), until: instant }),
    errors: ['VIEW_ONLY'],
  }),
  'DELETE /support-view': route({
    summary: "Leave a customer's screens",
    access: 'session',
    answer: 'empty',
    status: 204,
    errors: ['NOT_FOUND'],
  }),
};
