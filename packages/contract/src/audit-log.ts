import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { instant, listOf, page, uuid } from './shapes.ts';

/**
 * The kind of actor: a customer's user, a staff user, software with its own password or a key, an unknown person, or the
 * program.
 */
export const auditActorKinds = ['member', 'staff', 'application', 'visitor', 'system'] as const;
export type AuditActorKind = (typeof auditActorKinds)[number];

const auditEntry = z.object({
  auditId: z.string(),
  time: instant,
  actor: z.object({
    kind: z.enum(auditActorKinds),
    userId: uuid.nullable(),
    /**
     * Account name, `appId`, the beginning of a key with its name, or the text typed as an account; staff accounts are
     * hidden from customers.
     */
    account: z.string().nullable(),
    /** Name of the person or the application, as it is now. */
    name: z.string().nullable(),
    role: z.enum(Role).nullable(),
  }),
  action: z.string(),
  subjectType: z.string(),
  subjectId: z.string(),
  /** Name of the object if it has one: the current name or, if it was deleted, the one in the entry. */
  subjectName: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  customerId: uuid.nullable(),
  /** Customer's name; staff only. */
  operator: z.string().optional(),
});
export type AuditEntryView = z.output<typeof auditEntry>;

const state = z.unknown().nullable();
const auditEntryDetail = auditEntry.extend({
  before: state,
  after: state,
  /** Place in its chain and the hash over all entries up to this one. */
  chain: z.object({ seq: z.string(), hash: z.string() }).nullable(),
});
export type AuditEntryDetail = z.output<typeof auditEntryDetail>;

const readers = [Role.Owner, Role.Reviewer, Role.Operator, Role.Admin] as const;
const words = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9._/-]{0,59}(,[A-Za-z][A-Za-z0-9._/-]{0,59}){0,30}$/)
  .transform((list) => list.split(','));

export const auditLogRoutes = {
  'GET /audit-log': route({
    summary: "Who did what, newest first: of all customers for staff, of its own for a customer's owner",
    access: readers,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-time', 'time']).default('-time'),
      /** Beginning of an account name or `appId`, part of a person's name, or an id of a user. */
      actor: z.string().trim().min(1).max(100).optional(),
      actorKind: z.enum(auditActorKinds).optional(),
      action: words.optional(),
      subjectType: words.optional(),
      subjectId: z.string().trim().min(1).max(200).optional(),
      /** Staff only. */
      customerId: uuid.optional(),
      from: instant.optional(),
      to: instant.optional(),
    }),
    response: listOf(auditEntry),
  }),
  'GET /audit-log/:auditId': route({
    summary: 'One entry with what was before and after',
    access: readers,
    params: z.object({ auditId: z.string().regex(/^\d{1,18}$/) }),
    response: auditEntryDetail,
  }),
};
