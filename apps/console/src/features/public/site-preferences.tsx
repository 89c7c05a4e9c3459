import { SunMoon } from 'lucide-react';
import { Icon } from '../../ui/base/icon.tsx';
import type { PublicLocale, SiteCopy } from './copy/shapes.ts';

/** The other language by a plain link, the theme by a button that is shown only if scripts run. */
export function SitePreferences({ locale, path, copy }: { locale: PublicLocale; path: string; copy: SiteCopy }) {
  const other: PublicLocale = locale === 'zh-CN' ? 'en-US' : 'zh-CN';
  return (
    <>
      <a className="site-language" href={`${path}?lang=${other}`} hrefLang={other} lang={other} data-locale={other}>
        {copy.otherLanguage}
      </a>
      <button
        type="button"
        className="button is-quiet is-icon site-theme"
        data-theme-switch=""
        aria-label={copy.theme}
        title={copy.theme}
      >
        <Icon of={SunMoon} size="large" />
      </button>
    </>
  );
}
