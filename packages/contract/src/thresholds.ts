/**
 * Rules of a customer's own: what volumes may reach, how well messages must arrive, how often one phone may be written
 * to, and what is done about signs of SMS pumping.
 */
import { z } from 'zod';
import { webhooksLimit } from './callbacks-values.ts';
import { customerRoles, Role, staffRoles } from './enums.ts';
import { pumpingFacts, thresholdEventKind, thresholdKind } from './notices.ts';
import { route } from './route.ts';
import {
  appId,
  areaCode,
  carrier,
  count,
  instant,
  listOf,
  ofCustomer,
  page,
  smsType,
  useState,
  uuid,
  version,
} from './shapes.ts';

export const ThresholdKind = thresholdKind.enum;
export type ThresholdKind = z.output<typeof thresholdKind>;

const emails = z.array(z.string().trim().toLowerCase().min(3).max(254)).max(5);
const phones = z.array(z.string().trim().min(5).max(30));

const webhooks = z.array(z.string().trim().min(1).max(2048)).max(webhooksLimit);

const perPhone = z.number().int().min(1).max(100_000).nullable();
/** Messages, segments or 1/10,000 PHP. */
const amount = z.number().int().min(1).max(1e13);

const fields = {
  /** Of the scope, null: any. */
  appId: appId.nullable(),
  areaCode: areaCode.nullable(),
  carrier: carrier.nullable(),
  smsType: smsType.nullable(),
  useState,
  /** Notified in addition to the owners, who choose their own settings. */
  emails,
  mobileNumbers: phones.max(5),
  /** Each is a separate endpoint, notified once it has passed a test. */
  webhooks,
  /** Contacts are not notified again within this time. */
  silenceMinutes: z.number().int().min(0).max(10_080),
  /** Of the Manila calendar. */
  period: z.enum(['hour', 'day', 'month']),
  unit: z.enum(['messages', 'segments', 'cost']),
  /** Users are notified at this amount; null: they are not. */
  alertAt: amount.nullable(),
  /** Nothing more is accepted; null: it only alerts. */
  limitAt: amount.or(z.literal(0)).nullable(),
  metric: z.enum(['delivered', 'failed', 'unknown', 'delay']),
  /** Rates in 1/100 %, the delay in seconds. The delivered rate fires below it, the others above. */
  bound: z.number().int().min(1).max(86_400),
  windowMinutes: z.number().int().min(5).max(1_440),
  /** With fewer messages in the window, no alert is sent. */
  minVolume: z.number().int().min(1).max(1_000_000),
  /** Messages younger than this are excluded: their receipts are still pending. */
  graceSeconds: z.number().int().min(0).max(86_400),
  /** `pauseApplication` of quality needs an application in the scope; `slow` is of pumping alone. */
  act: z.enum(['alert', 'slow', 'pauseTasks', 'pauseApplication']),
  /** Of pumping: how many times the usual number is unusual. */
  factor: z.number().int().min(2).max(100),
  /** Of pumping: messages per minute that an application that is slowed may send by API. */
  slowTo: z.number().int().min(1).max(100_000),
  sameContentPer30s: perPhone,
  perMinute: perPhone,
  perHour: perPhone,
  perDay: perPhone,
  /** Phones that it does not hold for. */
  exempt: phones.max(100),
};

const common = {
  appId: fields.appId.default(null),
  areaCode: fields.areaCode.default(null),
  carrier: fields.carrier.default(null),
  smsType: fields.smsType.default(null),
  useState: fields.useState.default(1),
  emails: fields.emails.default([]),
  mobileNumbers: fields.mobileNumbers.default([]),
  webhooks: fields.webhooks.default([]),
  silenceMinutes: fields.silenceMinutes.default(60),
};

/** The rule against pumping that every customer has from the beginning. */
export const pumpingDefaults = { minVolume: 100, factor: 5, act: 'alert', slowTo: 30 } as const;

/** A rule as it is written. */
export const thresholdInput = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal(ThresholdKind.volume),
    ...common,
    period: fields.period,
    unit: fields.unit,
    alertAt: fields.alertAt.default(null),
    limitAt: fields.limitAt.default(null),
  }),
  z.strictObject({
    kind: z.literal(ThresholdKind.quality),
    ...common,
    metric: fields.metric,
    bound: fields.bound,
    windowMinutes: fields.windowMinutes,
    minVolume: fields.minVolume.default(100),
    graceSeconds: fields.graceSeconds.default(300),
    act: fields.act.exclude(['slow']).default('alert'),
  }),
  z.strictObject({
    kind: z.literal(ThresholdKind.pumping),
    ...common,
    // Each application is compared with its own past as a whole.
    areaCode: z.null().default(null),
    carrier: z.null().default(null),
    smsType: z.null().default(null),
    minVolume: fields.minVolume.default(pumpingDefaults.minVolume),
    factor: fields.factor.default(pumpingDefaults.factor),
    act: fields.act.exclude(['pauseTasks']).default(pumpingDefaults.act),
    slowTo: fields.slowTo.default(pumpingDefaults.slowTo),
  }),
  z.strictObject({
    kind: z.literal(ThresholdKind.frequency),
    ...common,
    sameContentPer30s: fields.sameContentPer30s.default(null),
    perMinute: fields.perMinute.default(null),
    perHour: fields.perHour.default(null),
    perDay: fields.perDay.default(null),
    exempt: fields.exempt.default([]),
  }),
]);
export type ThresholdInput = z.output<typeof thresholdInput>;

