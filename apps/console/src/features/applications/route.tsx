import { type Application, UseState } from '@pahatid/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, DateTime, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { useStateLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { copyIdAction } from '../../ui/table/copy-actions.ts';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { ApplicationDrawer, type CallbacksPart } from './application-drawer.tsx';
import { ApplicationForm } from './application-form.tsx';
import { type ShownSecrets, ShownSecretsDialog } from './shown-secrets-dialog.tsx';
import type { TracePart } from './trace-part.ts';

export default function ApplicationsScreen({ callbacks, trace }: { callbacks: CallbacksPart; trace: TracePart }) {
  const t = useText();
  const mayWrite = useMay('owner');
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['search', 'useState'],
    ['open', 'new'],
    {
      byCustomer: true,
      list: 'GET /applications',
    },
  );
  const list = useCall('GET /applications', { query }, { keepPrevious: true });
  // Never in the address or the cache: cleared with the dialog.
  const [secrets, setSecrets] = useState<ShownSecrets | null>(null);
  const add = mayWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setView({ new: '1' })}>
      {t('applications.add')}
    </Button>
  );

  const columns: Column<Application>[] = [
    {
      key: 'appName',
      title: t('applications.name'),
      fixed: true,
      card: 'title',
      cell: (row) => (
        <span className="cell-name" title={row.appName}>
          <Bdi>{row.appName}</Bdi>
          <span className="cell-note">
            <Mono>{row.appId}</Mono>
          </span>
        </span>
      ),
    },
    {
      key: 'useState',
      title: t('applications.state'),
      card: 'state',
      cell: (row) => <StatusTag {...useStateLooks[row.useState]!}>{t(`applications.state.${row.useState}`)}</StatusTag>,
    },
    {
      key: 'remarkInfo',
      title: t('applications.remarks'),
      long: true,
      card: 'body',
      cell: (row) => <bdi>{row.remarkInfo}</bdi>,
    },
    {
      key: 'accessType',
      title: t('applications.accessType'),
      cell: (row) => t(`applications.accessType.${row.accessType}`),
    },
    {
      key: 'chargeType',
      title: t('applications.chargeType'),
      cell: (row) => t(`applications.chargeType.${row.chargeType}`),
    },
    {
      key: 'createTime',
      title: t('applications.createTime'),
      cell: (row) => <DateTime value={row.createTime} style="date" />,
    },
  ];

  return (
    <Page>
      <PageHeader title={t('applications.title')} fact={t('applications.fact')} actions={add} />
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput
                label={t('applications.search')}
                value={view.search}
                onChange={(search) => narrow({ search })}
              />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              label={t('applications.state')}
              options={Object.values(UseState).map((n) => ({ value: String(n), label: t(`applications.state.${n}`) }))}
              value={view.useState}
              onChange={(useState) => narrow({ useState })}
            />
          </FilterBar>
        }
        name="applications"
        label={t('applications.title')}
        columns={columns}
        rowKey={(row) => row.appId}
        rowActions={{ nameOf: (row) => row.appName, actions: [copyIdAction<Application>(t, (row) => row.appId)] }}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.appId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /applications', { query }, 'application-list.csv')}
        empty={
          <EmptyState title={t('applications.empty.title')} action={add}>
            {t('applications.empty.text')}
          </EmptyState>
        }
      />
      {view.open && (
        <ApplicationDrawer
          appId={view.open}
          callbacks={callbacks}
          trace={trace}
          onSecrets={setSecrets}
          onClose={() => setView({ open: undefined })}
        />
      )}
      {view.new && mayWrite && <ApplicationForm onSecrets={setSecrets} onClose={() => setView({ new: undefined })} />}
      {secrets && <ShownSecretsDialog secrets={secrets} onClose={() => setSecrets(null)} />}
    </Page>
  );
}
