import { type Consent, consentSources } from '@pahatid/contract';
import { FileSpreadsheet, Plus } from 'lucide-react';
import { useState } from 'react';
import { exportCsv } from '../../../lib/api/export-csv.ts';
import { useMay } from '../../../lib/api/session.ts';
import { useCall } from '../../../lib/api/use-call.ts';
import { useText } from '../../../lib/i18n/use-text.tsx';
import { useListView } from '../../../lib/router/use-list-view.ts';
import { useSearchParams } from '../../../lib/router/use-search-params.ts';
import { Button } from '../../../ui/base/button.tsx';
import { EmptyState } from '../../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar } from '../../../ui/filters/filters.tsx';
import { SearchInput } from '../../../ui/filters/search-input.tsx';
import { Page, PageHeader, Panel } from '../../../ui/page/page.tsx';
import { ResourceTable } from '../../../ui/table/resource-table.tsx';
import { AudienceTabs } from '../audience-tabs.tsx';
import { ImportList } from '../import-list.tsx';
import { AddConsents, ImportConsents } from './add-consents.tsx';
import { useConsentColumns } from './consent-columns.tsx';
import { MarketingPolicyNote } from './marketing-policy.tsx';
import { WithdrawConsent } from './withdraw-consent.tsx';
import '../groups.css';

const rereadMs = 2_000;

export default function ConsentsScreen() {
  const t = useText();
  const mayWrite = useMay('owner', 'member');
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['mobileNumber', 'source', 'state'],
    ['new'],
    { byCustomer: true, list: 'GET /consents' },
  );
  const list = useCall('GET /consents', { query }, { keepPrevious: true });
  const [{ customerId }] = useSearchParams(['customerId']);
  const ofCustomer = { query: { customerId } };
  const imports = useCall('GET /consents/imports', ofCustomer);
  const isFilling = imports.data?.items.some(({ state }) => state === 'waiting') ?? false;
  const polled = { enabled: isFilling, refetchInterval: isFilling && rereadMs };
  useCall('GET /consents/imports', ofCustomer, polled);
  useCall('GET /consents', { query }, polled);
  const [leaving, setLeaving] = useState<Consent | null>(null);
  const close = () => setView({ new: undefined });
  const add = mayWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setView({ new: 'hand' })}>
      {t('consents.add')}
    </Button>
  );
  return (
    <Page>
      <PageHeader
        title={t('consents.title')}
        fact={t('consents.fact')}
        actions={
          mayWrite && (
            <>
              <Button icon={FileSpreadsheet} onClick={() => setView({ new: 'file' })}>
                {t('optOuts.import')}
              </Button>
              {add}
            </>
          )
        }
      />
      <AudienceTabs at="consents" />
      <MarketingPolicyNote />
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput
                label={t('optOuts.search')}
                value={view.mobileNumber}
                onChange={(mobileNumber) => narrow({ mobileNumber })}
              />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              label={t('optOuts.source')}
              options={consentSources.map((value) => ({ value, label: t(`consents.source.${value}`) }))}
              value={view.source}
              onChange={(source) => narrow({ source })}
            />
            <ChoiceFilter
              label={t('records.status')}
              options={(['inForce', 'withdrawn'] as const).map((value) => ({ value, label: t(`consents.${value}`) }))}
              value={view.state}
              onChange={(state) => narrow({ state })}
            />
          </FilterBar>
        }
        name="consents"
        label={t('consents.title')}
        columns={useConsentColumns(mayWrite ? setLeaving : undefined)}
        rowKey={(row) => `${row.mobileNumber} ${row.givenTime} ${row.createTime}`}
        list={list}
        order={order}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /consents', { query }, 'consents.csv')}
        empty={
          <EmptyState title={t('consents.empty')} action={add}>
            {t('consents.fact')}
          </EmptyState>
        }
      />
      {imports.data && imports.data.items.length > 0 && (
        <Panel title={t('optOuts.imports')}>
          <ImportList imports={imports.data.items} />
        </Panel>
      )}
      {view.new === 'hand' && mayWrite && <AddConsents onClose={close} />}
      {view.new === 'file' && mayWrite && <ImportConsents onClose={close} />}
      {leaving && <WithdrawConsent consent={leaving} onClose={() => setLeaving(null)} />}
    </Page>
  );
}
