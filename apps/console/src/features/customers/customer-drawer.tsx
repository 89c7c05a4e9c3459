import { type CustomerDetail, UseState } from '@pahatid/contract';
import { useNavigate } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, CopyText } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { type TabItem, Tabs } from '../../ui/layers/tabs.tsx';
import { CustomerApplications } from './customer-applications.tsx';
import { CustomerLimits } from './customer-limits.tsx';
import { CustomerMoney } from './customer-money.tsx';
import { CustomerPeople } from './customer-people.tsx';
import { CustomerPrices } from './customer-prices.tsx';
import { CustomerSettings } from './customer-settings.tsx';
import { CustomerState } from './customer-state.tsx';
import type { OwnerLink } from './owner-link-dialog.tsx';
import { SuspendDialog } from './suspend-dialog.tsx';

const sections = ['overview', 'settings', 'applications', 'prices', 'limits'] as const;
type SectionKey = (typeof sections)[number];

interface CustomerDrawerProps {
  customerId: string;
  tab: string | undefined;
  onTab: (tab: SectionKey) => void;
  onLink: (link: OwnerLink) => void;
  onClose: () => void;
}

export function CustomerDrawer(props: CustomerDrawerProps) {
  const t = useText();
  const params = { customerId: props.customerId };
  const detail = useCall('GET /customers/:customerId', { params }, { refetchInterval: 15_000 });
  if (detail.data) return <OpenCustomer {...props} customer={detail.data} />;
  return <LoadingDrawer title={t('customers.one')} read={detail} onClose={props.onClose} />;
}

function OpenCustomer({ customer, tab, onTab, onLink, onClose }: CustomerDrawerProps & { customer: CustomerDetail }) {
  const t = useText();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const maySuspend = useMay('operator', 'admin');
  const mayPrice = useMay('operator', 'admin');
  const [doing, setDoing] = useState<'suspend' | 'resume' | 'view' | null>(null);
  const isActive = customer.useState === UseState.Enabled;
  const params = { customerId: customer.customerId };
  const shown = sections.filter((key) => key !== 'prices' || mayPrice);
  const section = shown.find((key) => key === tab) ?? 'overview';
  const items: TabItem<SectionKey>[] = shown.map((key) => ({
    key,
    label: t(`customers.tab.${key}`),
    ...(key === 'applications' && { count: customer.applications.length }),
    ...(key === 'limits' && { count: customer.limits.length }),
  }));

  const resume = async () => {
    await call('POST /customers/:customerId/resume', { params });
    toast(t('customers.resumed'));
    await refresh('/customers', '/tasks', '/overview');
  };
  const look = async () => {
    await call('POST /customers/:customerId/view', { params });
    // Full reload: what the page loaded as staff must not appear among the customer's data.
    window.location.assign('/home');
  };

  return (
    <Drawer
      title={<Bdi>{customer.customerName}</Bdi>}
      state={<CustomerState customer={customer} pill />}
      meta={<CopyText text={customer.customerId} label={t('customers.id')} />}
      onClose={onClose}
      actions={
        <>
          <Button icon={Eye} onClick={() => setDoing('view')}>
            {t('customers.view')}
          </Button>
          {maySuspend && isActive && (
            <Button variant="danger" onClick={() => setDoing('suspend')}>
              {t('customers.suspend')}
            </Button>
          )}
          {maySuspend && !isActive && (
            <Button variant="primary" onClick={() => setDoing('resume')}>
              {t('customers.resume')}
            </Button>
          )}
        </>
      }
      tabs={
        <Tabs label={t('customers.one')} items={items} value={section} onChange={onTab} panelId="customer-section" />
      }
    >
      <div
        id="customer-section"
        role="tabpanel"
        className="customers-section"
        aria-label={t(`customers.tab.${section}`)}
      >
        {section === 'overview' && (
          <>
            <CustomerMoney
              customer={customer}
              onLedger={() => void navigate({ to: '/billing', search: { customerId: customer.customerId } })}
            />
            <CustomerPeople customer={customer} onLink={onLink} />
          </>
        )}
        {section === 'settings' && <CustomerSettings key={customer.version} customer={customer} />}
        {section === 'applications' && <CustomerApplications customer={customer} />}
        {section === 'prices' && <CustomerPrices customer={customer} />}
        {section === 'limits' && <CustomerLimits customer={customer} />}
      </div>
      {doing === 'suspend' && <SuspendDialog customer={customer} onClose={() => setDoing(null)} />}
      {doing === 'resume' && (
        <ConfirmDialog
          title={t('customers.resume.title', { name: customer.customerName })}
          confirmLabel={t('customers.resume')}
          onConfirm={resume}
          onClose={() => setDoing(null)}
        >
          {t('customers.resume.text')}
        </ConfirmDialog>
      )}
      {doing === 'view' && (
        <ConfirmDialog
          title={t('customers.view.title', { name: customer.customerName })}
          confirmLabel={t('customers.view.confirm')}
          onConfirm={look}
          onClose={() => setDoing(null)}
        >
          {t('customers.view.text')}
        </ConfirmDialog>
      )}
    </Drawer>
  );
}
