import { z } from 'zod';
import { savedLists } from './list-values.ts';
import { route } from './route.ts';
import { appId, instant, listOf, name, uuid, yesNo } from './shapes.ts';
import { carrierFilters } from './statistics-values.ts';

const numbers = z.string().regex(/^\d{1,2}(,\d{1,2}){0,15}$/);

/** Long runs of digits, as in a phone number, are no text that a list is narrowed to again and again. */
const text = z.string().trim().min(1).max(100);
const search = text.refine((value) => !/\d{7}/.test(value.replace(/[\s()+.-]/g, '')));
const word = z.string().regex(/^[\w.,:-]{1,100}$/);

/** As in the address of the list; which of them a list has: `savedListFilters`. No phone number. */
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
  search: search.optional(),
  /** A path of the API, narrowing the calls. */
  path: text.optional(),
  /** The name of a person, or of a key, in the audit log. */
  actor: search.optional(),
  /** The sender ID or number that a reply was sent to. */
  destination: z
    .string()
    .trim()
    .regex(/^[\w.@ -]{1,20}$/)
    .optional(),
  ...valuesOf([
    ...(['action', 'actorKind', 'auditStatus', 'endpointId', 'handled', 'keyId', 'kind', 'linkState'] as const),
    ...(['mode', 'optOut', 'reviewPolicy', 'role', 'source', 'state', 'status', 'subjectId', 'subjectType'] as const),
    ...(['supplierId', 'taskStatus', 'type', 'useState'] as const),
  ]),
});

/** Values chosen from those that a list has; several are joined by commas. */
function valuesOf<const K extends string>(names: readonly K[]): Record<K, z.ZodOptional<typeof word>> {
  return Object.fromEntries(names.map((each) => [each, word.optional()])) as Record<K, z.ZodOptional<typeof word>>;
}
export type SavedFilterValues = z.output<typeof savedFilterValues>;

/** In the document of the interface, values by name: each list names its own. */
const filterValues = z
  .record(z.string().max(30), z.union([z.string().max(100), z.number()]))
  .superRefine((values, context) => {
    for (const { path, message } of savedFilterValues.safeParse(values).error?.issues ?? [])
      context.addIssue({ code: 'custom', path, message });
  }) as unknown as z.ZodType<SavedFilterValues, SavedFilterValues>;

const list = z.enum(savedLists);
const sort = z.string().regex(/^-?[A-Za-z]{1,30}$/);
const columns = z.array(z.string().regex(/^[A-Za-z]{1,40}$/)).max(40);

const savedFilter = z.object({
  filterId: uuid,
  name: z.string(),
  filters: filterValues,
  /** The list's order; null: its usual one. */
  sort: sort.nullable(),
  /** Columns switched from what they are by default; null: as each person has them. */
  columns: columns.nullable(),
  /** The list opens with it, for its maker. */
  isDefault: yesNo,
  /** Everyone of the customer, or all staff, see it. */
  isShared: yesNo,
  /** It stands above the list. */
  isPinned: yesNo,
  /** Whether I may change it: its maker, an owner, an admin. */
  mayChange: yesNo,
  /** Its maker, if that is someone else. */
  madeBy: z.string().nullable(),
});
export type SavedFilter = z.output<typeof savedFilter>;

const params = z.object({ filterId: uuid });
const content = { name: name(40), filters: filterValues, sort: sort.nullable(), columns: columns.nullable() };

export const savedFilterRoutes = {
  'GET /saved-filters': route({
    summary: 'Saved views of a list by name: mine, and those shared with me',
    access: 'session',
    query: z.strictObject({ list: list.default('records') }),
    response: listOf(savedFilter),
  }),
  'POST /saved-filters': route({
    summary: 'Save filters, order and columns of a list as a view',
    access: 'session',
    status: 201,
    body: z.strictObject({
      list,
      ...content,
      sort: content.sort.default(null),
      columns: content.columns.default(null),
      isDefault: yesNo.default(0),
      isShared: yesNo.default(0),
      isPinned: yesNo.default(0),
    }),
    response: savedFilter,
    errors: ['SAVED_FILTER_LIMIT', 'SAVED_FILTER_NAME_TAKEN', 'FORBIDDEN'],
  }),
  'PATCH /saved-filters/:filterId': route({
    summary: 'Change a saved view, share or pin it, or let the list open with it',
    access: 'session',
    params,
    body: z.strictObject({ ...content, isDefault: yesNo, isShared: yesNo, isPinned: yesNo }).partial(),
    response: savedFilter,
    errors: ['SAVED_FILTER_NAME_TAKEN', 'FORBIDDEN'],
  }),
  'DELETE /saved-filters/:filterId': route({
    summary: 'Delete a saved view',
    access: 'session',
    params,
    answer: 'empty',
    errors: ['FORBIDDEN'],
  }),
};
