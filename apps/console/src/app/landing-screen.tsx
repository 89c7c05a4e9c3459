import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Landing } from '../features/landing/landing.tsx';
import { SignIn } from '../features/session/sign-in.tsx';
import { useText } from '../lib/i18n/use-text.tsx';
import { useSearchParams } from '../lib/router/use-search-params.ts';
import { productName } from '../ui/base/brand.tsx';
import { LanguageSwitcher } from './preferences/language-switcher.tsx';
import { ThemeSwitcher } from './preferences/theme-switcher.tsx';

/** `/`: the landing page, with the sign-in over it when `?login=1`. */
export default function LandingScreen() {
  const t = useText();
  const navigate = useNavigate();
  const [{ login }, setView] = useSearchParams(['login', 'next', 'ended']);
  useEffect(() => {
    document.title = login ? `${t('session.title')} · ${productName}` : `${productName} · ${t('landing.hero.title')}`;
  }, [t, login]);
  return (
    <>
      <Landing
        onSignIn={() => void navigate({ to: '/', search: { login: '1' } })}
        preferences={
          <>
            <LanguageSwitcher />
            <ThemeSwitcher />
          </>
        }
      />
      {login && <SignIn onClose={() => setView({ login: undefined, next: undefined, ended: undefined })} />}
    </>
  );
}
