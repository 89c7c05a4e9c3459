import 'virtual:theme.css';
import { createRoot } from 'react-dom/client';
import { installStyleNonce } from './lib/csp-nonce.ts';
import { initialLocale } from './lib/i18n/stored-locale.ts';
import { startTexts } from './lib/i18n/text-store.ts';
import { isLoadError, reloadOnceForStaleChunk } from './ui/feedback/load-error.ts';
import './ui/base/base.css';

declare global {
  /** Defined by the page's first script: shows that the page did not load, where nothing else can. */
  var __pahatid_nothing_arrived: (() => void) | undefined;
}

installStyleNonce();

const element = document.getElementById('root');
if (!element) throw new Error('The page has no root element');
const root = createRoot(element);

/** Specification §2: `/` is the landing page with its sign-in; all else has a router. */
async function open() {
  const texts = startTexts(initialLocale());
  if (window.location.pathname === '/') {
    const [{ openSignIn }] = await Promise.all([import('./app/sign-in/sign-in-page.tsx'), texts]);
    await openSignIn(root);
  } else {
    const [{ openConsole }] = await Promise.all([import('./app/app.tsx'), texts]);
    openConsole(root, async () => (await import('./app/sign-in/sign-in-page.tsx')).SignIn);
  }
}

open().catch((error: unknown) => {
  if (isLoadError(error) && reloadOnceForStaleChunk()) return;
  console.error(error);
  globalThis.__pahatid_nothing_arrived?.();
});
