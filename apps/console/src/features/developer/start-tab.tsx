import {
  appSecretVariable,
  makeReadSample,
  makeSendSample,
  type SampleLanguage,
  sampleLanguages,
  verifySamples,
} from '@pahatid/contract';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Icon } from '../../ui/base/icon.tsx';
import { CopyText, Mono } from '../../ui/data/text.tsx';
import { type Lookup, LookupFilter, lookupQuery } from '../../ui/filters/lookup-filter.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Panel, Section } from '../../ui/page/page.tsx';
import { CodeSample } from './code-sample.tsx';

const languageNames: Record<SampleLanguage, string> = { curl: 'curl', node: 'Node.js', python: 'Python' };
/** Used if there is no application yet. */
const exampleAppId = 'your-app';

const applications: Lookup = {
  label: 'developer.sample.app',
  search: 'applications.search',
  useOptions(search) {
    const [{ customerId }] = useSearchParams(['customerId']);
    const { query } = lookupQuery(search);
    const { data } = useCall('GET /applications', { query: { ...query, customerId } }, { keepPrevious: true });
    return data?.items.map(({ appId, appName }) => ({ value: appId, label: `${appName} · ${appId}` }));
  },
  useName(appId, enabled) {
    return useCall('GET /applications/:appId', { params: { appId } }, { enabled, staleTime: 60_000 }).data?.appName;
  },
};

/** Quick start: send a message, read its result, and verify that a callback is ours. */
export function StartTab() {
  const t = useText();
  const [view, setView] = useSearchParams(['lang', 'appId', 'customerId']);
  const query = { limit: '1', customerId: view.customerId };
  const first = useCall('GET /applications', { query }, { staleTime: 60_000 });
  const language = sampleLanguages.find((one) => one === view.lang) ?? 'curl';
  // A shell takes no calls.
  const listening = language === 'curl' ? 'node' : language;
  const baseUrl = `${window.location.origin}/api/v1`;
  const target = { baseUrl, appId: view.appId ?? first.data?.items[0]?.appId ?? exampleAppId };
  return (
    <div className="developer-start">
      <Panel>
        <div className="developer-base">
          <div className="stack developer-address">
            <span className="ink-3 small">{t('developer.base')}</span>
            <CopyText text={baseUrl} label={t('developer.base')} />
          </div>
          <Outside href="/docs/reference">{t('developer.reference')}</Outside>
          <Outside href="/api/openapi.json">{t('developer.openapi')}</Outside>
        </div>
      </Panel>
      <div className="row wrap developer-choices">
        <Segmented
          label={t('developer.sample.language')}
          options={sampleLanguages.map((value) => ({ value, label: languageNames[value] }))}
          value={language}
          onChange={(lang) => setView({ lang }, { replace: true })}
        />
        {(first.data?.total ?? 0) > 1 && (
          <LookupFilter
            of={applications}
            value={view.appId ?? first.data?.items[0]?.appId}
            onChange={(appId) => setView({ appId }, { replace: true })}
          />
        )}
      </div>
      <Step
        title={t('developer.auth')}
        text={t.rich('developer.auth.text', { variable: <Mono>{appSecretVariable}</Mono> })}
      >
        <CodeSample
          label={t('developer.auth')}
          language="HTTP"
          text={`Authorization: Basic base64(${target.appId}:$${appSecretVariable})`}
        />
      </Step>
      <Step title={t('developer.send')} text={t('developer.send.text')}>
        <CodeSample
          label={t('developer.send')}
          language={languageNames[language]}
          text={makeSendSample(language, target)}
        />
      </Step>
      <Step title={t('developer.read')} text={t('developer.read.text')}>
        <CodeSample
          label={t('developer.read')}
          language={languageNames[language]}
          text={makeReadSample(language, target)}
        />
      </Step>
      <Step title={t('developer.verify')} text={t('developer.verify.text')}>
        <CodeSample label={t('developer.verify')} language={languageNames[listening]} text={verifySamples[listening]} />
      </Step>
    </div>
  );
}

function Step({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <Section title={title}>
      <div className="developer-step">
        <p className="ink-2">{text}</p>
        {children}
      </div>
    </Section>
  );
}

const Outside = ({ href, children }: { href: string; children: ReactNode }) => (
  <a className="developer-link" href={href} target="_blank" rel="noopener">
    {children}
    <Icon of={ExternalLink} size="small" />
  </a>
);
