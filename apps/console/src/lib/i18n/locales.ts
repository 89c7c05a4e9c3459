import rows from './locales.json' with { type: 'json' };

export interface LocaleRow {
  locale: string;
  label: string;
  dir: 'ltr' | 'rtl';
}

/** The languages of the switcher. Those without a catalogue show en-US text. */
export const locales = rows as readonly LocaleRow[];