const thresholdEvent = z.object({
  eventId: uuid,
  time: instant,
  event: thresholdEventKind,
  /** In the unit of the rule. */
  value: z.number().nullable(),
  bound: z.number().nullable(),
  /** Messages that the value was taken of; tasks that were paused or let go. */
  amount: count.nullable(),
  /** Whether its contacts were notified, i.e. the silence time was over. */
  notified: z.boolean(),
  /** The user that resumed it. */
  userName: z.string().nullable(),
  /** Of pumping: the application, and what was unusual about its traffic. */
  pumping: pumpingFacts.nullable(),
});
export type ThresholdEvent = z.output<typeof thresholdEvent>;

const threshold = z.object({
  thresholdId: uuid,
  kind: z.enum(ThresholdKind),
  /** Those of the staff's are not the customer's to change. */
  setBy: z.enum(['customer', 'staff']),
  useState,
  appId: appId.nullable(),
  areaCode: z.string().nullable(),
  carrier: z.string().nullable(),
  smsType: smsType.nullable(),
  period: z.enum(['hour', 'day', 'month']).nullable(),
  unit: z.enum(['messages', 'segments', 'cost']).nullable(),
  alertAt: count.nullable(),
  limitAt: count.nullable(),
  metric: z.enum(['delivered', 'failed', 'unknown', 'delay']).nullable(),
  bound: count.nullable(),
  windowMinutes: count.nullable(),
  minVolume: count.nullable(),
  graceSeconds: count.nullable(),
  act: fields.act.nullable(),
  factor: count.nullable(),
  slowTo: count.nullable(),
  sameContentPer30s: count.nullable(),
  perMinute: count.nullable(),
  perHour: count.nullable(),
  perDay: count.nullable(),
  exempt: z.array(z.string()),
  emails: z.array(z.string()),
  mobileNumbers: z.array(z.string()),
  webhooks: z.array(z.string()),
  silenceMinutes: count,
  version,
  createTime: instant,
  updateTime: instant,
  /**
   * Current state. Volume: the amount used in the current period; quality: the last measurement, null if there was too
   * little to measure; frequency: messages blocked since midnight in Manila; pumping: applications with an alarm.
   */
  state: z.object({
    value: z.number().nullable(),
    /** Messages that a quality was measured of. */
    volume: count.nullable(),
    /** Of a volume. */
    periodEnd: instant.nullable(),
    /** At or past its alert, its limit or its bound. */
    stage: z.enum(['ok', 'alert', 'limit', 'idle']),
    /** What the rule currently holds. */
    pausedTasks: count,
    pausedApplication: z.boolean(),
    slowedApplication: z.boolean(),
  }),
  lastEvent: thresholdEvent.nullable(),
  /** Customer's name; staff only. */
  operator: z.string().optional(),
});
export type Threshold = z.output<typeof threshold>;

/** How often a rule would have fired over the last 7 days. */
const thresholdForecast = z.object({
  /** Hours, days or months that were looked at; of the other kinds days. */
  periods: count,
  alerts: count,
  /** Periods that would have reached the limit; messages that would have been blocked. */
  limits: count,
  /** The highest value (for the delivered rate, the lowest), null if there was too little traffic. */
  peak: z.number().nullable(),
  peakTime: instant.nullable(),
  /** Messages looked at. */
  messages: count,
  /** There were more: only the newest were looked at. */
  partial: z.boolean(),
});
export type ThresholdForecast = z.output<typeof thresholdForecast>;

const owner = [Role.Owner] as const;
const readers = [...customerRoles, ...staffRoles] as const;
const params = z.strictObject({ thresholdId: uuid });

export const thresholdRoutes = {
  'GET /thresholds': route({
    summary: 'Rules of volume, quality, frequency and pumping, newest first, each as it stands',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-createTime', 'createTime']).default('-createTime'),
      ...ofCustomer,
      kind: z.enum(ThresholdKind).optional(),
      useState: z.enum(['0', '1']).optional(),
      appId: appId.optional(),
    }),
    response: listOf(threshold),
    errors: ['CURSOR_INVALID'],
  }),
  'POST /thresholds': route({
    summary: 'Add a rule; it holds at once',
    access: owner,
    status: 201,
    body: thresholdInput,
    response: threshold,
    errors: ['APP_NOT_FOUND', 'THRESHOLD_LIMIT', 'CALLBACK_URL_INVALID'],
  }),
  'POST /thresholds/forecast': route({
    summary: 'How often a rule would have fired over the last 7 days',
    access: customerRoles,
    body: thresholdInput,
    response: thresholdForecast,
    errors: ['APP_NOT_FOUND'],
  }),
  'GET /thresholds/:thresholdId': route({ summary: 'One rule', access: readers, params, response: threshold }),
  'PATCH /thresholds/:thresholdId': route({
    summary: 'Change a rule; what is left out stays, and what its kind does not have may not be named',
    access: owner,
    params,
    body: z.strictObject({ ...fields, version }).partial(),
    response: threshold,
    errors: ['APP_NOT_FOUND', 'THRESHOLD_SET_BY_STAFF', 'CALLBACK_URL_INVALID', 'VERSION_CONFLICT'],
  }),
  'DELETE /thresholds/:thresholdId': route({
    summary: 'Remove a rule and its history; what it held goes on',
    access: owner,
    params,
    answer: 'empty',
    status: 204,
    errors: ['THRESHOLD_SET_BY_STAFF'],
  }),
  'GET /thresholds/:thresholdId/events': route({
    summary: 'What a rule did, newest first',
    access: readers,
    params,
    csv: true,
    query: z.strictObject({ ...page, sort: z.enum(['-time', 'time']).default('-time') }),
    response: listOf(thresholdEvent),
    errors: ['CURSOR_INVALID'],
  }),
  'POST /thresholds/:thresholdId/resume': route({
    summary: 'Let go on what a rule paused or slowed',
    access: owner,
    params,
    response: threshold,
    errors: ['THRESHOLD_HOLDS_NOTHING'],
  }),
};
