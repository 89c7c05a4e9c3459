import { useSyncExternalStore } from 'react';
import type { CompiledMessage } from './format-message.ts';
import { directionOf } from './nearest-locale.ts';
import { rememberLocale } from './stored-locale.ts';

/**
 * Holds the language of the page. Texts have parts, each loaded when first needed: `signIn` (the sign-in) before
 * the first paint, `arrival` (account recovery, invitations, puzzles), and `console` (everything behind the sign-in)
 * together with the shell; and `routing` and `audit`, for their screens alone. A change of language replaces all of it together, when the last part has loaded.
 */
export type TextPart =
  | 'signIn'
  | 'arrival'
  | 'console'
  | 'routing'
  | 'audit'
  | 'customers'
  | 'abTests'
  | 'sendHours'
  | 'thresholds'
  | 'conversations'
  | 'consents'
  | 'dossiers'
  | 'savedViews';
export type Messages = Readonly<Record<string, CompiledMessage>>;

export interface TextState {
  locale: string;
  dir: 'ltr' | 'rtl';
  /** Locale of the plural rules and digits: they belong to the text, not to the user's region. */
  catalogue: string;
  messages: Messages;
}

/** Of one language. */
export type TextLoaders = Record<TextPart, () => Promise<{ default: Messages }>>;

const written: Record<'zh-CN' | 'en-US', TextLoaders> = {
  'zh-CN': {
    signIn: () => import('virtual:catalogue/zh-CN/signIn'),
    arrival: () => import('virtual:catalogue/zh-CN/arrival'),
    console: () => import('virtual:catalogue/zh-CN/console'),
    routing: () => import('virtual:catalogue/zh-CN/routing'),
    audit: () => import('virtual:catalogue/zh-CN/audit'),
    customers: () => import('virtual:catalogue/zh-CN/customers'),
    abTests: () => import('virtual:catalogue/zh-CN/abTests'),
    sendHours: () => import('virtual:catalogue/zh-CN/sendHours'),
    thresholds: () => import('virtual:catalogue/zh-CN/thresholds'),
    conversations: () => import('virtual:catalogue/zh-CN/conversations'),
    consents: () => import('virtual:catalogue/zh-CN/consents'),
    dossiers: () => import('virtual:catalogue/zh-CN/dossiers'),
    savedViews: () => import('virtual:catalogue/zh-CN/savedViews'),
  },
  'en-US': {
    signIn: () => import('virtual:catalogue/en-US/signIn'),
    arrival: () => import('virtual:catalogue/en-US/arrival'),
    console: () => import('virtual:catalogue/en-US/console'),
    routing: () => import('virtual:catalogue/en-US/routing'),
    audit: () => import('virtual:catalogue/en-US/audit'),
    customers: () => import('virtual:catalogue/en-US/customers'),
    abTests: () => import('virtual:catalogue/en-US/abTests'),
    sendHours: () => import('virtual:catalogue/en-US/sendHours'),
    thresholds: () => import('virtual:catalogue/en-US/thresholds'),
    conversations: () => import('virtual:catalogue/en-US/conversations'),
    consents: () => import('virtual:catalogue/en-US/consents'),
    dossiers: () => import('virtual:catalogue/en-US/dossiers'),
    savedViews: () => import('virtual:catalogue/en-US/savedViews'),
  },
};

/** A language without a catalogue shows en-US text. */
async function findCatalogue(locale: string): Promise<{ catalogue: string; loaders: TextLoaders }> {
  if (locale === 'zh-CN' || locale === 'en-US') return { catalogue: locale, loaders: written[locale] };
  // The list of them all is for their readers alone.
  const { translated } = await import('virtual:translated-catalogues');
  const loaders = translated[locale];
  return loaders ? { catalogue: locale, loaders } : { catalogue: 'en-US', loaders: written['en-US'] };
}

const listeners = new Set<() => void>();
/** What the page needs by now; all of it comes with a change of language. */
const wanted = new Set<TextPart>(['signIn']);
const loaded = new Set<TextPart>();
let state: TextState | null = null;
/** Guards against an older, slower load overtaking a newer choice. */
let latest = 0;

async function load(locale: string, parts: readonly TextPart[]): Promise<TextState> {
  const { catalogue, loaders } = await findCatalogue(locale);
  const arrived = await Promise.all(parts.map((part) => loaders[part]()));
  const messages = Object.assign({}, ...arrived.map((part) => part.default)) as Messages;
  return { locale, dir: directionOf(locale), catalogue, messages };
}

async function apply(locale: string) {
  latest += 1;
  const mine = latest;
  const parts = [...wanted];
  const next = await load(locale, parts);
  if (mine !== latest) return;
  state = next;
  for (const part of parts) loaded.add(part);
  document.documentElement.lang = locale;
  document.documentElement.dir = next.dir;
  for (const listener of listeners) listener();
}

/** Loads the first texts; nothing may be painted before. */
export function startTexts(locale: string): Promise<void> {
  return apply(locale);
}

/** Sets texts for pages that are rendered at build time, where there is no document. */
export function setTexts(next: TextState) {
  state = next;
}

/** The last load of an additional part. */
let lastPart: Promise<void> = Promise.resolve();

/** Loads an additional part. One after another: of two concurrent loads the earlier one would bring nothing. */
export async function ensureTexts(part: Exclude<TextPart, 'signIn'>): Promise<void> {
  // The console holds what leads to it.
  wanted.add('arrival').add(part);
  // Again, if the language was changed meanwhile.
  while (!loaded.has(part)) {
    lastPart = lastPart.catch(() => {}).then(() => (loaded.has(part) ? undefined : apply(currentTexts().locale)));
    await lastPart;
  }
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
