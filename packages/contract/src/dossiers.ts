/** What a carrier wants to know before it passes a sender ID's texts: papers, a signed letter, and domains. */
import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { carrier, count, day, instant, listOf, name, ofCustomer, page, text, uuid } from './shapes.ts';

/** Of one paper. */
export const paperLimitBytes = 4 * 1024 * 1024;
/** Base64 takes four characters for three octets. */
const base64Characters = Math.ceil(paperLimitBytes / 3) * 4;
/** In one dossier. */
export const mostPapers = 12;
export const mostDomains = 20;

export const dossierStates = ['draft', 'submitted', 'sent', 'approved', 'returned', 'expired'] as const;
export type DossierState = (typeof dossierStates)[number];
export const paperKinds = ['registration', 'identity', 'letter', 'other'] as const;
export type PaperKind = (typeof paperKinds)[number];

const paper = z.object({
  paperId: uuid,
  kind: z.enum(paperKinds),
  name: z.string(),
  sizeBytes: count,
  /** `checked`: staff found nothing wrong; `returned`: it must be replaced. */
  state: z.enum(['new', 'checked', 'returned']),
  uploadTime: instant,
  checkTime: instant.nullable(),
});

const domainName = z.string().max(253);
const domain = z.object({
  domain: domainName,
  state: z.enum(['asked', 'allowed', 'refused']),
});

const event = z.object({
  eventId: uuid,
  kind: z.enum([
    'opened',
    'paperAdded',
    'paperRemoved',
    'domainAdded',
    'domainRemoved',
    'submitted',
    'sent',
    'approved',
    'returned',
    'expired',
  ]),
  time: instant,
  /** Name of the customer's member; null: staff, or the program. */
  by: z.string().nullable(),
  /** Name of a paper, or a domain; null: the event is of none. */
  subject: z.string().nullable(),
});

const summary = {
  dossierId: uuid,
  /** Of the sender ID. */
  senderKey: uuid,
  /** The name shown as source address. */
  senderId: z.string(),
  carrier,
  state: z.enum(dossierStates),
  /** When its state changed. */
  changeTime: instant,
  sentTime: instant.nullable(),
  /** Last day of the carrier's approval, in Manila; it holds while papers for the next one are on their way. */
  approvedUntil: day.nullable(),
  /** Last day on which an answer to returned papers counts. */
  answerBy: day.nullable(),
  paperCount: count,
  domainCount: count,
};

const queued = z.object({ ...summary, customerId: uuid, operator: z.string() });
export type QueuedDossier = z.output<typeof queued>;

const dossier = z.object({
  ...summary,
  customerId: uuid,
  /** Name of the customer; staff only. */
  operator: z.string().optional(),
  /** What the carrier wrote when it returned the papers. */
  answer: z.string().nullable(),
  /** The carrier's desk or person that answered. */
  answeredBy: z.string().nullable(),
  answerTime: instant.nullable(),
  papers: z.array(paper),
  domains: z.array(domain),
  /** Newest first, 50 at most. */
  history: z.array(event),
});
export type Dossier = z.output<typeof dossier>;

/** What letters of authorisation say about the customer. */
const company = {
  legalName: name(200),
  registrationNumber: name(60),
  address: text(300).min(1),
  signatory: name(100),
  signatoryTitle: name(100),
};
const companyDetails = z.object(company);
export type CompanyDetails = z.output<typeof companyDetails>;

const file = z.object({
  name: z.string(),
  type: z.enum(['application/pdf', 'image/png', 'image/jpeg']),
  /** Base64. */
  content: z.string(),
});

const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const paperReaders = [Role.Owner, Role.Member, Role.Reviewer, Role.Operator, Role.Admin] as const;
const writers = [Role.Owner, Role.Member] as const;
const staff = [Role.Reviewer, Role.Operator, Role.Admin] as const;
const params = z.object({ dossierId: uuid });
const ofPaper = z.object({ dossierId: uuid, paperId: uuid });
const ofCustomersDossier = z.object({ customerId: uuid, dossierId: uuid });

