import rows from './locales.json' with { type: 'json' };

export interface LocaleRow {
  locale: string;
  label: string;
  dir: 'ltr' | 'rtl';
}

/** The languages of the switcher. zh-CN and en-US have catalogues of their own; the others show en-US text. */
export const locales = rows as readonly LocaleRow[];

export type CatalogueLocale = 'zh-CN' | 'en-US';

export const defaultLocale = 'zh-CN';

/** Which locale stands for a language when the browser names a region we don't list (en-PH → en-US). */
const languageDefault: Record<string, string> = {
  en: 'en-US',
  es: 'es-ES',
  fr: 'fr-FR',
  nl: 'nl-NL',
  no: 'nb-NO',
  nn: 'nb-NO',
  pt: 'pt-PT',
  zh: 'zh-CN',
  ckb: 'ku-IQ',
};
const traditional = /^zh-(hant|tw|hk|mo)\b/i;

/** The listed locale nearest to a language tag, or null. */
export function nearestLocale(tag: string): string | null {
  const exact = locales.find((row) => row.locale.toLowerCase() === tag.toLowerCase());
  if (exact) return exact.locale;
  if (traditional.test(tag)) return 'zh-TW';
  const language = tag.split('-')[0]?.toLowerCase() ?? '';
  const byDefault = languageDefault[language];
  if (byDefault) return byDefault;
  return locales.find((row) => row.locale.startsWith(`${language}-`))?.locale ?? null;
}

/** Right-to-left for he, ar, fa and ku, specification §1. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return /^(he|ar|fa|ku)/.test(locale) ? 'rtl' : 'ltr';
}

export function catalogueFor(locale: string): CatalogueLocale {
  return locale === 'zh-CN' ? 'zh-CN' : 'en-US';
}
