import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { count, instant, uuid } from './shapes.ts';
import { supplierBreaker } from './suppliers.ts';

const rate = {
  /** Messages that carriers answered a second, over the last ten seconds. */
  perSecond: z.number().nonnegative(),
  /** Messages that carriers answered in the last minute. */
  perMinute: count,
  /** Of those, refused. */
  refused: count,
  /** Receipts in the last minute. */
  receipts: count,
};

const about = {
  severity: z.enum(['danger', 'warning']),
  /** Start of this condition; null if unknown. */
  since: instant.nullable(),
};
const ofSupplier = { ...about, supplierId: uuid, supplierAccount: z.string() };
/** Settings of PostgreSQL by their names. */
const databaseRisk = z.enum([
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'standby',
  'failover',
  'clock',
  'archive',
  'disk',
]);
export type DatabaseRiskKind = z.output<typeof databaseRisk>;
const reasonOfBind = z.string().nullable();

/**
 * A condition that needs the attention of staff. Derived from data that is stored anyway, and removed when it no longer
 * holds.
 */
const alert = z.discriminatedUnion('kind', [
  /** No sender process has reported, so nothing is sent. */
  z.object({ ...about, kind: z.literal('noSender') }),
  /** The database may lose what it commits, or not commit at all. */
  z.object({ ...about, kind: z.literal('databaseRisk'), risk: databaseRisk, stopsSending: z.boolean() }),
  /** No bind to an account: its messages take other routes or wait. */
  z.object({ ...ofSupplier, kind: z.literal('supplierDown'), lastError: reasonOfBind }),
  /** Binds are up and the account answers badly: its messages take other routes or wait, and some probe it. */
  z.object({ ...ofSupplier, kind: z.literal('supplierSuspended'), breaker: supplierBreaker }),
  z.object({ ...ofSupplier, kind: z.literal('bindsLost'), bound: count, wanted: count, lastError: reasonOfBind }),
  /** Since: the instant at which the oldest message could have been sent. */
  z.object({ ...about, kind: z.literal('queueOld'), lane: z.number().int().min(1).max(3), messages: count }),
  /** Since: the last receipt. `accepted`: messages that the carrier took since then, long enough ago for a receipt. */
  z.object({ ...ofSupplier, kind: z.literal('receiptsStalled'), accepted: count }),
  /** Receipts whose IDs match no known message. */
  z.object({ ...ofSupplier, kind: z.literal('receiptsUnmatched'), count }),
  /** Results, receipts and texts of the last seven days that no table could hold. Since: the first of them. */
  z.object({ ...ofSupplier, kind: z.literal('eventsSetAside'), count }),
  /** Texts of phones in the last 24 hours to an address that no customer owns. Since: the first of them. */
  z.object({ ...about, kind: z.literal('repliesUnowned'), count }),
  /** Codes by SMS are not sent: too few of them are used, or too many are asked for. */
  z.object({
    ...about,
    kind: z.literal('codesStopped'),
    why: z.enum(['unused', 'range', 'day']),
    /** For `range`: first digits of the numbers, at most five. */
    prefixes: z.array(z.string()),
  }),
  /** Sign-ins of many accounts failed within an hour. `network` null: from many networks. Since: when it was found. */
  z.object({ ...about, kind: z.literal('passwordSpraying'), network: z.string().nullable(), accounts: count }),
  /** A user, or software, opened very many phone numbers within an hour. */
  z.object({ ...about, kind: z.literal('bulkLookUps'), actor: z.string(), numbers: count }),
  /** A user, or software, exported far more in 24 hours than on any day before. */
  z.object({ ...about, kind: z.literal('unusualExports'), actor: z.string(), rows: count, files: count }),
  /** An owner signed in from a network or a country from which it did not before. */
  z.object({
    ...about,
    kind: z.literal('ownerSignIn'),
    actor: z.string(),
    network: z.string(),
    /** Of ISO 3166; null: no proxy named it. */
    country: z.string().nullable(),
    isNewCountry: z.boolean(),
  }),
  z.object({ ...about, kind: z.literal('jobFailing'), job: z.string(), failures: count }),
  /** Since: when the first of them was due. */
  z.object({ ...about, kind: z.literal('reviewsLate'), count }),
  /** Since: when counters were last compared with what they count. */
  z.object({ ...about, kind: z.literal('figuresDiffer'), count, checks: z.array(z.string()) }),
]);
export type Alert = z.output<typeof alert>;

const traffic = z.object({
  time: instant,
  alerts: z.array(alert),
  now: z.object(rate),
  /** The last half hour, the minute that passes now as the last. */
  minutes: z.array(z.object({ time: instant, received: count, accepted: count, refused: count, receipts: count })),
  /** Customers and routes with current traffic, busiest first. */
  customers: z.array(z.object({ customerId: uuid, operator: z.string(), ...rate })),
  carriers: z.array(z.object({ carrier: z.string().nullable(), ...rate })),
  routes: z.array(z.object({ routeId: uuid, routeName: z.string(), supplierAccount: z.string(), ...rate })),
  queues: z.array(
    z.object({
      lane: count,
      batches: count,
      messages: count,
      /** Of those, paused or in quiet hours. */
      held: count,
      /** Since when the oldest waits that could be sent now. */
      oldest: instant.nullable(),
      /** Older than what waits in this lane should be. */
      isOld: z.boolean(),
    }),
  ),
  binds: z.array(
    z.object({
      supplierId: uuid,
      supplierAccount: z.string(),
      carrier: z.string().nullable(),
      bound: count,
      wanted: count,
      lastError: reasonOfBind,
      /** submit_sm in the last second, and how many may be. */
      rate: count,
      tps: count,
    }),
  ),
});
export type Traffic = z.output<typeof traffic>;

export const trafficRoutes = {
  'GET /traffic': route({
    summary: 'How the system runs now: rates, queues, binds, and what staff are to look at',
    access: [Role.Reviewer, Role.Operator, Role.Admin] as const,
    response: traffic,
  }),
};
