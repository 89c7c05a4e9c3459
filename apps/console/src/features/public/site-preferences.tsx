import { SunMoon } from 'lucide-react';
import { Icon } from '../../ui/base/icon.tsx';
import type { PublicLocale, SiteWords } from './words/shapes.ts';

/** The other language by a plain link, the theme by a button that is shown only if scripts run. */
export function SitePreferences({ locale, path, words }: { locale: PublicLocale; path: string; words: SiteWords }) {
  const other: PublicLocale = locale === 'zh-CN' ? 'en-US' : 'zh-CN';
  return (
    <>
      <a className="site-language" href={`${path}?lang=${other}`} hrefLang={other} lang={other} data-locale={other}>
        {words.otherLanguage}
      </a>
      <button
        type="button"
        className="button is-quiet is-icon site-theme"
        data-theme-switch=""
        aria-label={words.theme}
        title={words.theme}
      >
        <Icon of={SunMoon} size="large" />
      </button>
    </>
  );
}
