import { Link } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { Icon } from '../../ui/base/icon.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { HelpButton } from '../help/help-button.tsx';
import { LanguageSwitcher } from '../preferences/language-switcher.tsx';
import { ThemeSwitcher } from '../preferences/theme-switcher.tsx';
import { NavList, useCurrentEntry, useMenu } from './nav-list.tsx';
import { TenantCard } from './sidebar.tsx';
import { countOf, useWaiting } from './use-waiting.ts';

const places = 4;

/** On a phone: four screens and access to the rest. */
export function BottomBar() {
  const t = useText();
  const [open, setOpen] = useState(false);
  const entries = useMenu().slice(0, places);
  const current = useCurrentEntry();
  const waiting = useWaiting();
  return (
    <nav className="bottom-bar" aria-label={t('shell.menu.phone')}>
      {entries.map((entry) => (
        <Link
          key={entry.path}
          to={entry.path}
          className={classNames(entry === current && 'is-current')}
          aria-current={entry === current ? 'page' : undefined}
        >
          <span className="bottom-icon">
            <Icon of={entry.icon} size="large" />
            {countOf(entry.path, waiting) > 0 && <i className="waiting-dot" />}
          </span>
          {t(entry.shortLabel)}
        </Link>
      ))}
      <button type="button" aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon of={Menu} size="large" />
        {t('shell.more')}
      </button>
      {open && (
        <Drawer title={t('shell.more')} onClose={() => setOpen(false)}>
          <TenantCard />
          <div className="more-list">
            <NavList onNavigate={() => setOpen(false)} />
            <HelpButton />
          </div>
          <hr className="menu-rule" />
          <div className="row">
            <LanguageSwitcher named />
            <ThemeSwitcher named />
          </div>
        </Drawer>
      )}
    </nav>
  );
}
