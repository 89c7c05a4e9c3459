import { z } from 'zod';
import { factorReset } from './account.ts';
import { Role, staffRoles } from './enums.ts';
import { route } from './route.ts';
import { instant, listOf, page, useState, uuid } from './shapes.ts';

const staffPerson = z.object({
  userId: uuid,
  account: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(staffRoles),
  useState,
  createTime: instant,
  lastSignInTime: instant.nullable(),
  /** Has an authenticator app or a passkey. */
  hasTwoFactor: z.boolean(),
});
export type StaffPerson = z.output<typeof staffPerson>;

const admin = [Role.Admin] as const;

export const staffRoutes = {
  'GET /staff': route({
    summary: "The provider's own people",
    access: admin,
    csv: true,
    query: z.strictObject({ ...page, sort: z.enum(['name', '-name']).default('name') }),
    response: listOf(staffPerson),
  }),
  'POST /staff/:userId/reset-two-factor': route({
    summary: 'Take the lost second factors of one of the staff away, and end their sessions',
    access: admin,
    params: z.object({ userId: uuid }),
    body: factorReset,
    answer: 'empty',
    status: 204,
    errors: ['TWO_FACTOR_OFF', 'OWN_FACTORS', 'REAUTHENTICATE', 'RATE_LIMITED'],
  }),
};
