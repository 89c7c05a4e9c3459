import { z } from 'zod';
import { balanceForecast } from './billing.ts';
import { Role } from './enums.ts';
import { thresholdAlertFacts } from './notices.ts';
import { quietHours } from './quiet-hours.ts';
import { route } from './route.ts';
import { auditStatus, count, instant, money, ofCustomer, uuid } from './shapes.ts';
import { runningFields, task, taskProgress } from './tasks.ts';

const figures = z.object({
  messages: count,
  segments: count,
  accepted: count,
  /** By carriers; `blocked`: handed over to no carrier. */
  refused: count,
  blocked: count,
  delivered: count,
  undelivered: count,
  unknown: count,
  spend: money,
});

/** Of a range. */
const outcomes = { messages: count, accepted: count, delivered: count };

const waiting = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('templateRejected'), id: uuid, title: z.string(), note: z.string().nullable() }),
  z.object({ kind: z.literal('senderRejected'), id: uuid, title: z.string(), note: z.string().nullable() }),
  z.object({ kind: z.literal('taskReady'), id: uuid, title: z.string(), recipients: count, cost: money.nullable() }),
  z.object({ kind: z.literal('taskDraft'), id: uuid, title: z.string(), time: instant }),
  z.object({ kind: z.literal('taskFailed'), id: uuid, title: z.string(), reason: z.string().nullable() }),
  z.object({ kind: z.literal('taskRejected'), id: uuid, title: z.string(), note: z.string().nullable() }),
  z.object({ kind: z.literal('lowBalance'), available: money }),
  z.object({
    kind: z.literal('threshold'),
    id: uuid,
    time: instant,
    ...thresholdAlertFacts,
    of: z.enum(['volume', 'quality', 'pumping']),
    event: z.enum(['alert', 'limit', 'slow', 'pause']),
  }),
  z.object({
    kind: z.literal('review'),
    id: uuid,
    title: z.string(),
    of: z.enum(['template', 'sender', 'task', 'link']),
    operator: z.string(),
    auditStatus,
    time: instant,
  }),
]);
export type Waiting = z.output<typeof waiting>;

const overview = z.object({
  from: instant,
  to: instant,
  figures,
  /** The period before, its figures up to the same moment of it, and its messages slot by slot, to its end. */
  before: z.object({ from: instant, to: instant, figures, messages: z.array(count) }),
  /** A customer's; null: its marketing is sent at any hour. Of the staff's, those of the law. */
  quietHours: quietHours.nullable(),
  balance: money.nullable(),
  reserved: money.nullable(),
  /** A customer's. */
  forecast: balanceForecast.nullable(),
  /**
   * Messages by hour (today) or by day, in the viewer's zone. Awaiting is a receipt; what no carrier has answered yet is
   * in `messages` alone.
   */
  trend: z.array(
    z.object({
      time: instant,
      delivered: count,
      awaiting: count,
      failed: count,
      messages: count,
      segments: count,
      accepted: count,
      /** By carriers. */
      refused: count,
      spend: money,
    }),
  ),
  /** Tasks that started today, the first 50; of one customer, and of today's range alone. */
  starts: z.array(z.object({ taskId: uuid, taskName: z.string(), time: instant })),
  running: z.array(task.extend({ rate: taskProgress.shape.rate })),
  waiting: z.array(waiting),
  /** First-run steps of a customer; empty once all are done. */
  steps: z.array(
    z.object({ step: z.enum(['application', 'template', 'approved', 'sender', 'task']), done: z.boolean() }),
  ),
  /** Staff only: the busiest of the range. The current state of the system is `GET /traffic`. */
  staff: z
    .object({
      customers: z.array(z.object({ customerId: uuid, operator: z.string(), ...outcomes })),
      carriers: z.array(z.object({ carrier: z.string().nullable(), ...outcomes })),
      routes: z.array(z.object({ routeId: uuid, routeName: z.string(), supplierAccount: z.string(), ...outcomes })),
    })
    .nullable(),
});
export type Overview = z.output<typeof overview>;

/** Of each at most this many are counted. */
export const mostWaiting = 100;

const waitingCounts = z.object({
  /** A customer's: tasks to confirm, and rejected templates and sender IDs. */
  tasks: count,
  templates: count,
  senders: count,
  /** A customer's: conversations with replies that are not read. */
  conversations: count,
  /** The staff's: submissions to review, and requests that need a second person. */
  reviews: count,
  approvals: count,
  /** Confirmed requests for an account, for those that may decide. */
  accountRequests: count,
  /** The staff's: dossiers of sender IDs to check and send to a carrier. */
  dossiers: count,
  /** Tasks that are sending and not paused, the newest five. */
  running: z.array(task.pick({ ...runningFields, taskName: true })),
});
export type WaitingCounts = z.output<typeof waitingCounts>;

export const overviewRoutes = {
  'GET /overview/waiting': route({
    summary: 'What waits for me, counted for the menu, and what is sending now',
    access: 'session',
    response: waitingCounts,
  }),
  'GET /overview': route({
    summary: 'First screen: figures, trend, running tasks, what waits for me',
    access: [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const,
    byCustomer: true,
    query: z.strictObject({
      ...ofCustomer,
      range: z.enum(['today', '7days', 'month']).default('today'),
      zone: z.string().max(60).default('Asia/Manila'),
    }),
    response: overview,
  }),
};
