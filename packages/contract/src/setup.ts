import { z } from 'zod';
import { route } from './route.ts';
import { languageTag } from './shapes.ts';

/** Of the link that a start without an admin prints. Any text: one that can't be a token is a wrong one. */
const token = z.string().min(1).max(200);

export const setupRoutes = {
  'POST /setup/check': route({
    summary: 'Whether a set-up link still lets the first admin in',
    access: 'public',
    body: z.strictObject({ token }),
    answer: 'empty',
    status: 204,
    errors: ['SETUP_LINK_INVALID', 'SETUP_LINK_EXPIRED', 'SETUP_DONE', 'RATE_LIMITED'],
  }),
  'POST /setup': route({
    summary: 'Become the first admin by the set-up link, and be signed in',
    access: 'public',
    body: z.strictObject({
      token,
      email: z.string().trim().min(1).max(254),
      account: z.string().trim().min(1).max(100),
      password: z.string().min(1).max(200),
      /** The one of the page, in which the admin is written to. */
      locale: languageTag.optional(),
    }),
    answer: 'empty',
    status: 204,
    errors: ['SETUP_LINK_INVALID', 'SETUP_LINK_EXPIRED', 'SETUP_DONE', 'ACCOUNT_TAKEN', 'EMAIL_TAKEN', 'RATE_LIMITED'],
  }),
};
