/**
 * Validation of user settings: each setting has a shape; the error for a wrong value contains the setting's name and
 * the allowed values.
 */
import { OUTCOME_NAMES } from './outcomes.ts';

/** Returns undefined if the value is valid, else what it must be. */
export type Shape = (value: unknown) => string | undefined;
export type Shapes<T> = { readonly [Name in keyof T]-?: Shape };

/** Throws on a name without a shape and on a value that has not its shape. */
export function assertShapes(
  what: 'setting' | 'fault',
  shapes: Readonly<Record<string, Shape>>,
  values: object,
  path = '',
): void {
  for (const [name, value] of Object.entries(values)) {
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    if (shape === undefined) throw new Error(`no such ${what}: ${path}${name}`);
    const must = shape(value);
    if (must !== undefined) throw new Error(`${path}${name} must be ${must}`);
  }
}

const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

export const isNumber: Shape = (value) => (isAmount(value) ? undefined : 'a number from 0 up');

export const isShare: Shape = (value) => (isAmount(value) && value <= 1 ? undefined : 'a share from 0 to 1');

export const isStatus: Shape = (value) =>
  isAmount(value) && Number.isInteger(value) && value <= 0xffffffff ? undefined : 'a command_status';

/** ASCII, as SMPP's names and passwords are. */
export function isText(min: number, max: number): Shape {
  return (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max && /^[\x20-\x7e]*$/.test(value)
      ? undefined
      : `${min} to ${max} ASCII characters`;
}

export function isOneOf(...values: readonly (string | boolean)[]): Shape {
  return (value) => (values.some((each) => each === value) ? undefined : `one of ${values.join(', ')}`);
}

export function listOf(...values: readonly string[]): Shape {
  return (value) =>
    Array.isArray(value) && value.every((each) => values.includes(each as string))
      ? undefined
      : `a list of ${values.join(', ')}`;
}

export const isSpan: Shape = (value) => {
  const must = '{ "fromMs": 20, "toMs": 80 }, with "tailShare": 0.01, "tailMs": 2000 if a share takes longer';
  if (typeof value !== 'object' || value === null) return must;
  const { fromMs, toMs, tailShare = 0, tailMs = 0, ...rest } = value as Record<string, unknown>;
  if (Object.keys(rest).length > 0 || !isAmount(fromMs) || !isAmount(toMs) || fromMs > toMs) return must;
  return isShare(tailShare) === undefined && isAmount(tailMs) ? undefined : must;
};

export const isMix: Shape = (value) => {
  const must = `weights of ${OUTCOME_NAMES.join(', ')}, such as { "delivered": 0.98, "undeliv": 0.02 }`;
  if (typeof value !== 'object' || value === null) return must;
  const known: readonly string[] = [...OUTCOME_NAMES, 'refusedStatus'];
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([name, weight]) => known.includes(name) && isAmount(weight))
    ? undefined
    : must;
};
