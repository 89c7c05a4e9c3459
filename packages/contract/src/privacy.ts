import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { count, instant, messageId, uuid } from './shapes.ts';

/** Days that message records are stored. */
export const recordDaysRange = { least: 30, most: 400, usual: 180 } as const;
/** Days that an upload and its derived data are stored. */
export const uploadDaysRange = { least: 1, most: 30, usual: 30 } as const;

/** How much is held, or was erased, of one number. */
const numberCounts = z.object({
  messageCount: count,
  /** Those not yet at their end: they are erased once they are. */
  underWayCount: count,
  optOutCount: count,
  /** Consents to marketing, withdrawn ones included. */
  consentCount: count,
  inboundCount: count,
  fileCount: count,
  /** Lists of a customer's own limits that name it. */
  exemptionCount: count,
  /** Clicks on short links by codes that were its own. */
  clickCount: count,
  /** Message groups it is a member of. */
  groupCount: count,
});
export type NumberCounts = z.output<typeof numberCounts>;

const erasure = z.object({
  erasureId: uuid,
  /** Masked. */
  mobileNumber: z.string(),
  askedBy: z.string().nullable(),
  askedTime: instant,
  /** Null while messages to it are in progress. */
  doneTime: instant.nullable(),
  counts: numberCounts,
});
export type Erasure = z.output<typeof erasure>;

const privacy = z.object({
  customerId: uuid,
  customerName: z.string(),
  recordDays: z.number().int(),
  uploadDays: z.number().int(),
  /** Records before this instant are deleted; null if none have been yet. */
  recordsBefore: instant.nullable(),
  /** The latest twenty. */
  erasures: z.array(erasure),
});
export type Privacy = z.output<typeof privacy>;

/** All data stored about one number, in terms of the other routes. */
const numberExport = z.object({
  mobileNumber: z.string(),
  exportTime: instant,
  counts: numberCounts,
  messages: z.array(
    z.object({
      messageId,
      clientRequestTime: instant,
      appId: z.string(),
      taskId: uuid.nullable(),
      taskName: z.string().nullable(),
      smsType: z.number().int(),
      clientSid: z.string(),
      fullMessage: z.string(),
      sendStatus: z.number().int(),
      clientStatus: z.number().int(),
      dealResult: z.string().nullable(),
      submissionTime: instant.nullable(),
      clientReportTime: instant.nullable(),
    }),
  ),
  optOuts: z.array(z.object({ source: z.string(), evidence: z.string().nullable(), time: instant })),
  consents: z.array(
    z.object({
      source: z.string(),
      givenTime: instant,
      wording: z.string(),
      fileName: z.string().nullable(),
      withdrawTime: instant.nullable(),
    }),
  ),
  inbound: z.array(z.object({ time: instant, destination: z.string(), content: z.string() })),
  /** On short links, by codes that only this number was sent. */
  clicks: z.array(
    z.object({
      time: instant,
      linkName: z.string(),
      messageId,
      os: z.string(),
      browser: z.string(),
      device: z.string(),
      verdict: z.string().nullable(),
    }),
  ),
  groups: z.array(
    z.object({ groupId: uuid, groupName: z.string(), joinTime: instant, variables: z.array(z.string()) }),
  ),
  files: z.array(
    z.object({
      fileId: uuid,
      fileName: z.string(),
      createTime: instant,
      /** Rows that contain it: line of the file, and the other cells of the row. */
      rows: z.array(z.object({ line: count, values: z.array(z.string()) })),
    }),
  ),
});
export type NumberExport = z.output<typeof numberExport>;

const params = z.object({ customerId: uuid });
const access = [Role.Owner, Role.Admin] as const;
const mobileNumber = z.string().trim().min(1).max(40);

export const privacyRoutes = {
  'GET /privacy/:customerId': route({
    summary: 'How long records and uploads are kept, and what was erased',
    access,
    params,
    response: privacy,
  }),
  'PUT /privacy/:customerId': route({
    summary: 'Set how long records and uploads are kept; what is older is deleted for good',
    access,
    params,
    body: z.strictObject({
      recordDays: z.number().int().min(recordDaysRange.least).max(recordDaysRange.most),
      uploadDays: z.number().int().min(uploadDaysRange.least).max(uploadDaysRange.most),
    }),
    response: privacy,
  }),
  'POST /privacy/:customerId/find': route({
    summary: 'How much is held about one number',
    access,
    params,
    body: z.strictObject({ mobileNumber }),
    response: numberCounts.extend({ mobileNumber: z.string() }),
    errors: ['MOBILE_NUMBER_INVALID'],
  }),
  'POST /privacy/:customerId/export': route({
    summary: 'All that is held about one number, as json or csv',
    access,
    params,
    csv: true,
    body: z.strictObject({ mobileNumber }),
    response: numberExport,
    errors: ['MOBILE_NUMBER_INVALID'],
  }),
  'POST /privacy/:customerId/report': route({
    summary:
      'Consents, opt-outs, erasures, retention, carriers and the audit log on personal data, of a period, for a regulator',
    access: [Role.Owner],
    params,
    answer: 'csv',
    body: z.strictObject({ from: instant, to: instant, currentPassword: z.string().min(1).max(200) }),
    errors: ['REAUTHENTICATE'],
  }),
  'POST /privacy/:customerId/erase': route({
    summary: 'Erase one number for good; asked again it finds what is left. A refusal stays in force',
    access,
    params,
    body: z.strictObject({ mobileNumber, currentPassword: z.string().min(1).max(200) }),
    response: erasure,
    errors: ['MOBILE_NUMBER_INVALID', 'REAUTHENTICATE'],
  }),
};
