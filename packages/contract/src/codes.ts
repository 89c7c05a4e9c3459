import { z } from 'zod';
import { route } from './route.ts';

const email = z.string().trim().min(1).max(254);
const phone = z.string().trim().min(1).max(40);
const code = z.string().trim().min(1).max(20);
const password = z.string().min(1).max(200);

/** Seconds between two codes to one destination. */
export const resendAfterS = 60;
export const codeDigits = 6;

export const codeRoutes = {
  'POST /codes': route({
    summary: 'Send a one-time code; answered the same whether the address or phone is anybody’s or not',
    access: 'public',
    body: z.union([
      z.strictObject({ purpose: z.enum(['signIn', 'resetPassword']), email }),
      z.strictObject({ purpose: z.literal('resetPassword'), phone }),
    ]),
    status: 202,
    response: z.object({
      /** Seconds until the next one can be asked for. */
      resendAfterS: z.int(),
      /** Seconds for which the code opens anything. */
      expiresInS: z.int(),
    }),
    errors: ['RATE_LIMITED'],
  }),
  'POST /password-resets/by-phone': route({
    summary: 'Set a new password with a code that was sent by SMS',
    access: 'public',
    body: z.strictObject({ phone, code, newPassword: password, confirmPassword: password }),
    answer: 'empty',
    status: 204,
    errors: ['CODE_INVALID', 'RATE_LIMITED'],
  }),
  'POST /password-resets/verify': route({
    summary: 'Give the code that was sent by e-mail, for leave to set a new password',
    access: 'public',
    body: z.strictObject({ email, code }),
    response: z.object({ grant: z.string(), expiresInS: z.int() }),
    errors: ['CODE_INVALID', 'RATE_LIMITED'],
  }),
  'POST /password-resets': route({
    summary: 'Set a new password after the code was given',
    access: 'public',
    body: z.strictObject({ grant: z.string().min(1).max(100), newPassword: password, confirmPassword: password }),
    answer: 'empty',
    status: 204,
    errors: ['RESET_ENDED', 'RATE_LIMITED'],
  }),
  'POST /password': route({
    summary: 'Change my password; ends my other sessions',
    access: 'session',
    body: z.strictObject({ currentPassword: password, newPassword: password, confirmPassword: password }),
    answer: 'empty',
    status: 204,
    errors: ['REAUTHENTICATE', 'RATE_LIMITED'],
  }),
};

export const devOutboxRoutes = {
  'GET /dev/outbox': route({
    summary: 'The development mailbox: mail and SMS to one address or phone, the newest first (demo on loopback alone)',
    access: 'public',
    query: z.strictObject({ to: z.string().trim().min(1).max(254) }),
    response: z.object({
      items: z.array(
        z.object({
          channel: z.enum(['email', 'sms']),
          to: z.string(),
          subject: z.string().nullable(),
          text: z.string(),
          html: z.string().nullable(),
          time: z.iso.datetime(),
        }),
      ),
    }),
  }),
};
