import { z } from 'zod';
import { AuditStatus, ReviewReason, Role } from './enums.ts';
import { route } from './route.ts';
import {
  appId,
  auditStatus,
  count,
  day,
  instant,
  listOf,
  money,
  name,
  numberList,
  ofCustomer,
  page,
  reviewDelay,
  reviewReason,
  smsType,
  span,
  text,
  uuid,
} from './shapes.ts';
import { linkStates } from './short-links-values.ts';

const finding = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  from: count,
  to: count,
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

export const termLanguages = ['zh', 'en', 'fil'] as const;
export const termCategories = ['financial', 'realEstate', 'immigrationPolitics', 'pornographic', 'violent'] as const;
/** `block`: an error in a template; `flag`: marked for the reviewer. */
export const termLevels = ['block', 'flag'] as const;
const phrase = name(60);
export const prohibitedTerm = z.object({
  term: phrase,
  lang: z.enum(termLanguages),
  category: z.enum(termCategories),
  level: z.enum(termLevels),
  /** Longer phrases in which the term is allowed. */
  exempt: z.array(phrase).max(50),
});

/** How much of the review hours is left; the clock is stopped outside review times. */
const reviewClock = z.object({
  /** Seconds of the review hours; negative: too late by so much. */
  leftS: z.number().int(),
  /** Why it is stopped, and until when; null while it runs. */
  stopped: z.object({ why: z.enum(['closed', 'holiday']), until: instant }).nullable(),
});
export type ReviewClockState = z.output<typeof reviewClock>;

/** The reviewer that has it open. */
const reviewClaim = z.object({ name: z.string(), isMine: z.boolean(), until: instant });

const reviewItem = z.object({
  kind: z.enum(['template', 'sender', 'task', 'link']),
  id: uuid,
  /** Template name, sender ID, task name or name of a short link. */
  title: z.string(),
  operator: z.string(),
  customerId: uuid,
  /** Null: a short link of no application. */
  appId: appId.nullable(),
  appName: z.string(),
  smsType: smsType.nullable(),
  auditStatus,
  auditReason: z.string().nullable(),
  auditCode: reviewReason.nullable(),
  auditSpan: span.nullable(),
  submitTime: instant,
  expectedTime: instant,
  expectedDelay: reviewDelay.nullable(),
  /** For pending items; null for decided ones. */
  clock: reviewClock.nullable(),
  claim: reviewClaim.nullable(),
  submittedBy: z.string(),
  /** Text to be reviewed: of the template version or the task; the target of a short link. */
  content: z.string().nullable(),
  /** Text of the version approved before, for comparison. */
  previousContent: z.string().nullable(),
  findings: z.array(finding),
  version: count.nullable(),
  totalCount: count.nullable(),
  estimatedCost: money.nullable(),
  senderId: z.string().nullable(),
});
export type ReviewItem = z.output<typeof reviewItem>;

/** Returns what a reviewer checks in addition to the text. */
const reviewContext = z.object({
  /** The customer's short links in the text of a template or task; a template is approved after them. */
  links: z.array(
    z.object({ linkId: uuid, linkName: z.string(), targetUrl: z.string(), linkState: z.enum(linkStates) }),
  ),
  /** For a task: the text with values of the first rows of its file, with masked numbers; null if there is no file. */
  sample: z
    .object({
      fileName: z.string(),
      validCount: count,
      rows: z.array(z.object({ mobileNumber: z.string(), text: z.string() })),
    })
    .nullable(),
  /** Decisions before this one on the customer's templates, sender IDs and tasks. */
  history: z.object({
    since: instant,
    approvedCount: count,
    rejectedCount: count,
    lastRejectedTime: instant.nullable(),
    /** No other task of the customer was ever confirmed. */
    isFirstTask: z.boolean(),
  }),
});
export type ReviewContext = z.output<typeof reviewContext>;

const holiday = z.object({ day, name: z.string(), nameZh: z.string() });
export type HolidayEntry = z.output<typeof holiday>;

const staff = [Role.Reviewer, Role.Operator, Role.Admin] as const;
const params = z.object({ kind: z.enum(['templates', 'senders', 'tasks', 'links']), id: uuid });

