/** Fields of a schema as a list: name, type, whether it is required, bounds, meaning, example. */
import type { ReferenceCopy } from '../src/features/public/copy/shapes.ts';
import { escapeHtml } from './highlight.ts';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  examples?: unknown[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
}

const PREFIX = '#/components/schemas/';
/** Bounds that a number of JavaScript has anyway. */
const isBound = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;

/**
 * Alternatives of an object follow each other, separated by a line. `isGiven`: the caller sends it, so that it matters which fields
 * are required.
 */
export function drawFields(schema: object, copy: ReferenceCopy, isGiven = false): string {
  const given = schema as Schema;
  const shapes = given.oneOf ?? given.anyOf;
  if (shapes && shapes.filter(isObject).length > 1)
    return shapes.map((shape) => drawFields(shape, copy, isGiven)).join(`<p class="docs-or">${copy.or}</p>`);
  if (given.properties === undefined) return `<p>${drawType(given)}</p>`;
  const note = given.description === undefined ? '' : `<p>${drawText(given.description)}</p>`;
  return `${note}<dl>${drawRows('', given, copy, isGiven || hasOptional(given))}</dl>`;
}

/** Answers have all their fields. */
const hasOptional = ({ properties = {}, required = [] }: Schema): boolean =>
  required.length < Object.keys(properties).length;

/** Marks code as Markdown does. */
const drawText = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const isObject = (schema: Schema): boolean => schema.properties !== undefined || schema.$ref !== undefined;

/** Fields of objects without a name follow the field that holds them. */
function drawRows(
  prefix: string,
  { properties = {}, required = [] }: Schema,
  copy: ReferenceCopy,
  marksRequired: boolean,
): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const inner = innerObject(schema);
      const row = drawRow(prefix + name, schema, marksRequired && required.includes(name), copy);
      return inner === null
        ? row
        : row + drawRows(`${prefix}${name}${inner.suffix}.`, inner.schema, copy, marksRequired);
    })
    .join('');
}

function innerObject(schema: Schema): { schema: Schema; suffix: string } | null {
  if (schema.properties !== undefined) return { schema, suffix: '' };
  if (schema.items?.properties !== undefined) return { schema: schema.items, suffix: '[]' };
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return only !== undefined && others.length === 0 ? innerObject(only) : null;
}

function drawRow(name: string, schema: Schema, isRequired: boolean, copy: ReferenceCopy): string {
  const bounds = listBounds(schema, copy);
  const [example] = schema.examples ?? [];
  return `<dt><code>${escapeHtml(name)}</code> <span>${drawType(schema)}</span>${isRequired ? ` <em>${copy.required}</em>` : ''}${bounds === '' ? '' : `<small>${bounds}</small>`}</dt><dd>${drawText(schema.description ?? '')}${example === undefined ? '' : ` <code>${escapeHtml(typeof example === 'string' ? example : JSON.stringify(example))}</code>`}</dd>`;
}

/** HTML. */
function drawType(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(PREFIX.length);
    return `<a href="#${name}">${name}</a>`;
  }
  const shapes = schema.anyOf ?? schema.oneOf;
  if (shapes !== undefined) return [...new Set(shapes.map(drawType))].join(' | ');
  if ('const' in schema) return escapeHtml(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return escapeHtml(schema.enum.map((value) => JSON.stringify(value)).join(' | '));
  if (schema.type === 'array') {
    const items = schema.items ? drawType(schema.items) : '';
    return items.includes(' | ') ? `(${items})[]` : `${items}[]`;
  }
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'any');
  return schema.format === undefined ? type : `${type} ${schema.format}`;
}

function listBounds(
  { minimum, maximum, minLength, maxLength, minItems, maxItems, ...rest }: Schema,
  copy: ReferenceCopy,
): string {
  const range = (least: number | undefined, most: number | undefined, unit: string): string[] => {
    if (isBound(least) && isBound(most)) return [`${least}–${most}${unit}`];
    if (isBound(most)) return [`≤ ${most}${unit}`];
    return isBound(least) && least > 0 ? [`≥ ${least}${unit}`] : [];
  };
  return [
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ` ${copy.characters}`),
    ...range(minItems, maxItems, ` ${copy.entries}`),
    ...(rest.default === undefined ? [] : [`${copy.byDefault} ${escapeHtml(JSON.stringify(rest.default))}`]),
  ].join(', ');
}

/** The objects that HTML refers to, and those that they refer to in turn, in the order of their first mention. */
export function listReferred(html: string, draw: (name: string) => string): { name: string; html: string }[] {
  const found: { name: string; html: string }[] = [];
  const seen = new Set<string>();
  const read = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/<a href="#([A-Z]\w*)">/g)) {
      if (seen.has(name)) continue;
      seen.add(name);
      const own = draw(name);
      found.push({ name, html: own });
      read(own);
    }
  };
  read(html);
  return found;
}
