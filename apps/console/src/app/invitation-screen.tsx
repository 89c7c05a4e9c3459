import { useEffect } from 'react';
import { Invitation } from '../features/setup/invitation.tsx';
import { useText } from '../lib/i18n/use-text.tsx';
import { productName } from '../ui/base/brand.tsx';
import { LanguageSwitcher } from './preferences/language-switcher.tsx';
import { ThemeSwitcher } from './preferences/theme-switcher.tsx';

/** `/invitation`: target of the link in an invitation mail. */
export default function InvitationScreen() {
  const t = useText();
  useEffect(() => {
    document.title = `${t('invitations.page')} · ${productName}`;
  }, [t]);
  return (
    <Invitation
      preferences={
        <>
          <LanguageSwitcher />
          <ThemeSwitcher />
        </>
      }
    />
  );
}
