import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { count, instant, listOf, money, page, smsType, uuid } from './shapes.ts';

const readers = [Role.Owner, Role.Operator, Role.Admin] as const;

/** Day of the zone, `2026-03-31`. */
const day = z.iso.date();
const zone = z.string().max(60).default('Asia/Manila');
/** Month in Manila, `2026-03`. */
const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/);
/** Required for staff; a customer's users see their own. */
const customerId = uuid.optional();

const ledgerKind = z.enum(['topUp', 'charge', 'adjustment']);

/** One entry of the ledger: money that came or went, never changed afterwards. */
const ledgerEntry = z.object({
  entryId: uuid,
  time: instant,
  kind: ledgerKind,
  /** 1/10,000 PHP; negative for charges. */
  amount: money,
  segments: z.number().int(),
  appId: z.string().nullable(),
  taskId: uuid.nullable(),
  taskName: z.string().nullable(),
  /** The user that entered it, for manual entries. */
  account: z.string().nullable(),
  note: z.string().nullable(),
  customerId: uuid,
  /** Name of the customer; staff only. */
  operator: z.string().nullable().optional(),
});
export type LedgerEntry = z.output<typeof ledgerEntry>;

/** What the entries of a day, a kind and a task come to. */
const ledgerDay = z.object({
  /** Of the asked zone. */
  day,
  /** Corrections of charges by the program are charges. */
  kind: ledgerKind,
  customerId: uuid,
  /** Name of the customer; staff only. */
  operator: z.string().nullable().optional(),
  /** null: of no task. */
  taskId: uuid.nullable(),
  taskName: z.string().nullable(),
  entryCount: count,
  segments: z.number().int(),
  /** 1/10,000 PHP; negative for charges. */
  amount: money,
});
export type LedgerDay = z.output<typeof ledgerDay>;

/** Of all kinds of entries in a span. */
const ledgerSums = z.object({ charged: money, segments: z.number().int(), toppedUp: money, adjusted: money });

/** What is spent a day, by the last seven whole days, and for how many days the available balance lasts at that pace. */
export const balanceForecast = z.object({ perDay: money, days: count.nullable() });
export type BalanceForecast = z.output<typeof balanceForecast>;

const billing = z.object({
  customerId: uuid,
  customerName: z.string(),
  /** Sum of the ledger, 1/10,000 PHP. */
  balance: money,
  /** Held for confirmed messages that are not yet charged. */
  reserved: money,
  lowBalance: money,
  chargedToday: money,
  chargedThisMonth: money,
  toppedUpThisMonth: money,
  forecast: balanceForecast,
});
export type Billing = z.output<typeof billing>;

const charges = z.object({
  items: z.array(
    z.object({
      /** Day, appId or taskId; null: by no task. */
      key: z.string().nullable(),
      name: z.string().nullable(),
      charged: money,
      segments: z.number().int(),
    }),
  ),
  charged: money,
  segments: z.number().int(),
  /** Sum of the rows beyond those listed; null if all are listed. */
  rest: z.object({ count, charged: money, segments: z.number().int() }).nullable(),
});
export type Charges = z.output<typeof charges>;

/** Months of invoices are those in Manila for every reader, so that a number has one content. */
export const invoiceZone = 'Asia/Manila';
const invoiceNumber = z.string();
const invoiceItem = z.object({
  month,
  number: invoiceNumber,
  /** false: the month is not over. */
  isFinal: z.boolean(),
  charged: money,
  segments: z.number().int(),
});
const invoice = z.object({
  ...invoiceItem.shape,
  customerId: uuid,
  customerName: z.string(),
  zone: z.string(),
  /** First and last day. */
  from: day,
  to: day,
  /** 1/10,000 PHP, before the first and after the last entry of the month. */
  opening: money,
  closing: money,
  toppedUp: money,
  /** Entered by staff, not a correction of charges. */
  adjusted: money,
  charges: z.array(
    z.object({
      appId: z.string().nullable(),
      appName: z.string().nullable(),
      /** null: a charge or a correction that names none. */
      smsType: smsType.nullable(),
      carrier: z.string().nullable(),
      /** Of a segment, 1/10,000 PHP; null: of several, or a correction. */
      price: money.nullable(),
      segments: z.number().int(),
      amount: money,
    }),
  ),
  entries: z.array(
    z.object({ time: instant, kind: z.enum(['topUp', 'adjustment']), note: z.string().nullable(), amount: money }),
  ),
});
export type Invoice = z.output<typeof invoice>;

export const billingRoutes = {
  'GET /billing': route({
    summary: 'Balance, reserved amount, and what was charged today and this month',
    access: readers,
    query: z.strictObject({ customerId, zone }),
    response: billing,
  }),
  'GET /billing/charges': route({
    summary: 'Charges by day, application or task; up to 366 days',
    access: readers,
    query: z.strictObject({
      customerId,
      zone,
      by: z.enum(['day', 'application', 'task']).default('day'),
      from: day,
      to: day,
    }),
    response: charges,
  }),
  'GET /billing/ledger': route({
    summary: 'Entries of the ledger, newest first; over all customers for admins who name none',
    access: readers,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-time', 'time']).default('-time'),
      customerId,
      kind: ledgerKind.optional(),
      /** `none`: of no task. Requires `from`. */
      taskId: uuid.or(z.literal('none')).optional(),
      from: instant.optional(),
      to: instant.optional(),
    }),
    response: listOf(ledgerEntry),
  }),
  'GET /billing/days': route({
    summary: 'The ledger by day and task, newest first; over all customers for admins who name none',
    access: readers,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-day', 'day']).default('-day'),
      customerId,
      zone,
      kind: ledgerKind.optional(),
      from: instant.optional(),
      to: instant.optional(),
    }),
    /** `sums`: of the span, of one customer. */
    response: listOf(ledgerDay).extend({ sums: ledgerSums.nullable() }),
  }),
  'GET /billing/statement': route({
    summary: "One month's statement: opening balance, sums by day, application and task, closing balance",
    access: readers,
    answer: 'csv',
    query: z.strictObject({ customerId, zone, month }),
  }),
  'GET /billing/invoices': route({
    summary: 'Months with an invoice, newest first; those whose ledger is kept, sixty at most',
    access: readers,
    query: z.strictObject({ customerId }),
    response: z.object({ items: z.array(invoiceItem) }),
  }),
  'GET /billing/invoice': route({
    summary:
      "One month's invoice: charges by application, SMS type, carrier and price, top-ups, and the balance before and after",
    access: readers,
    query: z.strictObject({ customerId, month }),
    response: invoice,
  }),
};
