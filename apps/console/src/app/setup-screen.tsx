import { useEffect } from 'react';
import { Setup } from '../features/setup/setup.tsx';
import { useText } from '../lib/i18n/use-text.tsx';
import { productName } from '../ui/base/brand.tsx';
import { LanguageSwitcher } from './preferences/language-switcher.tsx';
import { ThemeSwitcher } from './preferences/theme-switcher.tsx';

/** `/setup`: target of the link that a first start prints. */
export default function SetupScreen() {
  const t = useText();
  useEffect(() => {
    document.title = `${t('setup.title')} · ${productName}`;
  }, [t]);
  return (
    <Setup
      preferences={
        <>
          <LanguageSwitcher />
          <ThemeSwitcher />
        </>
      }
    />
  );
}
