import type { SendRecord } from '@pahatid/contract';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useFilledPage } from '../../lib/api/use-filled-page.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { FilterBar } from '../../ui/filters/filters.tsx';
import { TestModeFilter } from '../../ui/filters/test-mode-filter.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import { ExportsButton, ExportsDialog, useExports } from './exports.tsx';
import { recordColumns } from './record-columns.tsx';
import { RecordDrawer } from './record-drawer.tsx';
import { RecordFilters, RecordSearch } from './record-filters.tsx';
import { useBulkRecordActions, useRecordRowActions } from './record-list-actions.ts';
import { RecordTotals } from './record-totals.tsx';
import './records.css';
import { recordFilterNames } from './record-view.ts';
import { useFreshCount } from './use-fresh-count.ts';
import { useStartExport } from './use-start-export.ts';

/** The page size of the API if no limit is given. */
const pageSize = 20;

export default function RecordsScreen() {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  const {
    view,
    setView,
    query: asked,
    filtered,
    narrow,
    clear,
  } = useListView(recordFilterNames, ['open', 'exports', 'test']);
  const isTest = !isStaff && view.test === '1';
  const query = isTest ? { ...asked, test: '1' as const } : asked;
  const firstPage = useCall('GET /records', { query }, { keepPrevious: true });
  const { list, search } = useFilledPage('GET /records', { query }, firstPage, pageSize);
  const fresh = useFreshCount(query, view.cursor === undefined && !view.to && !view.messageId, firstPage);
  const exports = useExports();
  const startExport = useStartExport(query);

  return (
    <Page>
      <PageHeader
        title={t('records.title')}
        fact={isTest ? t('developer.key.test.hint') : t('records.fact')}
        actions={<ExportsButton exports={exports} onOpen={() => setView({ exports: '1' })} />}
      />
      <ResourceTable<SendRecord>
        filters={
          <FilterBar search={<RecordSearch view={view} onChange={narrow} />} onClear={filtered ? clear : undefined}>
            <RecordFilters view={view} onChange={narrow} isStaff={isStaff} />
            <TestModeFilter />
          </FilterBar>
        }
        name="records"
        label={t('records.title')}
        columns={recordColumns(t, isStaff)}
        rowKey={(row) => row.messageId}
        list={list}
        onOpen={(row) => setView({ open: row.messageId })}
        openKey={view.open}
        bulk={useBulkRecordActions(isTest)}
        rowActions={useRecordRowActions()}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        fact={!view.from && !view.to && !view.messageId && t('records.default')}
        totals={<RecordTotals query={query} list={list} />}
        search={search}
        fresh={{ count: fresh, onShow: () => void list.refetch() }}
        filtered={filtered}
        onClearFilters={clear}
        onExport={startExport}
        empty={<EmptyState title={t('records.empty.title')}>{t('records.empty.text')}</EmptyState>}
      />
      {view.exports && <ExportsDialog exports={exports} onClose={() => setView({ exports: undefined })} />}
      {view.open && (
        <RecordDrawer
          key={view.open}
          messageId={view.open}
          isTest={isTest}
          onClose={() => setView({ open: undefined })}
        />
      )}
    </Page>
  );
}
