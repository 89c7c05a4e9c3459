import { z } from 'zod';
import { route } from './route.ts';
import { session } from './session.ts';
import { workTicket } from './shapes.ts';

export const demoVisitRoutes = {
  'POST /demo-visits/ticket': route({
    summary: 'Before a visit to the demo: a ticket that opens one call, and the work that makes it count',
    access: 'public',
    response: workTicket,
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
  }),
  'POST /demo-visits': route({
    summary: 'Enter the demo as a visitor, who reads everything and changes nothing',
    access: 'public',
    body: z.strictObject({ ticket: z.string().min(1).max(120), proof: z.string().min(1).max(40) }),
    response: session,
    errors: ['NOT_FOUND', 'RATE_LIMITED', 'CAPTCHA_FAILED'],
  }),
};
