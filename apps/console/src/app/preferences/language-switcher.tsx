import { Languages } from 'lucide-react';
import { useState } from 'react';
import { locales } from '../../lib/i18n/locales.ts';
import { setLocale, useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { MenuItem, Popover } from '../../ui/layers/popover.tsx';

/** Languages with their own catalogue come first. */
const whole = new Set(['zh-CN', 'en-US']);
const ordered = [...locales.filter((row) => whole.has(row.locale)), ...locales.filter((row) => !whole.has(row.locale))];

/** Names of languages in English, so that users that don't read a language's script can find it. */
const englishNames = new Intl.DisplayNames('en', { type: 'language' });

/** Every locale by its own name, without flags: a flag is a country, not a language. */
export function LanguageSwitcher({ named = false }: { named?: boolean }) {
  const t = useText();
  const { locale } = useTexts();
  const label = locales.find((row) => row.locale === locale)?.label ?? locale;
  return (
    <Popover
      align="end"
      label={t('ui.language')}
      button={{
        variant: 'quiet',
        size: 'small',
        icon: Languages,
        'aria-label': t('ui.language'),
        title: t('ui.language'),
        label: named ? label : undefined,
      }}
    >
      {(close) => <LanguageList close={close} />}
    </Popover>
  );
}

function LanguageList({ close }: { close: () => void }) {
  const t = useText();
  const { locale } = useTexts();
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase();
  const shown = ordered.filter((row) =>
    `${row.label} ${row.locale} ${englishNames.of(row.locale) ?? ''}`.toLowerCase().includes(wanted),
  );
  const choose = async (next: string) => {
    close();
    try {
      await setLocale(next);
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <div className="language-panel">
      <SearchInput label={t('ui.language.search')} value={search} onChange={(text) => setSearch(text ?? '')} />
      <div className="language-list">
        {shown.map((row) => (
          <MenuItem key={row.locale} chosen={row.locale === locale} onClick={() => void choose(row.locale)}>
            <span lang={row.locale} dir={row.dir}>
              {row.label}
            </span>
          </MenuItem>
        ))}
        {shown.length === 0 && <div className="menu-title">{t('ui.language.none')}</div>}
      </div>
    </div>
  );
}
