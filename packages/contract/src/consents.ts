/** Evidence that phones agreed to marketing, and whether marketing requires it. */
import { z } from 'zod';
import { Role } from './enums.ts';
import { membersAtOnce, recipientImport } from './groups.ts';
import { route } from './route.ts';
import { count, instant, listOf, name, ofCustomer, page, text, uuid } from './shapes.ts';

/** How the consent was given. */
export const consentSources = ['web', 'store', 'paper', 'sms', 'call', 'app', 'import', 'other'] as const;
export type ConsentSource = (typeof consentSources)[number];

/** Of the file of a piece of evidence: a scan or a picture. */
export const evidenceLimitBytes = 2 * 1024 * 1024;
/** Base64 takes four characters for three octets. */
const base64Characters = Math.ceil(evidenceLimitBytes / 3) * 4;
export const wordingLimit = 1_000;

const consent = z.object({
  evidenceId: uuid,
  mobileNumber: z.string(),
  source: z.enum(consentSources),
  givenTime: instant,
  /** What the person agreed to. */
  wording: z.string(),
  /** Null: there is no file. */
  fileName: z.string().nullable(),
  addedBy: z.string().nullable(),
  createTime: instant,
  /** Null: the consent is in force. */
  withdrawTime: instant.nullable(),
});
export type Consent = z.output<typeof consent>;

const evidenceFile = z.object({
  name: z.string(),
  type: z.enum(['application/pdf', 'image/png', 'image/jpeg']),
  /** Base64. */
  content: z.string(),
});
export type EvidenceFile = z.output<typeof evidenceFile>;

const marketingPolicy = z.object({
  /** Marketing goes only to phones whose consent is in force. */
  consentRequired: z.boolean(),
});
export type MarketingPolicy = z.output<typeof marketingPolicy>;

const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const writers = [Role.Owner, Role.Member] as const;
const mobileNumber = z.string().trim().min(1).max(40);

const evidence = {
  source: z.enum(consentSources),
  wording: text(wordingLimit).min(1),
  /** PDF, PNG or JPEG. */
  file: z.strictObject({ name: name(200), content: z.base64().min(1).max(base64Characters) }).optional(),
};
const bodyLimitBytes = base64Characters + 256 * 1024;

export const consentRoutes = {
  'GET /consents': route({
    summary: 'Evidence of consent by phone, newest first',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-createTime', 'createTime']).default('-createTime'),
      ...ofCustomer,
      mobileNumber: z.string().trim().max(40).optional(),
      source: z.enum(consentSources).optional(),
      state: z.enum(['inForce', 'withdrawn']).optional(),
    }),
    response: listOf(consent),
  }),
  'POST /consents': route({
    summary: 'Record the consent of up to 1,000 numbers with one piece of evidence',
    access: writers,
    bodyLimitBytes,
    body: z.strictObject({
      mobileNumbers: z.array(mobileNumber).min(1).max(membersAtOnce),
      givenTime: instant,
      ...evidence,
    }),
    response: z.object({
      addedCount: count,
      keptCount: count,
      rejected: z.array(z.object({ index: count, reason: z.string() })),
    }),
  }),
  'POST /consents/import': route({
    summary: 'Record the consent of the numbers of an uploaded file',
    access: writers,
    status: 202,
    bodyLimitBytes,
    body: z.strictObject({
      fileId: uuid,
      givenTime: instant,
      /** Column with each number's own time; where it is empty, `givenTime` counts. */
      timeColumn: z.number().int().min(0).max(255).optional(),
      ...evidence,
    }),
    response: recipientImport,
    errors: ['FILE_NOT_FOUND', 'FILE_PROCESSING', 'FILE_NOT_USABLE'],
  }),
  'GET /consents/imports': route({
    summary: 'The latest ten files of consent',
    access: readers,
    byCustomer: true,
    query: z.strictObject(ofCustomer),
    response: listOf(recipientImport),
  }),
  'POST /consents/withdraw': route({
    summary: 'Withdraw the consent of one number, with the reason; the evidence is kept',
    access: writers,
    body: z.strictObject({ mobileNumber, reason: name(200) }),
    answer: 'empty',
    status: 204,
    errors: ['MOBILE_NUMBER_INVALID'],
  }),
  'GET /consents/:evidenceId/file': route({
    summary: 'The file of a piece of evidence',
    access: writers,
    params: z.object({ evidenceId: uuid }),
    response: evidenceFile,
  }),
  'GET /marketing-policy': route({
    summary: 'Whether marketing requires consent',
    access: 'session',
    response: marketingPolicy,
    errors: ['FORBIDDEN'],
  }),
  'PATCH /marketing-policy': route({
    summary: 'Set whether marketing requires consent',
    access: [Role.Owner],
    body: marketingPolicy.partial().strict(),
    response: marketingPolicy,
    errors: ['FORBIDDEN'],
  }),
};
