import type { FieldError } from '@pahatid/contract';

const unitsPerPeso = 10_000;

/** Returns an amount's error with its bounds in pesos, where the API has them in 1/10,000. */
export function inPesos(error: FieldError): FieldError {
  if (error.params === undefined) return error;
  const bounds = Object.entries(error.params).map(([name, value]) => [
    name,
    typeof value === 'number' ? value / unitsPerPeso : value,
  ]);
  return { ...error, params: Object.fromEntries(bounds) as typeof error.params };
}
