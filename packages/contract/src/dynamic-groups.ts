/**
 * Dynamic groups: members are selected from other groups by conditions, each time the group is counted, listed or sent to.
 * (Not called segments, as elsewhere: those are what a text is charged by.)
 */
import { z } from 'zod';
import { count, name, uuid } from './shapes.ts';

/** Conditions of one group. */
export const conditionLimit = 10;
/** Groups that one selects from. */
export const sourceGroupLimit = 20;
/** Days that a condition looks back. */
export const conditionDays = 365;
/** Range holders that one condition names. */
const holderLimit = 20;

export const valueOperators = [
  'is',
  'isNot',
  'contains',
  'startsWith',
  'isEmpty',
  'isNotEmpty',
  'above',
  'below',
] as const;
type ValueOperator = (typeof valueOperators)[number];
/** Operators that compare with nothing. */
export const isUnary = (operator: ValueOperator): boolean => operator === 'isEmpty' || operator === 'isNotEmpty';

/**
 * `joined` the group; `written`: a message to the number was submitted; `delivered`; `clicked`: opened a link of
 * a message of these days; `replied`.
 */
export const historyFields = ['joined', 'written', 'delivered', 'clicked', 'replied'] as const;
export type HistoryField = (typeof historyFields)[number];
export const historyOperators = ['within', 'notWithin'] as const;

const numberText = /^-?\d{1,15}(?:\.\d{1,6})?$/;

const valueCondition = z
  .strictObject({
    field: z.literal('value'),
    /** Name of a value of the members; case does not matter. Members of a group without it have it empty. */
    name: name(30),
    operator: z.enum(valueOperators),
    /** Empty for `isEmpty` and `isNotEmpty`, a number for `above` and `below`; case does not matter. */
    value: z.string().trim().max(100).default(''),
  })
  .refine(({ operator, value }) => isUnary(operator) || value !== '', { path: ['value'] })
  .refine(({ operator, value }) => !['above', 'below'].includes(operator) || numberText.test(value), {
    path: ['value'],
  });

const holderCondition = z.strictObject({
  field: z.literal('rangeHolder'),
  operator: z.enum(['is', 'isNot']),
  holders: z.array(name(20)).min(1).max(holderLimit),
});

const historyCondition = z.strictObject({
  field: z.enum(historyFields),
  operator: z.enum(historyOperators),
  /** Counted back from the moment of the selection, in days of 24 hours. */
  days: z.number().int().min(1).max(conditionDays),
});

const groupCondition = z.union([valueCondition, holderCondition, historyCondition]);
export type GroupCondition = z.output<typeof groupCondition>;

export const groupSelection = z.strictObject({
  /** Groups, not dynamic ones, that members are selected from; of a number in several, the first that fits counts. */
  groupIds: z
    .array(uuid)
    .min(1)
    .max(sourceGroupLimit)
    .refine((ids) => new Set(ids).size === ids.length),
  match: z.enum(['all', 'any']).default('all'),
  conditions: z.array(groupCondition).min(1).max(conditionLimit),
});
export type GroupSelection = z.output<typeof groupSelection>;

/** How many members a selection finds now. */
export const selectionCount = z.object({
  /** An estimate where `isEstimate`: from a random sample of the groups’ members. */
  count,
  isEstimate: z.boolean(),
  /** Half the width of the estimate’s 95 % interval; 0 if it is exact. */
  margin: count,
  /** Members of the groups together, a number in several counted in each. */
  sourceCount: count,
  /** Some that were found, at most ten. */
  sample: z.array(z.string()),
  /** Names in the conditions that are no value of any of the groups. */
  unknownNames: z.array(z.string()),
});
export type SelectionCount = z.output<typeof selectionCount>;
