import { type AuditEntryView, auditActorKinds } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Bdi, Dash, DateTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { DateRangeFilter } from '../../ui/filters/date-range-filter.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../../ui/filters/filters.tsx';
import { CustomerFilter } from '../../ui/filters/message-filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { auditActions, auditSubjects, staffSubjects } from './audit-codes.ts';
import { AuditDrawer } from './audit-drawer.tsx';
import { Actor, Address, actionWord, Sentence, Subject } from './audit-parts.tsx';

const filters = ['actor', 'actorKind', 'action', 'subjectType', 'subjectId', 'customerId', 'from', 'to'] as const;

export default function AuditLogScreen() {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  const { view, setView, query, order, filtered, narrow, clear } = useListView(filters, ['open'], {
    list: 'GET /audit-log',
  });
  const list = useCall('GET /audit-log', { query }, { keepPrevious: true });

  const columns: Column<AuditEntryView>[] = [
    {
      key: 'time',
      title: t('audit.time'),
      fixed: true,
      card: 'state',
      cell: (row) => <DateTime value={row.time} />,
    },
    {
      key: 'entry',
      title: t('audit.entry'),
      fixed: true,
      long: true,
      card: 'title',
      cell: (row) => <Sentence entry={row} />,
    },
    { key: 'actor', title: t('audit.actor'), hidden: true, cell: (row) => <Actor entry={row} /> },
    { key: 'subject', title: t('audit.subject'), hidden: true, cell: (row) => <Subject entry={row} /> },
    ...(isStaff
      ? [
          {
            key: 'operator',
            title: t('audit.customer'),
            cell: (row: AuditEntryView) => (row.operator === undefined ? <Dash /> : <Bdi>{row.operator}</Bdi>),
          },
        ]
      : []),
    { key: 'ip', title: t('audit.from'), cell: (row) => <Address ip={row.ip} /> },
  ];

  return (
    <Page>
      <PageHeader title={t('audit.title')} fact={t('audit.fact')} />
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput label={t('audit.search')} value={view.actor} onChange={(actor) => narrow({ actor })} />
            }
            onClear={filtered ? clear : undefined}
          >
            <DateRangeFilter
              label={t('audit.period')}
              from={view.from}
              to={view.to}
              onChange={(from, to) => narrow({ from, to })}
            />
            <ChoiceFilter
              multiple
              label={t('audit.action')}
              options={auditActions.map((action) => ({ value: action, label: actionWord(t, action) }))}
              value={view.action}
              onChange={(action) => narrow({ action })}
            />
            <ChoiceFilter
              multiple
              label={t('audit.subjectType')}
              options={auditSubjects
                .filter((type) => isStaff || !(staffSubjects as readonly string[]).includes(type))
                .map((type) => ({ value: type, label: t(`audit.type.${type}`) }))}
              value={view.subjectType}
              onChange={(subjectType) => narrow({ subjectType })}
            />
            <ChoiceFilter
              label={t('audit.actorKind')}
              options={auditActorKinds.map((kind) => ({ value: kind, label: t(`audit.kind.${kind}`) }))}
              value={view.actorKind}
              onChange={(actorKind) => narrow({ actorKind })}
            />
            <TextFilter
              label={t('audit.subjectId')}
              hint={t('audit.subjectId.hint')}
              value={view.subjectId}
              shown={list.data?.items.find(({ subjectId }) => subjectId === view.subjectId)?.subjectName ?? undefined}
              onChange={(subjectId) => narrow({ subjectId })}
            />
            {isStaff && <CustomerFilter value={view.customerId} onChange={(customerId) => narrow({ customerId })} />}
          </FilterBar>
        }
        name="auditLog"
        label={t('audit.title')}
        columns={columns}
        rowKey={(row) => row.auditId}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.auditId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /audit-log', { query }, 'audit-log.csv')}
        empty={<EmptyState title={t('audit.empty.title')}>{t('audit.empty.text')}</EmptyState>}
      />
      {view.open && <AuditDrawer auditId={view.open} onClose={() => setView({ open: undefined })} />}
    </Page>
  );
}
