import { AuditStatus, SmsType, type Template } from '@pahatid/contract';
import { Plus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, DateTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { copyIdAction } from '../../ui/table/copy-actions.ts';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { TemplateAudit } from './template-audit.tsx';
import { TemplateDrawer } from './template-drawer.tsx';
import { TemplateUsageCell } from './template-usage.tsx';

// The rules bring the list of the world's domain endings with them; a list of templates needs none of it.
const TemplateEditor = lazy(() => import('./template-editor.tsx'));

export default function TemplatesScreen() {
  const t = useText();
  const mayWrite = useMay('owner', 'member');
  const isStaff = useSession().user.kind === 'staff';
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['search', 'auditStatus', 'smsType'],
    ['open', 'edit'],
    { byCustomer: true, list: 'GET /templates' },
  );
  const list = useCall('GET /templates', { query }, { keepPrevious: true });
  const add = mayWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setView({ edit: 'new' })}>
      {t('templates.add')}
    </Button>
  );

  const columns: Column<Template>[] = [
    {
      key: 'templateName',
      title: t('templates.name'),
      fixed: true,
      card: 'title',
      cell: (row) => (
        <span className="cell-name" title={row.templateName}>
          <Bdi>{row.templateName}</Bdi>
        </span>
      ),
    },
    {
      key: 'auditStatus',
      title: t('templates.auditStatus'),
      card: 'state',
      cell: (row) => <TemplateAudit template={row} />,
    },
    {
      key: 'content',
      title: t('templates.content'),
      long: true,
      card: 'body',
      cell: (row) => <bdi>{row.content}</bdi>,
    },
    { key: 'usage', title: t('templates.usage.column'), cell: (row) => <TemplateUsageCell template={row} /> },
    {
      key: 'appName',
      title: t('templates.application'),
      cell: (row) => (
        <span>
          {row.appName}
          <span className="cell-note">{t(`templates.type.${row.smsType}`)}</span>
        </span>
      ),
    },
    ...(isStaff
      ? [{ key: 'operator', title: t('templates.operator'), cell: (row: Template) => row.operator ?? '' }]
      : []),
    {
      key: 'updateTime',
      title: t('templates.updateTime'),
      cell: (row) => <DateTime value={row.updateTime} style="short" />,
    },
  ];

  return (
    <Page>
      <PageHeader title={t('templates.title')} fact={t('templates.fact')} actions={add} />
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput
                label={t('templates.search')}
                value={view.search}
                onChange={(search) => narrow({ search })}
              />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              multiple
              label={t('templates.auditStatus')}
              options={Object.values(AuditStatus).map((n) => ({
                value: String(n),
                label: t(`templates.auditStatus.${n}`),
              }))}
              value={view.auditStatus}
              onChange={(auditStatus) => narrow({ auditStatus })}
            />
            <ChoiceFilter
              multiple
              label={t('templates.type')}
              options={Object.values(SmsType).map((n) => ({ value: String(n), label: t(`templates.type.${n}`) }))}
              value={view.smsType}
              onChange={(smsType) => narrow({ smsType })}
            />
          </FilterBar>
        }
        name="templates"
        label={t('templates.title')}
        columns={columns}
        rowKey={(row) => row.templateId}
        rowActions={{
          nameOf: (row) => row.templateName,
          actions: [copyIdAction<Template>(t, (row) => row.templateId)],
        }}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.templateId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /templates', { query }, 'template-list.csv')}
        empty={
          <EmptyState title={t('templates.empty.title')} action={add}>
            {t('templates.empty.text')}
          </EmptyState>
        }
      />
      {view.open && !view.edit && (
        <TemplateDrawer
          templateId={view.open}
          onEdit={() => setView({ edit: view.open })}
          onClose={() => setView({ open: undefined })}
        />
      )}
      {view.edit && mayWrite && (
        <Suspense fallback={null}>
          <TemplateEditor
            templateId={view.edit === 'new' ? null : view.edit}
            onClose={() => setView({ edit: undefined })}
          />
        </Suspense>
      )}
    </Page>
  );
}
