import { Outlet, useLocation } from '@tanstack/react-router';
import ConfigProvider from 'antd/es/config-provider';
import dayjs from 'dayjs';
import { useEffect, useMemo } from 'react';
import { useSession } from '../../lib/api/session.ts';
import { cspNonce } from '../../lib/csp-nonce.ts';
import { setZone } from '../../lib/format/zone.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { productName } from '../../ui/base/brand.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { OfflineBar } from '../../ui/feedback/offline-bar.tsx';
import { topLayer } from '../../ui/layers/layer-stack.ts';
import { antdTheme } from '../../ui/theme/antd-theme.ts';
import { useColorMode, useReducedMotion } from '../../ui/theme/color-mode.ts';
import { Keyboard } from '../palette/keyboard.tsx';
import { screenAt } from '../screens.ts';
import { BottomBar } from './bottom-bar.tsx';
import './shell.css';
import { Sidebar } from './sidebar.tsx';
import { SupportBar } from './support-bar.tsx';
import { TopBar } from './top-bar.tsx';

/** The house around every screen behind the sign-in. */
export default function Shell() {
  const t = useText();
  const { locale, dir, pack } = useTexts();
  const { pathname } = useLocation();
  const { user, mustEnrol = false } = useSession();
  const mode = useColorMode();
  const reducedMotion = useReducedMotion();
  const theme = useMemo(() => antdTheme(mode, reducedMotion), [mode, reducedMotion]);
  const screen = screenAt(pathname);

  setZone(user.zone);
  dayjs.locale(pack?.dayjs ?? 'en');

  useEffect(() => {
    if (screen) document.title = `${t(screen.title)} · ${productName}`;
  }, [screen, t]);

  return (
    <ConfigProvider
      key={locale}
      theme={theme}
      direction={dir}
      {...(pack && { locale: pack.antd })}
      {...(cspNonce && { csp: { nonce: cspNonce } })}
      button={{ autoInsertSpace: false }}
      getPopupContainer={topLayer}
    >
      <a className="skip-link" href="#content">
        {t('ui.skipToContent')}
      </a>
      <div className={classNames('shell', mustEnrol && 'is-bare')}>
        {!mustEnrol && <Sidebar />}
        <div className="main">
          <div className="sheet">
            <SupportBar />
            <TopBar />
            <OfflineBar />
            <main className="content" id="content" tabIndex={-1}>
              <ErrorBoundary key={pathname}>
                <Outlet />
              </ErrorBoundary>
            </main>
          </div>
        </div>
        {!mustEnrol && <BottomBar />}
        {!mustEnrol && <Keyboard />}
      </div>
    </ConfigProvider>
  );
}
