import type { Session } from '@pahatid/contract';
import { lazy, type ReactNode, StrictMode, Suspense, useEffect } from 'react';
import type { Root } from 'react-dom/client';
import { Hero } from '../../features/public/landing/hero.tsx';
import { SignIn } from '../../features/sign-in/sign-in.tsx';
import { takePreferences } from '../../features/sign-in/take-preferences.ts';
import { call } from '../../lib/api/call.ts';
import { notifyOtherTabs } from '../../lib/api/signed-in.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { localPath } from '../../lib/router/local-path.ts';
import { parseSearchParams } from '../../lib/router/query-text.ts';
import { productName } from '../../ui/base/brand.tsx';
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { loadChunk, loadWithTexts } from '../../ui/feedback/load-error.ts';
import { showStoredToast } from '../../ui/feedback/toast-store.ts';
import { Toaster } from '../../ui/feedback/toaster.tsx';
import { changeQuery, useQuery } from './address.ts';
import { HeroShapes } from './hero-shapes.tsx';

/** For users that arrive by another route and must sign in again. */
export { SignIn };

/** Rarely needed, and the rules of phone numbers are heavy. */
const ForgotPassword = lazy(() => loadWithTexts(() => import('../../features/passwords/forgot-password.tsx')));

/** The console behind the sign-in is loaded on the first key press. */
const loadConsole = () => import('../app.tsx');

/**
 * `/?login=1`: the landing page with the sign-in over it. The console's parts (router, query cache) are not loaded here
 * yet: signing in requires only the minimum.
 */
export async function openSignIn(root: Root): Promise<void> {
  const { login, ended, next } = parseSearchParams(window.location.search);
  const enter = async (session: Session, to: string | undefined) => {
    const next = localPath(to);
    // The documentation is no part of the console.
    if (next?.startsWith('/docs')) return window.location.assign(next);
    const { openConsole } = await loadChunk(loadConsole);
    window.history.replaceState(null, '', next ?? (session.user.kind === 'staff' ? '/overview' : '/home'));
    openConsole(root, async () => SignIn, session);
  };
  // A user that is already signed in goes straight on; not right after the API reported otherwise.
  const session = login && !ended ? await call('GET /session').catch(() => null) : null;
  if (session) return enter(session, next);
  showStoredToast();
  root.render(
    <StrictMode>
      <ErrorBoundary>
        <SignInPage
          enter={async (entered, to) => {
            notifyOtherTabs();
            await takePreferences(entered);
            await enter(entered, to);
          }}
        />
        <Toaster />
      </ErrorBoundary>
    </StrictMode>,
  );
}

function SignInPage({ enter }: { enter: (session: Session, next: string | undefined) => Promise<void> }) {
  const t = useText();
  const { login, forgot, ended, next } = useQuery();
  useEffect(() => {
    document.title = login ? `${t('session.title')} · ${productName}` : `${productName} · ${t('landing.hero.title')}`;
  }, [t, login]);
  useEffect(() => {
    // Handles Back to a screen of a console that was left without a page load.
    const goBack = () => window.location.pathname !== '/' && window.location.reload();
    window.addEventListener('popstate', goBack);
    return () => window.removeEventListener('popstate', goBack);
  }, []);
  return (
    <>
      <div className="landing">
        <Hero preferences={null} pictures={<HeroShapes />} />
      </div>
      {login && !forgot && (
        <FetchConsole>
          <SignIn
            ended={Boolean(ended)}
            enter={(session) => enter(session, next)}
            onForgot={() => changeQuery({ forgot: 'phone' })}
            onClose={toLandingPage}
          />
        </FetchConsole>
      )}
      {login && forgot && (
        <Suspense>
          <ForgotPassword
            by={forgot === 'email' ? 'email' : 'phone'}
            onBy={(by) => changeQuery({ forgot: by }, false)}
            onSignIn={() => changeQuery({ forgot: undefined })}
            onClose={toLandingPage}
          />
        </Suspense>
      )}
    </>
  );
}

/** Opens the full landing page, which is a separate page. */
const toLandingPage = () => window.location.assign('/');

/** While a person types, what comes next is fetched. */
function FetchConsole({ children }: { children: ReactNode }) {
  useEffect(() => {
    const fetchIt = () => {
      // Retried, and reported, when it is needed.
      void loadConsole().catch(() => undefined);
    };
    document.addEventListener('input', fetchIt, { once: true });
    return () => document.removeEventListener('input', fetchIt);
  }, []);
  return children;
}
