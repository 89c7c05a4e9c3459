/** Shapes that several features share. */
import { z } from 'zod';
import {
  AuditStatus,
  Carrier,
  ChargeType,
  ClientStatus,
  ReviewReason,
  SendStatus,
  SmsType,
  TaskStatus,
  UseState,
  YesNo,
} from './enums.ts';
import { regionCodes } from './regions.ts';

const numbers = <T extends Record<string, number>>(values: T) =>
  z.union(Object.values(values).map((value) => z.literal(value as T[keyof T])));

export const smsType = numbers(SmsType);
export const auditStatus = numbers(AuditStatus);
export const useState = numbers(UseState);
export const yesNo = numbers(YesNo);
export const taskStatus = numbers(TaskStatus);
export const sendStatus = numbers(SendStatus);
export const clientStatus = numbers(ClientStatus);
export const chargeType = z.enum(ChargeType);
export const carrier = z.enum(Carrier);
export const reviewReason = z.enum(ReviewReason);

/** Country or region: two capital letters that are given to one. */
export const areaCode = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .refine((code) => regionCodes.includes(code));

export const uuid = z.uuid();
/**
 * Instant in UTC, ISO 8601 with milliseconds and Z. Read with any offset that a clock on Earth has; year 0000 and
 * offsets of 16 hours or more are none to PostgreSQL.
 */
export const instant = z.iso
  .datetime({ offset: true })
  .refine((value) => !value.startsWith('0000') && /(?:Z|[+-](?:0\d|1[0-5]):\d\d)$/.test(value));
/** A day of the calendar, `2026-12-25`. */
export const day = z.iso.date().refine((value) => !value.startsWith('0000'));
/** Money: an integer of 1/10,000 PHP. */
export const money = z.number().int();
/** Message ids have at most 18 digits; text, because JSON numbers lose digits past 2^53. */
export const messageId = z.string().regex(/^\d{1,18}$/);
export const appId = z.string().regex(/^[A-Za-z0-9_-]{3,15}$/);
/** A name that software gives a message. */
export const clientRef = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^\P{Cc}*$/u);
export const messageTag = z.string().regex(/^[A-Za-z0-9_.:-]{1,32}$/);
export const count = z.number().int().nonnegative();

/**
 * Counts the saves of an object that several users edit. A change sends back the version it was made from; if another
 * user saved since, it is refused with VERSION_CONFLICT. A change without one overwrites whatever is stored.
 */
export const version = z.number().int().min(1).max(2_147_483_647);

/** A place in a text: UTF-16 offsets. */
export const span = z.strictObject({ from: count, to: count });
export type Span = z.output<typeof span>;

/** Why a decision may be expected later than two hours after something was submitted. */
export const reviewDelay = z.object({
  /** No reviews at that time of the day. */
  closed: z.boolean(),
  /** Upcoming public holidays; `nameZh` is empty if there is none. */
  holidays: z.array(z.object({ day, name: z.string(), nameZh: z.string() })),
});
export type ReviewDelay = z.output<typeof reviewDelay>;

/** A name typed by a person: trimmed, no control characters, and something of it can be seen. */
export const name = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^$|^(?=\P{Cc}*[\p{L}\p{N}\p{P}\p{S}])\P{Cc}*$/u);
/** An optional line of a form: left empty it counts as not given. */
export const optionalLine = (max: number) => z.union([z.literal(''), name(max)]).optional();

/** Opens one call of a public form, and the work that makes it count. */
export const workTicket = z.object({
  ticket: z.string(),
  /** Proof of work: a text whose SHA-256, after `prefix`, begins with so many zero bits. */
  prefix: z.string(),
  bits: z.int(),
  /** Minimum milliseconds to fill in the form: no person is faster. */
  waitMs: z.int(),
});

/** A language, as sent by browsers: `en-US`, `fil-PH`. */
export const languageTag = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/);
/** Free text typed by a person; line breaks and tabs allowed. */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[^\p{Cc}]*(?:[\n\r\t][^\p{Cc}]*)*$/u);

/** A number of the query string: digits. */
export const numeric = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value), schema);

/** Reads one query value or a comma-separated list of numbers from a closed set. */
export const numberList = <T extends Record<string, number>>(values: T) =>
  z
    .string()
    .regex(/^\d{1,2}(,\d{1,2}){0,15}$/)
    .transform((list) => list.split(',').map(Number))
    .refine((list) => list.every((value) => Object.values(values).includes(value)))
    .transform((list) => list as T[keyof T][]);

/** Rows of a list chosen by their ids, joined by commas: at most a page of them. */
export const idList = (id: z.ZodType<string, string>) =>
  z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(id).min(1).max(200));

/** The customer of a list, for staff; a customer's own users always see their own. */
export const ofCustomer = { customerId: uuid.optional() };

/** Paging of every list: a page of at most 200, and the cursor returned by the previous page. */
export const page = {
  limit: numeric(z.number().int().min(1).max(200)).default(20),
  cursor: z.string().max(400).optional(),
};

export const listOf = <S extends z.ZodType>(item: S) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable(), total: count.optional() });

export type ListOf<T> = { items: T[]; nextCursor: string | null; total?: number | undefined };
/** Software sees test data with a test key, and gives none of it to others. */
export const testMode = {
  test: z.enum(['1']).optional().describe('For people of customers: what was sent with test keys, and nothing else.'),
};
