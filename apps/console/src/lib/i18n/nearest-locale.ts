/** Codes of all the languages, without their names: the first paint waits for this. */
export const localeCodes: readonly string[] =
  'ar-EG az-AZ bg-BG bn-BD ca-ES cs-CZ da-DK de-DE el-GR en-GB en-US es-ES et-EE fa-IR fi-FI fil-PH fr-BE fr-FR ga-IE he-IL hi-IN hr-HR hu-HU hy-AM id-ID it-IT is-IS ja-JP ku-IQ kn-IN ko-KR lv-LV mk-MK mn-MN ms-MY nb-NO ne-NP nl-BE nl-NL pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sr-RS sl-SI sv-SE ta-IN th-TH tr-TR uk-UA vi-VN zh-CN zh-TW'.split(
    ' ',
  );

export const defaultLocale = 'zh-CN';

/** Default locale of a language if the browser names a region we don't list (en-PH → en-US). */
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
  tl: 'fil-PH',
};
const traditional = /^zh-(hant|tw|hk|mo)\b/i;

/** The listed locale nearest to a language tag, or null. */
export function nearestLocale(tag: string): string | null {
  const exact = localeCodes.find((code) => code.toLowerCase() === tag.toLowerCase());
  if (exact) return exact;
  if (traditional.test(tag)) return 'zh-TW';
  const language = tag.split('-')[0]?.toLowerCase() ?? '';
  const byDefault = languageDefault[language];
  if (byDefault) return byDefault;
  return localeCodes.find((code) => code.startsWith(`${language}-`)) ?? null;
}

/** Right-to-left for he, ar, fa and ku, specification §1. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return /^(he|ar|fa|ku)/.test(locale) ? 'rtl' : 'ltr';
}
