import { z } from 'zod';
import { route } from './route.ts';
import { appId, instant, listOf, name, uuid, yesNo } from './shapes.ts';
import { carrierFilters } from './statistics-values.ts';

const numbers = z.string().regex(/^\d{1,2}(,\d{1,2}){0,15}$/);

/** As in the address of the list. No phone number: a saved filter applies to many records. */
const savedFilterValues = z.strictObject({
  /** So many days up to now, in place of two instants. */
  days: z.number().int().min(1).max(400).optional(),
  from: instant.optional(),
  to: instant.optional(),
  sendStatus: numbers.optional(),
  clientStatus: numbers.optional(),
  smsType: numbers.optional(),
  carrier: z.enum(carrierFilters).optional(),
  clientSid: z.string().trim().min(1).max(20).optional(),
  areaCode: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  taskId: uuid.optional(),
  templateId: uuid.optional(),
  appId: appId.optional(),
  /** Staff only. */
  customerId: uuid.optional(),
  routeId: uuid.optional(),
});
export type SavedFilterValues = z.output<typeof savedFilterValues>;

const savedFilter = z.object({ filterId: uuid, name: z.string(), filters: savedFilterValues, isDefault: yesNo });
export type SavedFilter = z.output<typeof savedFilter>;

const list = z.literal('records');
const params = z.object({ filterId: uuid });

export const savedFilterRoutes = {
  'GET /saved-filters': route({
    summary: 'My saved filters of a list, by name',
    access: 'session',
    query: z.strictObject({ list: list.default('records') }),
    response: listOf(savedFilter),
  }),
  'POST /saved-filters': route({
    summary: 'Save a filter under a name',
    access: 'session',
    status: 201,
    body: z.strictObject({ list, name: name(40), filters: savedFilterValues, isDefault: yesNo.default(0) }),
    response: savedFilter,
    errors: ['SAVED_FILTER_LIMIT', 'SAVED_FILTER_NAME_TAKEN'],
  }),
  'PATCH /saved-filters/:filterId': route({
    summary: 'Rename a saved filter, change what it holds, or let the list open with it',
    access: 'session',
    params,
    body: z.strictObject({
      name: name(40).optional(),
      filters: savedFilterValues.optional(),
      isDefault: yesNo.optional(),
    }),
    response: savedFilter,
    errors: ['SAVED_FILTER_NAME_TAKEN'],
  }),
  'DELETE /saved-filters/:filterId': route({
    summary: 'Delete a saved filter',
    access: 'session',
    params,
    answer: 'empty',
  }),
};
