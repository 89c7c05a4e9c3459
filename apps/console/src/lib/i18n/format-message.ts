/**
 * Puts values into a message that the build has parsed. ICU MessageFormat as our catalogues use it: arguments, numbers,
 * plurals, selects and tags; dates are formatted before they get here, in the reader's zone.
 */
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { withoutIsolate } from './text-direction.ts';

/** Plain text is itself. */
export type CompiledMessage = string | readonly MessageFormatElement[];

/** The parser's numbers for its kinds of elements; its own names for them would bring the parser along. */
const KIND = { literal: 0, argument: 1, number: 2, select: 5, plural: 6, pound: 7, tag: 8 } as const;

export type MessageValues = Readonly<Record<string, unknown>>;
type Chunks = (chunks: unknown[]) => unknown;

const numbers = new Map<string, Intl.NumberFormat>();
const plurals = new Map<string, Intl.PluralRules>();

/** Making a formatter costs more than a hundred uses of it. */
function cached<T>(made: Map<string, T>, key: string, make: () => T): T {
  const known = made.get(key) ?? make();
  made.set(key, known);
  return known;
}

/** In Latin digits for every user, as all other numbers on the screen. */
const formatNumber = (locale: string, value: unknown): string =>
  cached(numbers, locale, () => new Intl.NumberFormat(`${locale}-u-nu-latn`)).format(value as number);

/** Returns the parts in order: texts, and any other values or tag results. */
export function formatParts(
  message: CompiledMessage,
  locale: string,
  values: MessageValues = {},
  /** Value of `#`. */
  pound?: number,
): unknown[] {
  if (typeof message === 'string') return [message];
  const parts: unknown[] = [];
  const add = (part: unknown) => {
    const last = parts.length - 1;
    if (typeof part === 'string' && typeof parts[last] === 'string') parts[last] += part;
    else parts.push(part);
  };
  for (const element of message) {
    if (element.type === KIND.literal) add(element.value);
    else if (element.type === KIND.pound) add(pound === undefined ? '#' : formatNumber(locale, pound));
    else for (const part of valueParts(element, locale, values, pound)) add(part);
  }
  return parts;
}

type Named = Exclude<MessageFormatElement, { type: typeof KIND.literal | typeof KIND.pound }>;

function valueParts(element: Named, locale: string, values: MessageValues, pound?: number): unknown[] {
  const value = values[element.value];
  switch (element.type) {
    case KIND.argument:
      return [typeof value === 'object' && value !== null ? value : `${(value as string | number | undefined) ?? ''}`];
    case KIND.number:
      return [formatNumber(locale, value)];
    case KIND.select: {
      const option = element.options[withoutIsolate(String(value))] ?? element.options['other'];
      return option ? formatParts(option.value, locale, values, pound) : [];
    }
    case KIND.plural: {
      const count = Number(value);
      const counted = count - element.offset;
      const type = element.pluralType ?? 'cardinal';
      const rules = cached(plurals, `${locale} ${type}`, () => new Intl.PluralRules(locale, { type }));
      const option = element.options[`=${count}`] ?? element.options[rules.select(counted)] ?? element.options['other'];
      return option ? formatParts(option.value, locale, values, counted) : [];
    }
    case KIND.tag: {
      const chunks = formatParts(element.children, locale, values, pound);
      const made = typeof value === 'function' ? (value as Chunks)(chunks) : chunks;
      return Array.isArray(made) ? made : [made];
    }
    default:
      throw new Error(`A message has a kind of element that is not used here: ${element.type}`);
  }
}
