import { Link, useLocation } from '@tanstack/react-router';
import { ChevronRight, Clock, Wallet } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSession } from '../../lib/api/session.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Mark } from '../../ui/base/brand.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { Icon } from '../../ui/base/icon.tsx';
import { menus } from '../menu.ts';
import { SearchButton } from '../palette/search-button.tsx';
import { LanguageSwitcher } from '../preferences/language-switcher.tsx';
import { ThemeSwitcher } from '../preferences/theme-switcher.tsx';
import { isScreenOf, screenAt } from '../screens.ts';
import { Bell } from './bell.tsx';
import { useCurrentEntry } from './nav-list.tsx';
import { UserMenu } from './user-menu.tsx';

/** The current place, the balance, the local time of the recipients, and the display preferences. */
export function TopBar() {
  const { mustEnrol = false } = useSession();
  return (
    <header className="top-bar">
      <span className="top-brand">
        <Mark />
      </span>
      <Breadcrumb />
      <span className="grow" />
      {!mustEnrol && <SearchButton />}
      <Balance />
      <ZoneClock />
      <span className="only-desk">
        <LanguageSwitcher />
      </span>
      <span className="only-desk">
        <ThemeSwitcher />
      </span>
      {!mustEnrol && <Bell />}
      <UserMenu />
    </header>
  );
}

function Breadcrumb() {
  const t = useText();
  const { pathname } = useLocation();
  const { user } = useSession();
  const entry = useCurrentEntry();
  const screen = screenAt(pathname);
  // A screen outside the user's menu: named as in the customers' menu or, such as the account, by its title.
  const named = menus.customer.find(({ path }) => path === pathname);
  const name = entry?.label ?? (screen && isScreenOf(screen, user) ? (named?.label ?? screen.title) : undefined);
  if (name === undefined) return null;
  return (
    <nav className="breadcrumb" aria-label={t('shell.breadcrumb')}>
      <ol>
        {entry && screen?.crumb ? (
          <>
            <li>
              <Link to={entry.path} activeOptions={{ exact: true }}>
                {t(entry.label)}
              </Link>
            </li>
            <Icon of={ChevronRight} size="small" mirror className="crumb-arrow" />
            <li aria-current="page">{t(screen.crumb)}</li>
          </>
        ) : (
          <li aria-current="page">{t(name)}</li>
        )}
      </ol>
    </nav>
  );
}

function Balance() {
  const t = useText();
  const formats = useFormats();
  const { customer } = useSession();
  if (!customer || customer.balance === null) return null;
  const free = customer.balance - (customer.reserved ?? 0);
  return (
    <span className={classNames('top-fact only-desk', free <= 0 && 'is-low')}>
      <Icon of={Wallet} size="small" />
      {t('shell.balance')}
      <b>
        <bdi dir="ltr">{formats.money(customer.balance)}</bdi>
      </b>
    </span>
  );
}

const minuteMs = 60_000;

function ZoneClock() {
  const formats = useFormats();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      setNow(Date.now());
      timer = setTimeout(tick, minuteMs - (Date.now() % minuteMs));
    };
    tick();
    return () => clearTimeout(timer);
  }, []);
  return (
    <span className="top-fact only-desk" title={`${formats.zone} ${formats.zoneOffset()}`}>
      <Icon of={Clock} size="small" />
      {formats.zoneName}
      <b>
        <bdi dir="ltr">{formats.date(now, 'minute')}</bdi>
      </b>
    </span>
  );
}
