import { type Threshold, UseState } from '@pahatid/contract';
import { Plus } from 'lucide-react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { RelativeTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { Gauge } from './gauge.tsx';
import { QuietHoursNote } from './quiet-hours.tsx';
import { RuleDrawer } from './rule-drawer.tsx';
import { RuleForm } from './rule-form.tsx';
import { RuleState } from './rule-state.tsx';
import { kinds, useRuleScope, useRuleText } from './rule-text.ts';
import './thresholds.css';

/** Quick enough to see a limit come near. */
const rereadMs = 10_000;

export default function ThresholdsScreen() {
  const t = useText();
  const ruleText = useRuleText();
  const scopeOf = useRuleScope();
  const isOwner = useMay('owner');
  const isStaff = useSession().user.kind === 'staff';
  const { view, setView, query, filtered, narrow, clear } = useListView(['kind', 'useState'], ['open', 'new', 'edit'], {
    byCustomer: true,
  });
  const list = useCall('GET /thresholds', { query }, { keepPrevious: true, refetchInterval: rereadMs });
  const add = isOwner && (
    <Button variant="primary" icon={Plus} onClick={() => setView({ new: '1' })}>
      {t('thresholds.add')}
    </Button>
  );

  const columns: Column<Threshold>[] = [
    {
      key: 'rule',
      title: t('thresholds.rule'),
      fixed: true,
      card: 'title',
      cell: (row) => (
        <span className="threshold-text">
          {ruleText.rule(row)}
          <span className="cell-note">
            {t(`thresholds.kind.${row.kind}`)}
            {row.setBy === 'staff' && ` · ${t('thresholds.setBy.staff')}`}
          </span>
        </span>
      ),
    },
    { key: 'scope', title: t('thresholds.scope'), long: true, cell: (row) => scopeOf(row) },
    ...(isStaff
      ? [{ key: 'operator', title: t('templates.operator'), cell: (row: Threshold) => row.operator ?? '' }]
      : []),
    { key: 'gauge', title: t('thresholds.state'), card: 'body', cell: (row) => <Gauge rule={row} /> },
    { key: 'stage', title: t('thresholds.stage'), card: 'state', cell: (row) => <RuleState rule={row} /> },
    {
      key: 'lastEvent',
      title: t('thresholds.lastEvent'),
      cell: (row) =>
        row.lastEvent === null ? (
          <span className="ink-3">{t('thresholds.never')}</span>
        ) : (
          <span className="threshold-text">
            {t(`thresholds.event.${row.lastEvent.event}`)}
            <span className="cell-note">
              {row.lastEvent.value !== null && row.lastEvent.event !== 'resume' && (
                <>
                  <bdi>
                    {row.lastEvent.event === 'refused'
                      ? t('thresholds.event.refused.value', { count: row.lastEvent.value })
                      : ruleText.measured(row, row.lastEvent)}
                  </bdi>
                  {' · '}
                </>
              )}
              <RelativeTime value={row.lastEvent.time} />
            </span>
          </span>
        ),
    },
  ];

  return (
    <Page>
      <PageHeader title={t('thresholds.title')} fact={t('thresholds.fact')} actions={add} />
      {!isStaff && <QuietHoursNote />}
      <ResourceTable
        filters={
          <FilterBar onClear={filtered ? clear : undefined}>
            <ChoiceFilter
              label={t('thresholds.kind')}
              options={kinds.map((kind) => ({ value: kind, label: t(`thresholds.kind.${kind}`) }))}
              value={view.kind}
              onChange={(kind) => narrow({ kind })}
            />
            <ChoiceFilter
              label={t('thresholds.useState')}
              options={Object.values(UseState).map((n) => ({ value: String(n), label: t(`thresholds.useState.${n}`) }))}
              value={view.useState}
              onChange={(useState) => narrow({ useState })}
            />
          </FilterBar>
        }
        name="thresholds"
        label={t('thresholds.title')}
        columns={columns}
        rowKey={(row) => row.thresholdId}
        list={list}
        onOpen={(row) => setView({ open: row.thresholdId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /thresholds', { query }, 'thresholds.csv')}
        empty={
          <EmptyState title={t('thresholds.empty.title')} action={add}>
            {t('thresholds.empty.text')}
          </EmptyState>
        }
      />
      {view.open && view.edit === undefined && (
        <RuleDrawer
          thresholdId={view.open}
          onEdit={() => setView({ edit: '1' })}
          onClose={() => setView({ open: undefined })}
        />
      )}
      {isOwner && view.open && view.edit && (
        <RuleForm thresholdId={view.open} onClose={() => setView({ edit: undefined })} />
      )}
      {isOwner && view.new && <RuleForm thresholdId={null} onClose={() => setView({ new: undefined })} />}
    </Page>
  );
}
