import { useSyncExternalStore } from 'react';
import { createIntl, createIntlCache, type IntlShape, type MessageFormatElement } from 'react-intl';
import { type CatalogueLocale, catalogueFor, directionOf } from './locales.ts';
import { rememberLocale } from './stored-locale.ts';

/**
 * Holds the language of the page. Texts come in two parts: `public` (landing page and sign-in) is loaded before the
 * first paint, `console` (everything behind the door) together with the shell.
 * A change of language swaps all of it at once, when the last part has arrived.
 */
export type CompiledMessage = MessageFormatElement[];

export interface TextState {
  locale: string;
  dir: 'ltr' | 'rtl';
  catalogue: CatalogueLocale;
  /** Formats in the catalogue's own language: plural rules and digits belong to the text, not to the reader's region. */
  intl: IntlShape;
}

type Scope = 'public' | 'console';

const parts = {
  'zh-CN': {
    public: () => import('virtual:catalogue/zh-CN/public'),
    console: () => import('virtual:catalogue/zh-CN/console'),
  },
  'en-US': {
    public: () => import('virtual:catalogue/en-US/public'),
    console: () => import('virtual:catalogue/en-US/console'),
  },
} as const;

const cache = createIntlCache();
const listeners = new Set<() => void>();
let scope: Scope = 'public';
let isConsoleLoaded = false;
let state: TextState | null = null;
/** Guards against an older, slower load overtaking a newer choice. */
let latest = 0;

async function load(locale: string): Promise<TextState> {
  const catalogue = catalogueFor(locale);
  const wholeConsole = scope === 'console';
  const [shared, console] = await Promise.all([
    parts[catalogue].public(),
    wholeConsole ? parts[catalogue].console() : null,
  ]);
  const messages = { ...shared.default, ...console?.default };
  return {
    locale,
    dir: directionOf(locale),
    catalogue,
    intl: createIntl({ locale: catalogue, messages, defaultLocale: catalogue }, cache),
  };
}

async function apply(locale: string) {
  latest += 1;
  const mine = latest;
  const next = await load(locale);
  if (mine !== latest) return;
  state = next;
  document.documentElement.lang = locale;
  document.documentElement.dir = next.dir;
  for (const listener of listeners) listener();
}

/** Loads the first texts; nothing may be painted before. */
export function startTexts(locale: string): Promise<void> {
  return apply(locale);
}

/** Texts for pages that are drawn at build time, where there is no document. */
export function setTexts(next: TextState) {
  state = next;
}

/** Adds the console's texts to what is loaded. */
export async function ensureConsoleTexts(): Promise<void> {
  if (isConsoleLoaded) return;
  scope = 'console';
  await apply(currentTexts().locale);
  isConsoleLoaded = true;
}

/** Changes the language and remembers it. */
export async function setLocale(locale: string): Promise<void> {
  await apply(locale);
  rememberLocale(locale);
}

export function currentTexts(): TextState {
  if (!state) throw new Error('Texts are asked for before they are loaded');
  return state;
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The language of the page, and its texts. */
export const useTexts = () => useSyncExternalStore(subscribe, currentTexts, currentTexts);
