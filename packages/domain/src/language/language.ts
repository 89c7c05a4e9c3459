/** Languages that the server itself writes: mail, its own SMS, headers of CSV files. */
export type Language = 'zh-CN' | 'en-US';

/** Returns the language of a locale such as `zh-TW` or an `Accept-Language` header. */
export const languageNamed = (locale: string): Language => (/^zh\b/i.test(locale) ? 'zh-CN' : 'en-US');

/** Returns the language of texts read later: the user's choice, else that of the originating page. */
export const languageFor = (locale: string | null, page: Language): Language =>
  locale === null ? page : languageNamed(locale);
