import { Link, useLocation } from '@tanstack/react-router';
import { useId } from 'react';
import { useSession } from '../../lib/api/session.ts';
import { useFormats } from '../../lib/format/formats.ts';
import type { MessageKey } from '../../lib/i18n/message-key.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { Icon } from '../../ui/base/icon.tsx';
import { type MenuEntry, menus } from '../menu.ts';
import { isScreenOf, screenAt, screens } from '../screens.ts';
import { takesCustomer, useChosenCustomer } from './customer-bar.tsx';
import { countOf, useWaiting } from './use-waiting.ts';

/** The signed-in person's menu. */
export function useMenu(): readonly MenuEntry[] {
  const { user } = useSession();
  return menus[user.kind].filter(({ path }) => isScreenOf(screens[path], user));
}

/** The entry the present screen belongs to: its own, or the one it lies below. */
export function useCurrentEntry(): MenuEntry | undefined {
  const { pathname } = useLocation();
  const under = screenAt(pathname)?.under;
  return useMenu().find(
    ({ path }) => pathname === path || pathname.startsWith(`${path}/`) || (under !== undefined && path === under),
  );
}

const groupTitles: Partial<Record<MenuEntry['group'], MessageKey>> = {
  prepare: 'shell.group.prepare',
  account: 'shell.group.account',
  settings: 'customers.tab.settings',
};

/** Links in their groups. */
export function NavList({ onNavigate }: { onNavigate?: () => void }) {
  const t = useText();
  const formats = useFormats();
  const entries = useMenu();
  const current = useCurrentEntry();
  const chosenCustomer = useChosenCustomer();
  const waiting = useWaiting();
  const id = useId();
  return entries.map((entry, index) => {
    const count = countOf(entry.path, waiting);
    const countId = count > 0 ? `${id}${index}` : undefined;
    const title = entries[index - 1]?.group === entry.group ? undefined : groupTitles[entry.group];
    return (
      <div key={entry.path}>
        {title && <div className="nav-group">{t(title)}</div>}
        <Link
          to={entry.path}
          {...(takesCustomer(entry.path) && { search: chosenCustomer })}
          className={classNames('nav-link', entry === current && 'is-current')}
          aria-current={entry === current ? 'page' : undefined}
          aria-describedby={countId}
          title={t(entry.label)}
          {...(onNavigate && { onClick: onNavigate })}
        >
          <Icon of={entry.icon} />
          <span>{t(entry.label)}</span>
          {count > 0 && (
            <b className="nav-count" aria-hidden="true">
              {formats.number(count)}
            </b>
          )}
        </Link>
        {count > 0 && (
          <span hidden id={countId}>
            {t('overview.waiting')} {formats.number(count)}
          </span>
        )}
      </div>
    );
  });
}
