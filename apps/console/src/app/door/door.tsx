import type { Session } from '@pahatid/contract';
import { lazy, type ReactNode, StrictMode, Suspense, useEffect } from 'react';
import type { Root } from 'react-dom/client';
import { Hero } from '../../features/public/landing/hero.tsx';
import { SignIn } from '../../features/session/sign-in.tsx';
import { takePreferences } from '../../features/session/take-preferences.ts';
import { call } from '../../lib/api/call.ts';
import { tellOtherTabs } from '../../lib/api/signed-in.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { localPath } from '../../lib/router/local-path.ts';
import { parseSearchParams } from '../../lib/router/query-text.ts';
import { productName } from '../../ui/base/brand.tsx';
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { loadChunk, loadWithTexts } from '../../ui/feedback/load-error.ts';
import { sayKeptWords } from '../../ui/feedback/toast-store.ts';
import { Toaster } from '../../ui/feedback/toaster.tsx';
import { changeQuery, useQuery } from './address.ts';
import { HeroShapes } from './hero-shapes.tsx';

/** For whoever comes by another way and has to sign in again. */
export { SignIn };

/** Few ever need it, and the rules of phone numbers are heavy. */
const ForgotPassword = lazy(() => loadWithTexts(() => import('../../features/passwords/forgot-password.tsx')));

/** All behind the door comes with the first key pressed in front of it. */
const loadConsole = () => import('../app.tsx');

/**
 * `/?login=1`: the landing page with the sign-in over it. What the console is made of (router, cache of answers) is not
 * here yet: who signs in waits for the least.
 */
export async function openDoor(root: Root): Promise<void> {
  const { login, ended, next } = parseSearchParams(window.location.search);
  const enter = async (session: Session, to: string | undefined) => {
    const { openConsole } = await loadChunk(loadConsole);
    window.history.replaceState(null, '', localPath(to) ?? (session.user.kind === 'staff' ? '/overview' : '/home'));
    openConsole(root, async () => SignIn, session);
  };
  // Who asks to sign in but is signed in goes straight on; not right after the API said otherwise.
  const session = login && !ended ? await call('GET /session').catch(() => null) : null;
  if (session) return enter(session, next);
  sayKeptWords();
  root.render(
    <StrictMode>
      <ErrorBoundary>
        <Door
          enter={async (entered, to) => {
            tellOtherTabs();
            await takePreferences(entered);
            await enter(entered, to);
          }}
        />
        <Toaster />
      </ErrorBoundary>
    </StrictMode>,
  );
}

function Door({ enter }: { enter: (session: Session, next: string | undefined) => Promise<void> }) {
  const t = useText();
  const { login, forgot, ended, next } = useQuery();
  useEffect(() => {
    document.title = login ? `${t('session.title')} · ${productName}` : `${productName} · ${t('landing.hero.title')}`;
  }, [t, login]);
  useEffect(() => {
    // The way back to a screen of a console that was left without a load.
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

/** The whole of it, which is a page of its own. */
const toLandingPage = () => window.location.assign('/');

/** While a person types, what comes next is fetched. */
function FetchConsole({ children }: { children: ReactNode }) {
  useEffect(() => {
    const fetchIt = () => {
      // Tried again, and said, when it is needed.
      void loadConsole().catch(() => undefined);
    };
    document.addEventListener('input', fetchIt, { once: true });
    return () => document.removeEventListener('input', fetchIt);
  }, []);
  return children;
}
