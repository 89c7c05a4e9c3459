import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../../lib/api/session.ts';
import { setZone } from '../../lib/format/zone.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { productName } from '../../ui/base/brand.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { OfflineBar } from '../../ui/feedback/offline-bar.tsx';
import { Keyboard } from '../palette/keyboard.tsx';
import { screenAt } from '../screens.ts';
import { BottomBar } from './bottom-bar.tsx';
import { ChosenCustomer, CustomerBar } from './customer-bar.tsx';
import { Dock } from './dock.tsx';
import './shell.css';
import { Sidebar } from './sidebar.tsx';
import { SupportBar } from './support-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { VisitBar } from './visit-bar.tsx';

/** The layout of every screen behind the sign-in. */
export default function Shell() {
  const t = useText();
  const { pathname } = useLocation();
  const { user, mustEnrol = false } = useSession();
  const screen = screenAt(pathname);

  setZone(user.zone);

  useEffect(() => {
    if (screen) document.title = `${t(screen.title)} · ${productName}`;
  }, [screen, t]);

  return (
    <>
      <a className="skip-link" href="#content">
        {t('ui.skipToContent')}
      </a>
      <div className={classNames('shell', mustEnrol && 'is-bare')}>
        {!mustEnrol && <Sidebar />}
        <div className="main">
          <div className="sheet">
            <SupportBar />
            <VisitBar />
            <TopBar />
            <OfflineBar />
            {!mustEnrol && <Dock place="phone" />}
            <CustomerBar />
            <main className="content" id="content" tabIndex={-1}>
              <ErrorBoundary key={pathname}>
                <ChosenCustomer>
                  <Outlet />
                </ChosenCustomer>
              </ErrorBoundary>
            </main>
          </div>
        </div>
        {!mustEnrol && <BottomBar />}
        {!mustEnrol && <Keyboard />}
      </div>
    </>
  );
}
