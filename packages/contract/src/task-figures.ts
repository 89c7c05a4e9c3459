/** Estimates for a task before it is sent, and its results afterwards, by carrier and by reason. */
import { z } from 'zod';
import { Role } from './enums.ts';
import { quietHours } from './quiet-hours.ts';
import { route } from './route.ts';
import { count, instant, money, uuid } from './shapes.ts';

const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const writers = [Role.Owner, Role.Member] as const;
const params = z.object({ taskId: uuid });

/** How fast it would go now. */
const taskSpeed = z.object({
  /** Messages handed over in a second. */
  perSecond: z.number().positive(),
  /**
   * `measured`: the speed of the customer's latest large task, if slower than what the carriers accept. `limit`: what
   * the carriers accept per second, shared with the other running tasks.
   */
  basis: z.enum(['measured', 'limit']),
  /** Of `measured`: the task it was measured on. */
  taskName: z.string().nullable(),
  measuredTime: instant.nullable(),
  /** Tasks and customers that share these carriers at this moment. */
  othersCount: count,
});
export type TaskSpeed = z.output<typeof taskSpeed>;

const taskEstimate = z.object({
  /** Valid rows of the file. */
  rowCount: count,
  /** Rows read: all of them, or for a large file an even sample from which the rest is estimated. */
  readCount: count,
  recipients: count,
  optedOutCount: count,
  /** Left out of marketing because their consent is not in force. */
  noConsentCount: count,
  /** Left out with their carriers. */
  leftOutCount: count,
  /** Rows that the template refuses. */
  droppedCount: count,
  /** Of one message; zeros without recipients. */
  segmentsMin: count,
  segmentsMax: count,
  segmentsAverage: z.number(),
  segments: count,
  cost: money,
  /** Row of the longest message among the valid ones, counted from 0; null if unknown. */
  longestRow: count.nullable(),
  carriers: z.array(
    z.object({
      areaCode: z.string(),
      /** Original holder of the number range; null if unknown. */
      carrier: z.string().nullable(),
      recipients: count,
      segments: count,
      price: money,
      cost: money,
    }),
  ),
  /** Carriers that do not pass a link of the text, by the dossiers of the sender ID; a carrier that has answered none is not known. */
  blockedLinks: z.array(
    z.object({ carrier: z.string(), senderKey: uuid, domains: z.array(z.string()), recipients: count }),
  ),
  /** Null if no route is available now. */
  speed: taskSpeed.nullable(),
  /** The customer's; null: its marketing is sent in them too. */
  quietHours: quietHours.nullable(),
});
export type TaskEstimate = z.output<typeof taskEstimate>;

const taskBreakdown = z.object({
  carriers: z.array(
    z.object({
      carrier: z.string().nullable(),
      recipients: count,
      /** Not answered by the carrier yet, those in doubt included. */
      waitingCount: count,
      acceptedCount: count,
      failedCount: count,
      deliveredCount: count,
      undeliveredCount: count,
      unknownCount: count,
    }),
  ),
  /** Reasons for messages that were not delivered, most frequent first. */
  reasons: z.array(
    z.object({
      dealResult: z.string(),
      count,
      /** Whether the request itself failed; otherwise it was accepted, and the receipt states this reason. */
      isRequest: z.boolean(),
      /** A retry sends to these again. */
      mayRetry: z.boolean(),
    }),
  ),
});
export type TaskBreakdown = z.output<typeof taskBreakdown>;

/** Of messages and tasks that were sent within one hour of the day, each day. */
const sendHour = z.object({
  /** 0 to 23 of the zone. */
  hour: z.int().min(0).max(23),
  /** Messages submitted in it that have a receipt, or are past its time. */
  answeredCount: count,
  /** Of those, delivered. */
  deliveredCount: count,
  /** Messages delivered of tasks with a short link that started in it. */
  linkedCount: count,
  /** Recipients of those tasks who opened a link, programs not counted. */
  openedCount: count,
});
export type SendHour = z.output<typeof sendHour>;

const sendHours = z.object({
  from: instant,
  to: instant,
  zone: z.string(),
  /** In order, all 24. */
  hours: z.array(sendHour).length(24),
});
export type SendHours = z.output<typeof sendHours>;

export const taskFigureRoutes = {
  'GET /tasks/send-hours': route({
    summary: 'Deliveries and clicks of 90 days by the hour of sending',
    access: writers,
    query: z.strictObject({
      /** Default: all applications. */
      appId: z.string().max(20).optional(),
      /** Default: the viewer's own. */
      zone: z.string().max(60).optional(),
    }),
    response: sendHours,
    errors: [],
  }),
  'GET /tasks/estimate': route({
    summary: 'Segments, cost by carrier and speed, by the rows of the file',
    access: writers,
    query: z.strictObject({
      fileId: uuid,
      templateId: uuid,
      smsType: z.enum(['1', '2', '3']),
      /** Columns that fill {1}, {2} and so on, `1,2`; left out: found by name and order. */
      columns: z
        .string()
        .regex(/^\d{1,3}(,\d{1,3}){0,98}$/)
        .transform((list) => list.split(',').map(Number))
        .optional(),
    }),
    response: taskEstimate,
    errors: [
      'FILE_NOT_FOUND',
      'FILE_NOT_USABLE',
      'FILE_PROCESSING',
      'TEMPLATE_NOT_FOUND',
      'TEMPLATE_NOT_SENDABLE',
      'TEMPLATE_TYPE_MISMATCH',
      'MAPPING_INVALID',
      'NO_ROUTE',
    ],
  }),
  'GET /tasks/:taskId/estimate': route({
    summary: 'The same of a checked task, exactly',
    access: readers,
    params,
    response: taskEstimate,
    errors: ['TASK_TRANSITION'],
  }),
  'GET /tasks/:taskId/breakdown': route({
    summary: 'Results by carrier and by reason; at most ten seconds old',
    access: readers,
    params,
    response: taskBreakdown,
  }),
};