export const reviewRoutes = {
  'GET /reviews': route({
    summary: 'What waits for a reviewer, oldest first; or what was decided',
    access: staff,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z
        .enum(['submitTime', '-submitTime'])
        .optional()
        .describe(
          'By the time of submitting. Without it, what waits comes oldest first, what was decided newest first by the decision.',
        ),
      ...ofCustomer,
      kind: z.enum(['template', 'sender', 'task', 'link']).optional(),
      auditStatus: numberList(AuditStatus).optional(),
      /** One item, wherever in the list it is. */
      id: uuid.optional(),
    }),
    response: listOf(reviewItem),
  }),
  'GET /reviews/:kind/:id': route({
    summary: 'What a reviewer looks at besides the text: rows of the file, the customer before',
    access: staff,
    params,
    response: reviewContext,
  }),
  'POST /reviews/:kind/:id/claim': route({
    summary: 'Take it for five minutes, or go on having it: nobody else can decide it meanwhile',
    access: staff,
    params,
    response: z.object({ until: instant }),
    errors: ['ALREADY_REVIEWED', 'REVIEW_CLAIMED', 'TASK_TRANSITION'],
  }),
  'POST /reviews/:kind/:id/release': route({
    summary: 'Give it back undecided; nothing where somebody else has it',
    access: staff,
    params,
    answer: 'empty',
    status: 204,
  }),
  'POST /reviews/:kind/:id/approve': route({
    summary: 'Approve',
    access: staff,
    params,
    body: z.strictObject({ version: count.optional() }).default({}),
    answer: 'empty',
    status: 204,
    errors: [
      'ALREADY_REVIEWED',
      'REVIEW_CLAIMED',
      'REVIEW_NOT_CLAIMED',
      'TASK_TRANSITION',
      'BALANCE_TOO_LOW',
      'LINK_NOT_APPROVED',
    ],
  }),
  'POST /reviews/:kind/:id/reject': route({
    summary:
      "Reject with a reason of the catalogue, a place in the text and words of one's own; the customer reads them",
    access: staff,
    params,
    body: z.strictObject({
      reasonCode: reviewReason.default(ReviewReason.Other),
      /** Required with `OTHER`. */
      reason: text(500).default(''),
      span: span.optional(),
      version: count.optional(),
    }),
    answer: 'empty',
    status: 204,
    errors: [
      'ALREADY_REVIEWED',
      'REASON_REQUIRED',
      'REASON_UNFIT',
      'REVIEW_CLAIMED',
      'REVIEW_NOT_CLAIMED',
      'SPAN_INVALID',
      'TASK_TRANSITION',
    ],
  }),
  'GET /prohibited-terms': route({
    summary: 'Words that templates may not hold, or that reviewers are to look at, in the order of the alphabet',
    access: staff,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['term', '-term']).default('term'),
      /** Part of the term. */
      search: z.string().trim().max(60).optional(),
      category: z.enum(termCategories).optional(),
      level: z.enum(termLevels).optional(),
    }),
    response: listOf(prohibitedTerm.extend({ id: uuid })),
  }),
  'PUT /prohibited-terms': route({
    summary: 'Add a word, or change what the same word of the same language does',
    access: [Role.Admin],
    body: prohibitedTerm.extend({ exempt: prohibitedTerm.shape.exempt.default([]) }).strict(),
    response: prohibitedTerm.extend({ id: uuid }),
  }),
  'DELETE /prohibited-terms/:id': route({
    summary: 'Remove a word',
    access: [Role.Admin],
    params: z.object({ id: uuid }),
    answer: 'empty',
    status: 204,
  }),
  'GET /holidays': route({
    summary: 'Public holidays, on which nobody reviews, from a day on',
    access: staff,
    csv: true,
    query: z.strictObject({ ...page, sort: z.enum(['day', '-day']).default('day'), from: day.optional() }),
    response: listOf(holiday),
  }),
  'PUT /holidays/:day': route({
    summary: 'Add a public holiday, or give it another name',
    access: [Role.Admin],
    params: z.object({ day }),
    body: z.strictObject({ name: name(80), nameZh: name(80).or(z.literal('')).default('') }),
    response: holiday,
  }),
  'DELETE /holidays/:day': route({
    summary: 'Remove a public holiday',
    access: [Role.Admin],
    params: z.object({ day }),
    answer: 'empty',
    status: 204,
  }),
};
