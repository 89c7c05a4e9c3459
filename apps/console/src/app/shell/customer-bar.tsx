import { useLocation } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Icon } from '../../ui/base/icon.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { CustomerFilter } from '../../ui/filters/message-filters.tsx';
import { Page } from '../../ui/page/page.tsx';
import { type ScreenPath, screenAt, screens } from '../screens.ts';

/** Whether a screen shows only one customer's data if staff chose one. */
export const takesCustomer = (path: ScreenPath): boolean => 'byCustomer' in screens[path];

/** The customer that staff chose, for links to other screens; empty for a customer's own users. */
export function useChosenCustomer(): { customerId?: string } {
  const { user } = useSession();
  const [{ customerId }] = useSearchParams(['customerId']);
  return user.kind === 'staff' && customerId !== undefined ? { customerId } : {};
}

/**
 * Lets staff select whose data the screens show: all customers', or one's. Stored in the address, so that a link shows
 * the same.
 */
export function CustomerBar() {
  const t = useText();
  const { user } = useSession();
  const { pathname } = useLocation();
  const [view, setView] = useSearchParams(['customerId', 'cursor', 'open']);
  const choice = screenAt(pathname)?.byCustomer;
  if (user.kind !== 'staff' || choice === undefined || choice === 'own') return null;
  return (
    <section className="customer-bar" aria-label={t('shell.customer')}>
      <Icon of={Building2} size="small" />
      <CustomerFilter
        value={view.customerId}
        onChange={(customerId) => setView({ customerId, cursor: undefined, open: undefined })}
      />
      {view.customerId === undefined && choice === 'any' && <span className="ink-3">{t('shell.customer.all')}</span>}
    </section>
  );
}

/** A screen of one customer at a time waits until staff have chosen one. */
export function ChosenCustomer({ children }: { children: ReactNode }) {
  const t = useText();
  const { user } = useSession();
  const { pathname } = useLocation();
  const { customerId } = useChosenCustomer();
  if (user.kind !== 'staff' || screenAt(pathname)?.byCustomer !== 'chosen' || customerId !== undefined) return children;
  return (
    <Page>
      <EmptyState title={t('shell.customer.choose')}>{t('shell.customer.choose.text')}</EmptyState>
    </Page>
  );
}
