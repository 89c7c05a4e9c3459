/** A/B tests of tasks. */
import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { count, instant, taskStatus, uuid } from './shapes.ts';

/** What decides: the share of delivered phones that opened the link, the share of accepted that was delivered, a person. */
export const abRule = z.enum(['clicks', 'delivered', 'manual']);
export type AbRule = z.output<typeof abRule>;

export const abVariantsAtLeast = 2;
export const abVariantsAtMost = 4;
/** Together, percent: the winner needs some that are left. */
export const abSharesAtMost = 99;
export const abWaitAtMost = 10_080;

const variantIndex = z.number().int().min(0).max(3);
/** Percent of the recipients. */
const share = z.number().int().min(1).max(97);

/** A test as it is chosen for a task. */
export const abTestInput = z
  .strictObject({
    /** A, B and so on; the first is the task's own text. */
    variants: z
      .array(
        z.strictObject({
          templateId: uuid,
          share,
          /** After the start of the test, so that times can be compared. */
          delayMinutes: z.number().int().min(0).max(1439).default(0),
        }),
      )
      .min(abVariantsAtLeast)
      .max(abVariantsAtMost)
      .refine((variants) => variants.reduce((sum, each) => sum + each.share, 0) <= abSharesAtMost)
      .refine(
        (variants) =>
          new Set(variants.map((each) => `${each.templateId} ${each.delayMinutes}`)).size === variants.length,
      ),
    rule: abRule,
    /** From when all variants are sent to the decision. */
    waitMinutes: z.number().int().min(1).max(abWaitAtMost),
    /** Index of the variant that is sent if the difference is within chance; null: a person decides. */
    fallback: variantIndex.nullable(),
  })
  .refine(({ variants, fallback }) => fallback === null || fallback < variants.length);

const state = {
  rule: abRule,
  waitMinutes: count,
  fallback: variantIndex.nullable(),
  /** When its variants were made; null: not yet. */
  startTime: instant.nullable(),
  /** When it is decided; null: its variants are still being sent. */
  decideTime: instant.nullable(),
  /** Since when a person is awaited. */
  askTime: instant.nullable(),
  decidedTime: instant.nullable(),
  /** Index of the variant that the others get. */
  winner: variantIndex.nullable(),
};

const shownVariant = {
  templateId: uuid,
  templateName: z.string().nullable(),
  share,
  delayMinutes: count,
  /** The task that sends it; null: not yet made. */
  taskId: uuid.nullable(),
};

/** Of a task with a test. */
export const abTestOfTask = z.object({ ...state, variants: z.array(z.object(shownVariant)) });

/** Of a task that sends one variant: the test, and which variant it is. */
export const abVariantOfTask = z.object({ taskId: uuid, variant: variantIndex });

const fraction = z.number();
const interval = { low: fraction, high: fraction };

const abTestDetail = z.object({
  ...state,
  /** Recipients that wait for the winner, or get it. */
  restCount: count,
  decidedBy: z.enum(['rule', 'fallback', 'person']).nullable(),
  /** The person, if one of the customer's own users. */
  deciderName: z.string().nullable(),
  variants: z.array(
    z.object({
      ...shownVariant,
      content: z.string().nullable(),
      recipientCount: count.nullable(),
      taskStatus: taskStatus.nullable(),
      /** As it is now, or as it was when it was decided; null: not begun. */
      result: z
        .object({
          acceptedCount: count,
          deliveredCount: count,
          /** Recipients that opened their link, programs not counted. */
          clickedCount: count,
          /** Of the share that the rule compares, 0 to 1, at 95 %; null: of nothing. */
          interval: z.object(interval).nullable(),
        })
        .nullable(),
    }),
  ),
  /** What the results say; null: not begun. */
  judgement: z
    .object({
      /** Variant with the largest share. */
      leader: variantIndex.nullable(),
      /** The other that comes closest to it. */
      rival: variantIndex.nullable(),
      /** The leader's share less the rival's, with its interval at 95 % for all pairs together. */
      difference: z.object({ value: fraction, ...interval }).nullable(),
      /** The interval reaches to no difference. */
      isWithinChance: z.boolean(),
    })
    .nullable(),
});
export type AbTestDetail = z.output<typeof abTestDetail>;

const params = z.object({ taskId: uuid });

/** `task`: what the calls on a task return. */
export const makeAbTestRoutes = <T extends z.ZodType>(task: T) => ({
  'GET /tasks/:taskId/ab-test': route({
    summary: 'Results of an A/B test, and its decision',
    access: [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin],
    params,
    response: abTestDetail,
  }),
  'POST /tasks/:taskId/ab-test/decide': route({
    summary: 'Decide an A/B test now: the others get the variant',
    access: [Role.Owner, Role.Member],
    params,
    body: z.strictObject({ winner: variantIndex }),
    response: task,
    errors: ['TASK_TRANSITION', 'TEMPLATE_NOT_SENDABLE', 'LINK_NOT_APPROVED', 'LINK_NOT_USABLE'],
  }),
});
