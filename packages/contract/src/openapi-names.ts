/**
 * Schemas that occur more than once in the document, and those of whole bodies and answers, get a name under
 * `components.schemas`: readers and generators see one `Template`, not thirty copies of its fields.
 */

export type JsonSchema = Record<string, unknown>;

/** A place with a schema, and what the schema would be called there. */
export interface SchemaPlace {
  readonly holder: { schema: JsonSchema };
  readonly name: string;
}

const PREFIX = '#/components/schemas/';

/**
 * Replaces the schemas of `places` by references, and returns the named ones. `taken`: names that are in use; `better`: names to
 * use instead of those that follow from the place.
 */
export function nameSchemas(
  places: readonly SchemaPlace[],
  taken: readonly string[],
  better: Readonly<Record<string, string>> = {},
): Record<string, JsonSchema> {
  const counts = new Map<string, number>();
  for (const { holder } of places)
    visit(holder.schema, '', (schema) => {
      const key = JSON.stringify(schema);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    });
  const tops = new Set(places.map(({ holder }) => JSON.stringify(holder.schema)));
  const names = new Map<string, string>();
  const used = new Set(taken);
  for (const { holder, name } of places)
    visit(holder.schema, name, (schema, wanted) => {
      const key = JSON.stringify(schema);
      if (names.has(key) || !isNamed(schema) || ((counts.get(key) ?? 0) < 2 && !tops.has(key))) return;
      const free = findFree(wanted, used);
      used.add(free);
      names.set(key, better[free] ?? free);
    });
  const components: Record<string, JsonSchema> = {};
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const inner = () => Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replace(each)]));
    const name = isNamed(value as JsonSchema) ? names.get(JSON.stringify(value)) : undefined;
    if (name === undefined) return inner();
    components[name] ??= inner();
    return { $ref: PREFIX + name };
  };
  for (const { holder } of places) holder.schema = replace(holder.schema) as JsonSchema;
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Objects with fields; a record or a value is clearer where it stands. */
const isNamed = ({ type, properties }: JsonSchema): boolean =>
  type === 'object' && typeof properties === 'object' && Object.keys(properties as object).length > 1;

function findFree(wanted: string, used: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; used.has(name); number++) name = `${wanted}${number}`;
  return name;
}

/** Calls `see` for every object schema, the outer ones first. */
function visit(schema: unknown, name: string, see: (schema: JsonSchema, name: string) => void): void {
  if (Array.isArray(schema)) for (const each of schema) visit(each, name, see);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  const given = schema as JsonSchema;
  if (isNamed(given)) see(given, name);
  for (const [key, value] of Object.entries(given)) {
    if (key === 'properties')
      for (const [property, each] of Object.entries(value as object)) visit(each, nameOf(name, property), see);
    else if (typeof value === 'object') visit(value, name, see);
  }
}

/** `items` of a list have the list's name without its ending. */
function nameOf(holder: string, property: string): string {
  if (property === 'items') return holder.replace(/List$/, '');
  return holder.replace(/List$/, '') + pascal(singular(property));
}

export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

export const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch)es$/, '$1')
    .replace(/([^su])s$/, '$1');
