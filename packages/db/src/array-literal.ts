/**
 * Arrays as PostgreSQL's text form, for statements that run thousands of times a second: the driver's own quoting looks
 * at every element of every kind.
 */
export const numberArray = (values: readonly (number | bigint | string | null)[]): string =>
  `{${values.map(orNull).join(',')}}`;

/** For text, and for UUIDs where some may be null. */
export const textArray = (values: readonly (string | null)[]): string => {
  let literal = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) literal += ',';
    literal += quoted(values[i]!);
  }
  return `${literal}}`;
};

const orNull = (value: number | bigint | string | null): string => (value === null ? 'NULL' : String(value));

const plain = /^[A-Za-z0-9_-]+$/;

const quoted = (value: string | null): string => {
  if (value === null) return 'NULL';
  // Unquoted, it would mean null.
  if (plain.test(value) && value.toUpperCase() !== 'NULL') return value;
  return `"${value.replaceAll('\0', '').replace(/["\\]/g, '\\$&')}"`;
};
