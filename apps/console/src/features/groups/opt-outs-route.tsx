import { type OptOut, optOutSources } from '@pahatid/contract';
import { FileSpreadsheet, Plus } from 'lucide-react';
import { useState } from 'react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { Dash, DateTime, PhoneNumber } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Page, PageHeader, Panel } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { AddOptOuts, ImportOptOuts } from './add-opt-outs.tsx';
import { AudienceTabs } from './audience-tabs.tsx';
import { ImportList } from './import-list.tsx';
import { RemoveOptOut } from './remove-opt-out.tsx';
import './groups.css';

const rereadMs = 2_000;

export default function OptOutsScreen() {
  const t = useText();
  const mayWrite = useMay('owner', 'member');
  const { view, setView, query, order, filtered, narrow, clear } = useListView(['mobileNumber', 'source'], ['new'], {
    byCustomer: true,
    list: 'GET /opt-outs',
  });
  const list = useCall('GET /opt-outs', { query }, { keepPrevious: true });
  const [{ customerId }] = useSearchParams(['customerId']);
  const ofCustomer = { query: { customerId } };
  const imports = useCall('GET /opt-outs/imports', ofCustomer);
  const isFilling = imports.data?.items.some(({ state }) => state === 'waiting') ?? false;
  const polled = { enabled: isFilling, refetchInterval: isFilling && rereadMs };
  useCall('GET /opt-outs/imports', ofCustomer, polled);
  useCall('GET /opt-outs', { query }, polled);
  const [leaving, setLeaving] = useState<OptOut | null>(null);
  const close = () => setView({ new: undefined });
  const add = mayWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setView({ new: 'hand' })}>
      {t('optOuts.add')}
    </Button>
  );
  return (
    <Page>
      <PageHeader
        title={t('optOuts.title')}
        fact={t('optOuts.fact')}
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
      <AudienceTabs at="optOuts" />
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
              options={optOutSources.map((value) => ({ value, label: t(`optOuts.source.${value}`) }))}
              value={view.source}
              onChange={(source) => narrow({ source })}
            />
          </FilterBar>
        }
        name="opt-outs"
        label={t('optOuts.title')}
        columns={useColumns(mayWrite ? setLeaving : undefined)}
        rowKey={(row) => `${row.mobileNumber} ${row.time}`}
        list={list}
        order={order}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /opt-outs', { query }, 'opt-outs.csv')}
        empty={
          <EmptyState title={t('optOuts.empty.title')} action={add}>
            {t('optOuts.empty.text')}
          </EmptyState>
        }
      />
      {imports.data && imports.data.items.length > 0 && (
        <Panel title={t('optOuts.imports')}>
          <ImportList imports={imports.data.items} />
        </Panel>
      )}
      {view.new === 'hand' && mayWrite && <AddOptOuts onClose={close} />}
      {view.new === 'file' && mayWrite && <ImportOptOuts onClose={close} />}
      {leaving && <RemoveOptOut optOut={leaving} onClose={() => setLeaving(null)} />}
    </Page>
  );
}

function useColumns(onRemove: ((row: OptOut) => void) | undefined): Column<OptOut>[] {
  const t = useText();
  return [
    {
      key: 'mobileNumber',
      title: t('optOuts.mobileNumber'),
      fixed: true,
      card: 'title',
      cell: (row) => <PhoneNumber value={row.mobileNumber} />,
    },
    {
      key: 'source',
      title: t('optOuts.source'),
      cell: (row) => t.maybe(`optOuts.source.${row.source}`) ?? row.source,
    },
    {
      key: 'evidence',
      title: t('optOuts.evidence'),
      long: true,
      cell: (row) => (row.evidence ? <bdi>{row.evidence}</bdi> : <Dash />),
    },
    { key: 'addedBy', title: t('optOuts.addedBy'), cell: (row) => (row.addedBy ? <bdi>{row.addedBy}</bdi> : <Dash />) },
    { key: 'time', title: t('optOuts.time'), cell: (row) => <DateTime value={row.time} style="short" /> },
    ...(onRemove
      ? [
          {
            key: 'remove',
            title: t('optOuts.act'),
            fixed: true,
            align: 'end' as const,
            card: 'actions' as const,
            cell: (row: OptOut) => (
              <Button
                variant="link"
                size="small"
                aria-label={t('optOuts.remove.of', { number: row.mobileNumber })}
                onClick={() => onRemove(row)}
              >
                {t('optOuts.remove')}
              </Button>
            ),
          },
        ]
      : []),
  ];
}
