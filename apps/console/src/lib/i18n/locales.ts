import rows from './locales.json' with { type: 'json' };

export interface LocaleRow {
  locale: string;
  label: string;
  dir: 'ltr' | 'rtl';
}

/** The languages of the switcher. zh-CN and en-US have catalogues of their own; the others show en-US text. */
export const locales = rows as readonly LocaleRow[];