export const dossierRoutes = {
  'GET /senders/:id/dossiers': route({
    summary: 'Dossiers of a sender ID, one for each carrier that has one',
    access: readers,
    params: z.object({ id: uuid }),
    response: z.object({ dossiers: z.array(dossier) }),
  }),
  'POST /senders/:id/dossiers': route({
    summary: 'Open the dossier for a carrier',
    access: writers,
    status: 201,
    params: z.object({ id: uuid }),
    body: z.strictObject({ carrier }),
    response: dossier,
    errors: ['CONFLICT'],
  }),
  'GET /dossier-queue': route({
    summary: 'Dossiers of all customers, the longest unchanged first: what waits for staff, or those of one state',
    access: staff,
    csv: true,
    query: z.strictObject({
      ...page,
      ...ofCustomer,
      state: z.enum(dossierStates).optional(),
      carrier: carrier.optional(),
      search: z.string().trim().max(100).optional(),
      sort: z.enum(['changeTime', '-changeTime']).default('changeTime'),
    }),
    response: listOf(queued),
    errors: ['CURSOR_INVALID'],
  }),
  'GET /dossiers/:dossierId': route({ summary: 'One dossier', access: readers, params, response: dossier }),
  'POST /dossiers/:dossierId/papers': route({
    summary: 'Add a paper (PDF, PNG or JPEG, 4 MiB)',
    access: writers,
    status: 201,
    bodyLimitBytes: base64Characters + 4_096,
    params,
    body: z.strictObject({
      kind: z.enum(paperKinds),
      name: name(200),
      /** Base64. */
      content: z.base64().min(1).max(base64Characters),
    }),
    response: dossier,
    errors: ['CONFLICT'],
  }),
  'GET /dossiers/:dossierId/papers/:paperId': route({
    summary: "A paper's file",
    access: paperReaders,
    params: ofPaper,
    response: file,
  }),
  'DELETE /dossiers/:dossierId/papers/:paperId': route({
    summary: 'Remove a paper',
    access: writers,
    params: ofPaper,
    response: dossier,
    errors: ['CONFLICT'],
  }),
  'POST /dossiers/:dossierId/domains': route({
    summary: 'Ask for a domain that texts link to; its subdomains are included',
    access: writers,
    status: 201,
    params,
    body: z.strictObject({ domain: domainName.min(1) }),
    response: dossier,
    errors: ['CONFLICT'],
  }),
  'DELETE /dossiers/:dossierId/domains/:domain': route({
    summary: 'Remove a domain: links to it are no longer allowed',
    access: writers,
    params: z.object({ dossierId: uuid, domain: domainName }),
    response: dossier,
    errors: ['CONFLICT'],
  }),
  'POST /dossiers/:dossierId/submit': route({
    summary: 'Submit the dossier: staff check it and send it to the carrier. Also to renew an approval',
    access: writers,
    params,
    response: dossier,
    errors: ['CONFLICT', 'DOSSIER_EMPTY'],
  }),
  'GET /dossiers/:dossierId/letter': route({
    summary: 'The letter of authorisation as PDF, made from the company details and the domains',
    access: paperReaders,
    params,
    response: file,
    errors: ['CONFLICT'],
  }),
  'GET /company-details': route({
    summary: 'Company details for letters of authorisation; null: not entered yet',
    access: [Role.Owner, Role.Member, Role.Viewer],
    response: z.object({ details: companyDetails.nullable() }),
  }),
  'PUT /company-details': route({
    summary: 'Change the company details',
    access: writers,
    body: z.strictObject(company),
    response: z.object({ details: companyDetails }),
  }),
  'POST /customers/:customerId/dossiers/:dossierId/send': route({
    summary: 'The papers were checked and sent to the carrier',
    access: staff,
    params: ofCustomersDossier,
    response: dossier,
    errors: ['CONFLICT'],
  }),
  'POST /customers/:customerId/dossiers/:dossierId/approve': route({
    summary: 'The carrier approved; domains that are not named were refused',
    access: staff,
    params: ofCustomersDossier,
    body: z.strictObject({
      /** Last day of the approval, in Manila; not before today. */
      approvedUntil: day,
      allowedDomains: z.array(domainName).max(mostDomains).default([]),
    }),
    response: dossier,
    errors: ['CONFLICT'],
  }),
  'POST /customers/:customerId/dossiers/:dossierId/return': route({
    summary: 'The carrier, or staff before it is sent, returned the papers; the customer sees the answer',
    access: staff,
    params: ofCustomersDossier,
    body: z.strictObject({
      answer: text(1_000).min(1),
      /** The carrier's desk or person that answered. */
      answeredBy: name(100),
      /** Last day on which an answer counts; null: none was given. */
      answerBy: day.nullable().default(null),
      /** Papers that must be replaced. */
      returnedPapers: z.array(uuid).max(mostPapers).default([]),
    }),
    response: dossier,
    errors: ['CONFLICT'],
  }),
};
