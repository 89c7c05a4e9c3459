import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Tabs } from '../../ui/layers/tabs.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { CustomerBindsTab } from './customer-binds-tab.tsx';
import { PrefixesTab } from './prefixes-tab.tsx';
import { PricesTab } from './prices-tab.tsx';
import { RoutesTab } from './routes-tab.tsx';
import './routing.css';
import { RoutingNotices } from './routing-notices.tsx';
import { SuppliersTab } from './suppliers-tab.tsx';

const tabs = ['suppliers', 'routes', 'prefixes', 'prices', 'customerBinds'] as const;
type TabKey = (typeof tabs)[number];

/** What each tab keeps in the address; another one begins without. */
const tabParams = [
  'search',
  'carrier',
  'useState',
  'open',
  'new',
  'cursor',
  'planned',
  'history',
  'smsType',
  'to',
] as const;

/** How messages reach the carriers: accounts, routes, ranges, prices. */
export default function RoutingScreen() {
  const t = useText();
  const [view, setView] = useSearchParams(['tab', ...tabParams]);
  const tab = tabs.find((key) => key === view.tab) ?? 'suppliers';
  const choose = (key: TabKey): void =>
    setView({ ...Object.fromEntries(tabParams.map((name) => [name, undefined])), tab: key });
  return (
    <Page>
      <PageHeader title={t('shell.menu.routing')} fact={t('routing.fact')} />
      <RoutingNotices onSupplier={(open) => setView({ tab: 'suppliers', open })} onTab={choose} />
      <Tabs
        inline
        label={t('shell.menu.routing')}
        items={tabs.map((key) => ({ key, label: t(`routing.tab.${key}`) }))}
        value={tab}
        onChange={choose}
        panelId="routing-panel"
      />
      <div id="routing-panel" role="tabpanel" aria-label={t(`routing.tab.${tab}`)} className="routing-panel">
        {tab === 'suppliers' && <SuppliersTab />}
        {tab === 'routes' && <RoutesTab />}
        {tab === 'prefixes' && <PrefixesTab />}
        {tab === 'prices' && <PricesTab />}
        {tab === 'customerBinds' && <CustomerBindsTab />}
      </div>
    </Page>
  );
}
