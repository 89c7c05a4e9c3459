import type { ApiKey } from '@pahatid/contract';
import { type ReactNode, Suspense } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Tabs } from '../../ui/layers/tabs.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { callFilters } from './call-filters.ts';
import './developer.css';
import { ErrorsTab } from './errors-tab.tsx';
import { KeysTab } from './keys-tab.tsx';
import { StartTab } from './start-tab.tsx';

const CallsTab = lazyPart(() => import('./calls-tab.tsx'));
const LiveTab = lazyPart(() => import('./live-tab.tsx'));

const tabs = ['start', 'keys', 'calls', 'callbacks', 'live', 'errors'] as const;
type TabKey = (typeof tabs)[number];

/** What the tabs keep in the address. */
const params = (callbackParams: readonly string[]): string[] => [
  ...new Set(['cursor', 'keys', 'prefix', 'new', ...callFilters, ...callbackParams]),
];

interface DeveloperScreenProps {
  /** The callback log. */
  callbacks: ReactNode;
  /** What each of its tabs keeps in the address; another one begins without. */
  callbackParams: readonly string[];
  onRotate: (key: ApiKey) => void;
}

/** Developer screen: keys and passwords, quick start, callback log, error codes. */
export default function DeveloperScreen({ callbacks, callbackParams, onRotate }: DeveloperScreenProps) {
  const t = useText();
  const [view, setView] = useSearchParams(['tab', ...params(callbackParams)]);
  const tab = tabs.find((key) => key === view['tab']) ?? 'start';
  const choose = (key: TabKey): void =>
    setView({
      ...Object.fromEntries(params(callbackParams).map((name) => [name, undefined])),
      tab: key,
    });
  const labels: Record<TabKey, string> = {
    start: t('developer.tab.start'),
    keys: t('developer.tab.keys'),
    calls: t('developer.calls.title'),
    callbacks: t('callbacks.title'),
    live: t('developer.live.title'),
    errors: t('developer.tab.errors'),
  };
  return (
    <Page>
      <PageHeader title={t('developer.title')} fact={t('developer.fact')} />
      <Tabs
        inline
        label={t('developer.title')}
        items={tabs.map((key) => ({ key, label: labels[key] }))}
        value={tab}
        onChange={choose}
        panelId="developer-panel"
      />
      <div id="developer-panel" role="tabpanel" aria-label={labels[tab]} className="developer-panel">
        {tab === 'start' && <StartTab />}
        {tab === 'keys' && <KeysTab onRotate={onRotate} />}
        <ErrorBoundary key={tab}>
          <Suspense fallback={<SkeletonLines />}>
            {tab === 'calls' && <CallsTab />}
            {tab === 'live' && <LiveTab />}
          </Suspense>
        </ErrorBoundary>
        {tab === 'callbacks' && callbacks}
        {tab === 'errors' && <ErrorsTab />}
      </div>
    </Page>
  );
}
