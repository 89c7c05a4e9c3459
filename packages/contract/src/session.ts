import { z } from 'zod';
import { Role } from './enums.ts';
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
  }),
  customer: z
    .object({
      customerId: uuid,
      customerName: z.string(),
      /** Sum of the ledger. */
      balance: money,
      /** What running and confirmed tasks still hold back of the balance. */
      reserved: money,
    })
    .nullable(),
});
export type Session = z.output<typeof session>;

export const sessionRoutes = {
  'POST /session': route({
    summary: 'Sign in',
    access: 'public',
    body: z.strictObject({ account: z.string().trim().min(1).max(100), password: z.string().min(1).max(200) }),
    response: session,
    errors: ['PASSWORD_INCORRECT', 'CUSTOMER_SUSPENDED'],
  }),
  'GET /session': route({ summary: 'Who am I', access: 'session', response: session }),
  'DELETE /session': route({ summary: 'Sign out', access: 'session', answer: 'empty', status: 204 }),
};
