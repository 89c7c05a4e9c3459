import { z } from 'zod';
import { Role } from './enums.ts';
import { membersAtOnce, recipientImport } from './groups.ts';
import { route } from './route.ts';
import { count, instant, listOf, name, ofCustomer, page, text, uuid } from './shapes.ts';

/** How a number was added to the list: by the phone's reply, or by a user. */
export const optOutSources = ['reply', 'hand', 'file'] as const;

const optOut = z.object({
  mobileNumber: z.string(),
  /** One of `optOutSources`; older entries may name another. */
  source: z.string(),
  /** Evidence of the opt-out: the received text, or the note entered with it. */
  evidence: z.string().nullable(),
  addedBy: z.string().nullable(),
  time: instant,
});
export type OptOut = z.output<typeof optOut>;

const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const writers = [Role.Owner, Role.Member] as const;
const mobileNumber = z.string().trim().min(1).max(40);
const evidence = text(300);

export const optOutRoutes = {
  'GET /opt-outs': route({
    summary: 'Numbers that refused marketing, newest first',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-time', 'time']).default('-time'),
      ...ofCustomer,
      mobileNumber: z.string().trim().max(40).optional(),
      source: z.enum(optOutSources).optional(),
    }),
    response: listOf(optOut),
  }),
  'POST /opt-outs': route({
    summary: 'Put up to 1,000 numbers on the list; those on it stay as they are',
    access: writers,
    body: z.strictObject({
      mobileNumbers: z.array(mobileNumber).min(1).max(membersAtOnce),
      evidence: evidence.default(''),
    }),
    response: z.object({
      addedCount: count,
      keptCount: count,
      rejected: z.array(z.object({ index: count, reason: z.string() })),
    }),
  }),
  'POST /opt-outs/remove': route({
    summary: 'Take one number off the list, with the reason',
    access: writers,
    body: z.strictObject({ mobileNumber, reason: name(200) }),
    answer: 'empty',
    status: 204,
    errors: ['MOBILE_NUMBER_INVALID'],
  }),
  'POST /opt-outs/import': route({
    summary: 'Put the numbers of an uploaded file on the list',
    access: writers,
    status: 202,
    body: z.strictObject({ fileId: uuid, evidence: evidence.default('') }),
    response: recipientImport,
    errors: ['FILE_NOT_FOUND', 'FILE_PROCESSING', 'FILE_NOT_USABLE'],
  }),
  'GET /opt-outs/imports': route({
    summary: 'The latest ten files put on the list',
    access: readers,
    byCustomer: true,
    query: z.strictObject(ofCustomer),
    response: listOf(recipientImport),
  }),
};
