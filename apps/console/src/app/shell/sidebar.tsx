import { useSession } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Brand, productName } from '../../ui/base/brand.tsx';
import { HelpButton } from '../help/help-button.tsx';
import { Dock } from './dock.tsx';
import { initials } from './initials.ts';
import { NavList } from './nav-list.tsx';

/** Shows the owner of this console: the customer, or the provider's staff. */
export function TenantCard() {
  const t = useText();
  const { user, customer } = useSession();
  const name = customer?.customerName ?? t('shell.staff', { name: productName });
  return (
    <div className="tenant">
      <span className="tenant-mark" aria-hidden="true">
        {initials(name)}
      </span>
      <div className="grow">
        <div className="small strong clip" title={name}>
          {name}
        </div>
        <div className="tiny ink-3">{t(`shell.role.${user.role}`)}</div>
      </div>
    </div>
  );
}

/** The sidebar on the canvas. */
export function Sidebar() {
  const t = useText();
  return (
    <nav className="sidebar" aria-label={t('shell.menu')}>
      <Brand />
      <TenantCard />
      <NavList />
      <div className="sidebar-foot">
        <Dock place="sidebar" />
        <HelpButton />
      </div>
    </nav>
  );
}
