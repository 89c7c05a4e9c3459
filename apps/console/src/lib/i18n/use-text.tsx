import { createElement, Fragment, type ReactNode } from 'react';
import { formatParts } from './format-message.ts';
import type { MessageKey } from './message-key.ts';
import { anchor, isolate, keepGroups } from './text-direction.ts';
import { currentTexts, type TextState, useTexts } from './text-store.ts';

export type TextParams = Record<string, string | number | Date | null | undefined>;
/** As `TextParams`, with elements for `{name}` and functions for `<tag>…</tag>`. */
export type RichParams = Record<string, ReactNode | ((chunks: ReactNode[]) => ReactNode)>;

export interface Text {
  (key: MessageKey, params?: TextParams): string;
  /** A message that holds elements: `t.rich('ui.x', { link: (chunks) => <a href="…">{chunks}</a> })`. */
  rich(key: MessageKey, params: RichParams): ReactNode;
  /** For keys built from data (error codes): the text, or null if the catalogue has none. */
  maybe(key: string, params?: TextParams): string | null;
}

const made = new WeakMap<TextState, Text>();

function makeText(texts: TextState): Text {
  const known = made.get(texts);
  if (known) return known;
  const { catalogue, messages, dir } = texts;
  const partsOf = (key: string, params: TextParams | RichParams = {}): unknown[] => {
    const message = messages[key];
    if (message !== undefined) {
      const parts = formatParts(message, catalogue, isolate(params, dir));
      return dir === 'rtl' ? parts.map((part) => (typeof part === 'string' ? keepGroups(part) : part)) : parts;
    }
    console.error(`The catalogue ${catalogue} has no message ${key}`);
    return [key];
  };
  const join = (parts: unknown[]) => (dir === 'rtl' ? anchor(parts.join('')) : parts.join(''));
  const text: Text = Object.assign((key: MessageKey, params?: TextParams) => join(partsOf(key, params)), {
    rich: (key: MessageKey, params: RichParams) =>
      createElement(Fragment, null, ...(partsOf(key, params) as ReactNode[])),
    maybe: (key: string, params?: TextParams) => (Object.hasOwn(messages, key) ? join(partsOf(key, params)) : null),
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
