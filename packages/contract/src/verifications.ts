/** One-time codes that are made here, sent as messages, and checked here. */
import { z } from 'zod';
import { Role } from './enums.ts';
import { messageErrors } from './messages-values.ts';
import { route } from './route.ts';
import { appId, count, instant, listOf, messageId, ofCustomer, page, uuid } from './shapes.ts';
import { verificationDivisions, verificationLimits } from './verifications-values.ts';

const { codeLength, validFor, attempts, sends, resendAfterS } = verificationLimits;

const verificationStatus = z.enum(['pending', 'approved', 'failed', 'expired', 'cancelled']);

const verification = z.object({
  verificationId: uuid,
  status: verificationStatus,
  channel: z.enum(['sms']),
  phoneAddress: z.string(),
  /** With the last code; null while it is being accepted. */
  messageId: messageId.nullable(),
  sendCount: count,
  /** Wrong codes that are left. */
  attemptsLeft: count,
  /** From then on another code may be requested; null: none may. */
  nextSendTime: instant.nullable(),
  expireTime: instant,
});
export type Verification = z.output<typeof verification>;

const byId = { params: z.object({ verificationId: uuid }), access: 'application' } as const;

const verificationSums = z.object({
  startedCount: count,
  sentCount: count.describe('Codes, repeated ones included.'),
  approvedCount: count,
  expiredCount: count.describe(
    'Ended by nothing: the right code was not entered in time. Those of the last minutes may still be approved.',
  ),
  wrongCount: count.describe('Wrong codes that were entered.'),
  /** Of those that began. */
  conversionRate: z.number().min(0).nullable(),
});

const verificationFigure = verificationSums.extend({
  areaCode: z.string().nullable().describe('Null: of all.'),
  prefix: z.string().nullable().describe('The first five digits of the numbers; null: of all.'),
  appId: appId.nullable().describe('Null: of all.'),
  appName: z.string().nullable(),
});
export type VerificationFigure = z.output<typeof verificationFigure>;

export const verificationRoutes = {
  'POST /verifications': route({
    summary: 'Send a code to a phone; while one is pending, send another one in its place',
    access: 'application',
    status: 201,
    body: z.strictObject({
      to: z.string().trim().min(1).max(40).describe('The phone, in any spelling that a file may have.'),
      channel: z.enum(['sms']).default('sms'),
      senderId: z.string().trim().min(1).max(20).optional(),
      templateId: uuid
        .optional()
        .describe(
          'An approved template of type Verification code with one variable, which becomes the code. Default: an English text of the platform, unless the customer must use templates.',
        ),
      codeLength: z
        .number()
        .int()
        .min(codeLength.least)
        .max(codeLength.most)
        .default(codeLength.usual)
        .describe('Digits.'),
      validFor: z
        .number()
        .int()
        .min(validFor.least)
        .max(validFor.most)
        .default(validFor.usual)
        .describe('Seconds in which the code can be entered.'),
    }),
    response: verification.describe(
      `At most ${attempts} wrong codes and ${sends} codes, each ${resendAfterS} s after the one before, which is void from then on.`,
    ),
    errors: [...messageErrors.filter((code) => code !== 'IDEMPOTENCY_KEY_REUSED' && code !== 'MESSAGES_REFUSED')],
  }),
  'GET /verifications/:verificationId': route({
    ...byId,
    summary: 'The state of a verification',
    response: verification,
  }),
  'POST /verifications/:verificationId/check': route({
    ...byId,
    summary: 'Check the code that a user entered; the right one is right once',
    body: z.strictObject({
      code: z
        .string()
        .trim()
        .regex(/^\d{4,10}$/),
    }),
    response: verification.extend({ isCorrect: z.boolean() }),
    errors: ['VERIFICATION_ENDED'],
  }),
  'POST /verifications/:verificationId/cancel': route({
    ...byId,
    summary: 'End a verification: its code opens nothing any more',
    response: verification,
    errors: ['VERIFICATION_ENDED'],
  }),
  'GET /statistics/verifications': route({
    summary: 'How many codes were entered, by country and prefix',
    access: [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin],
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z
        .enum(['areaCode', '-areaCode', '-startedCount', 'startedCount'])
        .default('areaCode')
        .describe('`areaCode`: by what divides the figures. `startedCount`: by how many began.'),
      by: z
        .enum(verificationDivisions)
        .default('prefix')
        .describe(
          'What divides the figures: `prefix` by country and prefix, `areaCode` by country, `appId` by application.',
        ),
      ...ofCustomer,
      appId: appId.optional(),
      from: instant.optional().describe('Whole hours; default: 7 days before `to`.'),
      to: instant.optional(),
    }),
    response: listOf(verificationFigure).extend({ totals: verificationSums.describe('Of all rows of the period.') }),
  }),
};
