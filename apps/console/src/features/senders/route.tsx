import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Tabs } from '../../ui/layers/tabs.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { NumbersTab } from './numbers-tab.tsx';
import { SenderIdsTab } from './sender-ids-tab.tsx';
import './senders.css';

const tabs = ['senderIds', 'numbers'] as const;
type TabKey = (typeof tabs)[number];

/** What each tab keeps in the address; another one begins without. */
const tabParams = ['search', 'auditStatus', 'useState', 'open', 'new', 'part', 'carrier', 'cursor'] as const;

/** The sources that messages are sent from: sender IDs that customers register, and numbers that staff assign. */
export default function SendersScreen() {
  const t = useText();
  const [view, setView] = useSearchParams(['tab', ...tabParams]);
  const tab = tabs.find((key) => key === view.tab) ?? 'senderIds';
  const choose = (key: TabKey): void =>
    setView({
      ...Object.fromEntries(tabParams.map((name) => [name, undefined])),
      tab: key === 'senderIds' ? undefined : key,
    });
  return (
    <Page>
      <PageHeader title={t('senders.title')} fact={t(`senders.tab.${tab}.fact`)} />
      <Tabs
        inline
        label={t('senders.title')}
        items={tabs.map((key) => ({ key, label: t(`senders.tab.${key}`) }))}
        value={tab}
        onChange={choose}
        panelId="senders-panel"
      />
      <div id="senders-panel" role="tabpanel" aria-label={t(`senders.tab.${tab}`)} className="senders-panel">
        {tab === 'senderIds' ? <SenderIdsTab /> : <NumbersTab />}
      </div>
    </Page>
  );
}
