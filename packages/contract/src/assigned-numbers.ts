import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { appId, instant, listOf, ofCustomer, page, text, useState, uuid } from './shapes.ts';

/** A short code or a long number that staff assigned to an application as a source; phones can reply to it. */
const assignedNumber = z.object({
  numberId: uuid,
  /** Digits only: a short code of up to 8 of them, or an international number. */
  number: z.string(),
  kind: z.enum(['shortCode', 'longNumber']),
  appId,
  appName: z.string(),
  useState,
  remarkInfo: z.string(),
  assignTime: instant,
  /** The customer; for staff alone. */
  operator: z.string().optional(),
  customerId: uuid.optional(),
});
export type AssignedNumber = z.output<typeof assignedNumber>;

const params = z.object({ numberId: uuid });
const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const operators = [Role.Operator, Role.Admin] as const;

export const assignedNumberRoutes = {
  'GET /numbers': route({
    summary: 'Short codes and long numbers that are assigned to applications',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['number', '-number']).default('number'),
      ...ofCustomer,
      search: z.string().trim().max(20).optional(),
      appId: appId.optional(),
      useState: z.enum(['0', '1']).optional(),
    }),
    response: listOf(assignedNumber),
  }),
  'POST /customers/:customerId/numbers': route({
    summary: 'Assign a number to an application of a customer, which alone may send from it and gets the replies to it',
    access: operators,
    status: 201,
    params: z.object({ customerId: uuid }),
    body: z.strictObject({
      appId,
      number: z.string().trim().min(3).max(30),
      remarkInfo: text(200).default(''),
    }),
    response: assignedNumber,
    errors: ['NUMBER_INVALID', 'NUMBER_TAKEN', 'APP_NOT_FOUND'],
  }),
  'GET /numbers/:numberId': route({
    summary: 'One assigned number',
    access: readers,
    params,
    response: assignedNumber,
  }),
  'POST /customers/:customerId/numbers/:numberId/enable': route({
    summary: 'Let an application send from its number again',
    access: operators,
    params: params.extend({ customerId: uuid }),
    response: assignedNumber,
  }),
  'POST /customers/:customerId/numbers/:numberId/disable': route({
    summary: 'Stop sending from a number; replies to it still reach its owner',
    access: operators,
    params: params.extend({ customerId: uuid }),
    response: assignedNumber,
  }),
  'DELETE /customers/:customerId/numbers/:numberId': route({
    summary: 'Withdraw a number, which may then be assigned again',
    access: operators,
    params: params.extend({ customerId: uuid }),
    answer: 'empty',
    status: 204,
    errors: ['NUMBER_IN_USE'],
  }),
};
