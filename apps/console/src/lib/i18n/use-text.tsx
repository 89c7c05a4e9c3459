import { createElement, Fragment, type ReactNode } from 'react';
import { formatParts, type MessageValues } from './format-message.ts';
import type { MessageKey } from './message-key.ts';
import { currentTexts, type TextState, useTexts } from './text-store.ts';

export type TextParams = Record<string, string | number | Date | null | undefined>;
/** As `TextParams`, with elements for `{name}` and functions for `<tag>…</tag>`. */
export type RichParams = Record<string, ReactNode | ((chunks: ReactNode[]) => ReactNode)>;

export interface Text {
  (key: MessageKey, params?: TextParams): string;
  /** A message that holds elements: `t.rich('ui.x', { link: (chunks) => <a href="…">{chunks}</a> })`. */
  rich(key: MessageKey, params: RichParams): ReactNode;
  /** For keys built from data (error codes): the text, or null where the catalogue has none. */
  maybe(key: string, params?: TextParams): string | null;
}

const made = new WeakMap<TextState, Text>();

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}\p{Script=Syriac}]/u;

/**
 * A name, a date or an amount of another direction stands apart from the sentence it is put into, so that neither turns the
 * other round: first strong isolate and its end (Unicode TR 9 §2.4). In a sentence from right to left that is all but a
 * bare number: ₱ and % would change sides.
 */
export function isolate<P extends TextParams | RichParams>(params: P, dir: TextState['dir'] = 'ltr'): P {
  const turns = (value: string) => (dir === 'rtl' ? !/^[\d.,]*$/.test(value) : rightToLeft.test(value));
  const entries = Object.entries(params).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' && turns(value) ? `\u2068${value}\u2069` : value,
  ]);
  return Object.fromEntries(entries) as P;
}

/** Groups of digits, as of a phone number, would follow each other from right to left: +63 917 as 917 63+. */
const numberInGroups = /\+?\d+(?: \d+)+/g;
const keepGroups = (part: unknown): unknown =>
  typeof part === 'string' ? part.replaceAll(numberInGroups, '\u2066$&\u2069') : part;

function makeText(texts: TextState): Text {
  const known = made.get(texts);
  if (known) return known;
  const { catalogue, messages, dir } = texts;
  const partsOf = (key: string, params: TextParams | RichParams = {}): unknown[] => {
    const message = messages[key];
    if (message !== undefined) {
      const parts = formatParts(message, catalogue, isolate(params, dir) as MessageValues);
      return dir === 'rtl' ? parts.map(keepGroups) : parts;
    }
    console.error(`The catalogue ${catalogue} has no message ${key}`);
    return [key];
  };
  const text: Text = Object.assign((key: MessageKey, params?: TextParams) => partsOf(key, params).join(''), {
    rich: (key: MessageKey, params: RichParams) =>
      createElement(Fragment, null, ...(partsOf(key, params) as ReactNode[])),
    maybe: (key: string, params?: TextParams) => (Object.hasOwn(messages, key) ? partsOf(key, params).join('') : null),
  });
  made.set(texts, text);
  return text;
}

/** The texts of the chosen language: `const t = useText(); t('tasks.title')`. */
export function useText(): Text {
  return makeText(useTexts());
}

/** The same outside React, for what happens between renders (a toast after a call). */
export function textNow(): Text {
  return makeText(currentTexts());
}
