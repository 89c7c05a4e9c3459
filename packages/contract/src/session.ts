import { z } from 'zod';
import { Role, Theme } from './enums.ts';
import { route } from './route.ts';
import { money, uuid } from './shapes.ts';

export const session = z.object({
  user: z.object({
    userId: uuid,
    account: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.enum(Role),
    kind: z.enum(['customer', 'staff']),
    zone: z.string(),
    /** null: as the device has it. */
    locale: z.string().nullable(),
    theme: z.enum(Theme).nullable(),
  }),
  customer: z
    .object({
      customerId: uuid,
      customerName: z.string(),
      /** Sum of the ledger. null: a reviewer in a support view, which shows no money. */
      balance: money.nullable(),
      /** What running and confirmed tasks still hold back of the balance; null likewise. */
      reserved: money.nullable(),
    })
    .nullable(),
  /** Staff viewing this customer's screens as its viewer: nothing can be changed, and it ends automatically. */
  support: z.object({ until: z.iso.datetime() }).optional(),
  /** A visitor of a public demo: everything of this customer can be read, nothing changed, and it ends automatically. */
  visit: z.object({ until: z.iso.datetime() }).optional(),
  /** Nothing is open but the enrolment of a second factor. */
  mustEnrol: z.literal(true).optional(),
});
export type Session = z.output<typeof session>;

/** Token of a solved puzzle, from `POST /captcha/:id/answer`. */
const captcha = z.string().min(1).max(100);

const byPassword = z.strictObject({
  account: z.string().trim().min(1).max(100),
  password: z.string().min(1).max(200),
  captcha: captcha.optional(),
});
const byEmailCode = z.strictObject({
  email: z.string().trim().min(1).max(254),
  code: z.string().trim().min(1).max(20),
});

export const sessionRoutes = {
  'POST /session': route({
    summary: 'Sign in, with a password or with a code that was sent by e-mail',
    access: 'public',
    body: z.union([byPassword, byEmailCode]),
    response: session,
    errors: [
      'PASSWORD_INCORRECT',
      'CUSTOMER_SUSPENDED',
      'CAPTCHA_REQUIRED',
      'CAPTCHA_FAILED',
      'SIGN_IN_LOCKED',
      'SECOND_FACTOR_REQUIRED',
    ],
  }),
  'POST /session/proof': route({
    summary:
      'Prove once more who I am: by a code of the authenticator app where that is in force, else by the password',
    access: 'session',
    body: z.strictObject({
      currentPassword: z.string().min(1).max(200).optional(),
      totpCode: z.string().trim().max(20).optional(),
    }),
    answer: 'empty',
    status: 204,
    errors: ['REAUTHENTICATE', 'TOTP_CODE_WRONG', 'RATE_LIMITED'],
  }),
  'GET /session': route({ summary: 'Who am I', access: 'session', beforeEnrolment: true, response: session }),
  'DELETE /session': route({
    summary: 'Sign out',
    access: 'session',
    beforeEnrolment: true,
    answer: 'empty',
    status: 204,
  }),
};
