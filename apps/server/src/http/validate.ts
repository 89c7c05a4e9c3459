/**
 * Validates input against the contract's schemas. Strict objects reject fields missing from the contract; every error
 * names its field. In addition to the schemas: no string may contain characters that a database text can't hold (NUL,
 * half a surrogate pair).
 */
import type { FieldError } from '@pahatid/contract';
import { z } from 'zod';
import { ProblemError } from './problem.ts';

const maxComplaints = 50;

/** Parses one part of a request, or throws VALIDATION_FAILED. `null` means a part that the contract does not have. */
export function validate(schema: z.ZodType | undefined, value: unknown): unknown {
  const unstorable = findUnstorable(value, '');
  if (unstorable !== null) throw new ProblemError('VALIDATION_FAILED', undefined, [unstorable]);
  const parsed = (schema ?? nothing).safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new ProblemError(
    'VALIDATION_FAILED',
    undefined,
    parsed.error.issues.flatMap(complaintsOf).slice(0, maxComplaints),
  );
}

/** A part that the contract does not have: absent, or an object without a field. */
const nothing = z.union([z.undefined(), z.null(), z.strictObject({})]).transform(() => undefined);

type Issue = z.core.$ZodIssue;

/** Codes: REQUIRED, UNKNOWN_FIELD, TOO_SHORT, TOO_LONG, TOO_SMALL, TOO_BIG, NOT_AN_OPTION, FORMAT, TYPE, INVALID. */
function complaintsOf(issue: Issue): FieldError[] {
  const field = issue.path.map(String).join('.');
  const below = (key: string) => (field === '' ? key : `${field}.${key}`);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ field: below(key), code: 'UNKNOWN_FIELD' }));
    case 'invalid_type':
      return [{ field, code: issue.input === undefined ? 'REQUIRED' : 'TYPE', params: { expected: issue.expected } }];
    case 'too_small':
      return [
        {
          field,
          code: issue.origin === 'string' || issue.origin === 'array' ? 'TOO_SHORT' : 'TOO_SMALL',
          params: { minimum: Number(issue.minimum) },
        },
      ];
    case 'too_big':
      return [
        {
          field,
          code: issue.origin === 'string' || issue.origin === 'array' ? 'TOO_LONG' : 'TOO_BIG',
          params: { maximum: Number(issue.maximum) },
        },
      ];
    case 'invalid_value':
      return [{ field, code: issue.input === undefined ? 'REQUIRED' : 'NOT_AN_OPTION' }];
    case 'invalid_union': {
      const nearest = nearestComplaints(issue);
      if (nearest !== null) return nearest.map((one) => ({ ...one, field: below(one.field) }));
      return [{ field, code: issue.input === undefined ? 'REQUIRED' : 'NOT_AN_OPTION' }];
    }
    case 'invalid_format':
      return [{ field, code: 'FORMAT', params: { format: issue.format } }];
    default:
      return [{ field, code: 'INVALID' }];
  }
}

/** Of a body that may have one of several shapes: the complaints of the shape that it comes nearest to. */
function nearestComplaints(issue: z.core.$ZodIssueInvalidUnion): FieldError[] | null {
  const isOfObjects = issue.errors.length > 0 && issue.errors.every((of) => of.every((one) => !isOfWhole(one)));
  if (!isOfObjects) return null;
  const shapes = issue.errors.map((of) => of.flatMap(complaintsOf)).sort((a, b) => a.length - b.length);
  return shapes[0] ?? null;
}

/** The value is no object at all. */
const isOfWhole = (issue: Issue): boolean => issue.path.length === 0 && issue.code !== 'unrecognized_keys';

/**
 * Finds characters that PostgreSQL's text rejects or silently changes: a clear error is better than a fault or altered
 * text.
 */
function findUnstorable(value: unknown, field: string): FieldError | null {
  if (typeof value === 'string')
    return value.includes('\0') || !value.isWellFormed() ? { field, code: 'CHARACTERS' } : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const path = field === '' ? key : `${field}.${key}`;
    const found =
      key.includes('\0') || !key.isWellFormed() ? { field, code: 'CHARACTERS' } : findUnstorable(inner, path);
    if (found !== null) return found;
  }
  return null;
}
