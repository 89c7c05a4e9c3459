import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { Landing } from '../features/public/landing/landing.tsx';
import { SignIn } from '../features/session/sign-in.tsx';
import { useText } from '../lib/i18n/use-text.tsx';
import { useSearchParams } from '../lib/router/use-search-params.ts';
import { productName } from '../ui/base/brand.tsx';
import { loadChunk } from '../ui/feedback/load-error.ts';
import { LanguageSwitcher } from './preferences/language-switcher.tsx';
import { ThemeSwitcher } from './preferences/theme-switcher.tsx';

/** Few ever need it, and the rules of phone numbers are heavy. */
const ForgotPassword = lazy(() => loadChunk(() => import('../features/passwords/forgot-password.tsx')));

/** `/`: the landing page, with the sign-in over it when `?login=1`. */
export default function LandingScreen() {
  const t = useText();
  const navigate = useNavigate();
  const [{ login, forgot }, setView] = useSearchParams(['login', 'forgot', 'next', 'ended']);
  const close = () => setView({ login: undefined, forgot: undefined, next: undefined, ended: undefined });
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
      {login && !forgot && <SignIn onClose={close} />}
      {login && forgot && (
        <Suspense>
          <ForgotPassword
            by={forgot === 'email' ? 'email' : 'phone'}
            onBy={(by) => setView({ forgot: by }, { replace: true })}
            onSignIn={() => setView({ forgot: undefined })}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}
