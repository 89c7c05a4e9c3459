import { z } from 'zod';
import { factorReset } from './account.ts';
import { customerRoles, Role, staffRoles } from './enums.ts';
import { route } from './route.ts';
import { instant, languageTag, listOf, name, ofCustomer, page, useState, uuid } from './shapes.ts';

const memberRole = z.enum(customerRoles);

const member = z.object({
  userId: uuid,
  account: z.string(),
  name: z.string(),
  email: z.string(),
  role: memberRole,
  useState,
  createTime: instant,
  lastSignInTime: instant.nullable(),
  /** Has an authenticator app or a passkey. */
  hasTwoFactor: z.boolean(),
  /** The customer; for staff only. */
  operator: z.string().optional(),
});
export type Member = z.output<typeof member>;

const invitation = z.object({
  invitationId: uuid,
  email: z.string(),
  role: memberRole,
  invitedBy: z.string(),
  createTime: instant,
  sentTime: instant,
  expiresTime: instant,
  isExpired: z.boolean(),
  /** The customer; for staff only. */
  operator: z.string().optional(),
});
export type Invitation = z.output<typeof invitation>;

/** Data shown to the holder of a link. `new`: creates an account. `rejoin`: has one, whose password is set again. */
const invitationOffer = z.object({
  customerName: z.string(),
  email: z.string(),
  role: memberRole,
  invitedBy: z.string(),
  expiresTime: instant,
  kind: z.enum(['new', 'rejoin']),
  /** Of the account that is joined with; a proposal for a new one. */
  account: z.string(),
  name: z.string(),
});
export type InvitationOffer = z.output<typeof invitationOffer>;

const owners = [Role.Owner] as const;
const readers = [Role.Owner, ...staffRoles] as const;
const memberParams = z.object({ userId: uuid });
const invitationParams = z.object({ invitationId: uuid });
/** Any text: one that can't be a token is a wrong one. */
const token = z.string().min(1).max(200);
const linkErrors = [
  'INVITATION_INVALID',
  'INVITATION_EXPIRED',
  'EMAIL_TAKEN',
  'CUSTOMER_SUSPENDED',
  'RATE_LIMITED',
] as const;

export const memberRoutes = {
  'GET /members': route({
    summary: 'Who may sign in for this customer',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['name', '-name']).default('name'),
      ...ofCustomer,
      /** In the name, the account or the e-mail address. */
      search: z.string().trim().max(100).optional(),
      role: memberRole.optional(),
    }),
    response: listOf(member),
  }),
  'POST /members': route({
    summary: 'Invite somebody by e-mail; the link lives for 7 days and works once',
    access: owners,
    status: 201,
    body: z.strictObject({ email: z.string().trim().min(1).max(254), role: memberRole }),
    response: invitation,
    errors: ['MEMBER_EXISTS', 'INVITATION_EXISTS', 'RATE_LIMITED'],
  }),
  'PATCH /members/:userId': route({
    summary: 'Change the role of a member',
    access: owners,
    params: memberParams,
    body: z.strictObject({ role: memberRole }),
    response: member,
    errors: ['LAST_OWNER'],
  }),
  'DELETE /members/:userId': route({
    summary: 'Remove a member, whose sessions end at once',
    access: owners,
    params: memberParams,
    answer: 'empty',
    status: 204,
    errors: ['LAST_OWNER'],
  }),
  'POST /members/:userId/reset-two-factor': route({
    summary: "Take a member's lost second factors away, and end the member's sessions",
    access: owners,
    params: memberParams,
    body: factorReset,
    answer: 'empty',
    status: 204,
    errors: ['TWO_FACTOR_OFF', 'OWN_FACTORS', 'REAUTHENTICATE', 'RATE_LIMITED'],
  }),
  'GET /invitations': route({
    summary: 'Invitations that nobody has accepted yet, newest first',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-createTime', 'createTime']).default('-createTime'),
      ...ofCustomer,
    }),
    response: listOf(invitation),
  }),
  'POST /invitations/:invitationId/resend': route({
    summary: 'Send an invitation again with a new link; the one before opens nothing any more',
    access: owners,
    params: invitationParams,
    response: invitation,
    errors: ['RATE_LIMITED'],
  }),
  'DELETE /invitations/:invitationId': route({
    summary: 'Withdraw an invitation: its link opens nothing any more',
    access: owners,
    params: invitationParams,
    answer: 'empty',
    status: 204,
  }),
  'POST /invitations/check': route({
    summary: 'What a link of an invitation offers',
    access: 'public',
    body: z.strictObject({ token }),
    response: invitationOffer,
    errors: linkErrors,
  }),
  'POST /invitations/accept': route({
    summary: 'Become a member by the link of an invitation',
    access: 'public',
    body: z.strictObject({
      token,
      /** For a new account; a user with an account joins with it. */
      account: z.string().trim().min(1).max(100).optional(),
      name: name(100),
      password: z.string().min(1).max(200),
      /** The one of the page, in which a new person is written to. */
      locale: languageTag.optional(),
    }),
    response: z.object({ account: z.string() }),
    errors: [...linkErrors, 'ACCOUNT_TAKEN'],
  }),
};
