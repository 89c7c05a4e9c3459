/** Generates bodies and queries from JSON Schema: mostly valid, occasionally invalid. */
import type { Operation } from '@pahatid/contract';
import fc, { type Arbitrary } from 'fast-check';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly pattern?: string;
}

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', ' ', '\u0000', '\ud83d', '\u202e', '-1', '1e309', '9999-12-31T23:59:59.999Z', 'x'.repeat(3_000)),
  fc.constantFrom(-1, 0, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308),
);

const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });

function text({ minLength = 0, maxLength = 60, format }: Schema): Arbitrary<unknown> {
  const max = Math.max(minLength, Math.min(maxLength, 300));
  const free = fc.oneof(
    fc.string({ minLength, maxLength: max }),
    fc.string({ unit: 'grapheme', minLength, maxLength: max }),
    fc.constantFrom('09171234567', '+639171234567', 'Asia/Manila', 'UTC', 'Hello {1}', 'SHOP'),
  );
  if (format === 'uuid') return fc.oneof(fc.uuid({ version: 7 }), fc.uuid());
  if (format === 'date-time') return day.map((at) => at.toISOString());
  if (format === 'date') return day.map((at) => at.toISOString().slice(0, 10));
  if (format === 'email') return fc.oneof(fc.emailAddress(), fc.constant('owner@shop.example'));
  return free;
}

/** Values the schema allows, as far as supported here: patterns and additional rules are left to chance. */
function fitting(schema: Schema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(fitting));
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? -100, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 1_000_000, 2 ** 31 - 1),
      });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(near(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object':
      return fc.record(mapped(schema.properties ?? {}), { requiredKeys: [] });
    default:
      return anything;
  }
}

/** One in eight values violates the schema. */
const near = (schema: Schema): Arbitrary<unknown> =>
  fc.oneof({ weight: 7, arbitrary: fitting(schema) }, { weight: 1, arbitrary: anything });

const mapped = (properties: Record<string, Schema>): Record<string, Arbitrary<unknown>> =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, near(each)]));

/** A body that passes, with some of its fields replaced; or one made from the schema; or anything. */
export function makeBodyArbitrary(schema: object, passing: object): Arbitrary<unknown> {
  const { properties = {} } = schema as Schema;
  const fields = fc.record(mapped(properties), { requiredKeys: [] });
  return fc.oneof(
    { weight: 6, arbitrary: fields.map((some) => ({ ...passing, ...some })) },
    { weight: 3, arbitrary: fields },
    { weight: 1, arbitrary: anything },
  );
}

export function makeQueryArbitrary(operation: Operation): Arbitrary<Record<string, string> | undefined> {
  const parameters = (operation.parameters ?? []).filter((each) => each.in === 'query');
  if (parameters.length === 0) return fc.constant(undefined);
  const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const named = Object.fromEntries(parameters.map(({ name, schema }) => [name, near(schema as Schema).map(asText)]));
  return fc.record(named, { requiredKeys: [] }) as Arbitrary<Record<string, string>>;
}
