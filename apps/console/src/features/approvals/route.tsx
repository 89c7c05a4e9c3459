import type { Approval } from '@pahatid/contract';
import { useState } from 'react';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, DateTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { type Decision, decisionColumns, stateColumn } from '../../ui/table/decision-columns.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import { RequestText } from './request-text.tsx';

/** `/approvals`: requests of staff that another member of staff approves or rejects. */
export default function ApprovalsScreen() {
  const t = useText();
  const isAdmin = useMay('admin');
  const { user } = useSession();
  const { view, setView } = useListView([], ['all']);
  const isAll = view.all === '1';
  const query = { ...(view.cursor && { cursor: view.cursor }), ...(!isAll && { state: 'pending' as const }) };
  const list = useCall('GET /approvals', { query }, { keepPrevious: true, refetchInterval: 30_000 });
  const [deciding, setDeciding] = useState<{ decision: Decision; approval: Approval }>();
  const [settingLimits, setSettingLimits] = useState(false);

  const decisionsOn = (row: Approval): Decision[] => {
    if (row.state !== 'pending') return [];
    if (row.requestedBy.userId === user.userId) return ['withdraw'];
    return row.kind === 'price' || isAdmin ? ['approve', 'reject'] : [];
  };

  const columns: Column<Approval>[] = [
    {
      key: 'what',
      title: t('approvals.what'),
      fixed: true,
      long: true,
      card: 'title',
      cell: (row) => <RequestText approval={row} />,
    },
    {
      key: 'customer',
      title: t('approvals.customer'),
      cell: (row) =>
        row.operator === null ? (
          <span className="ink-3">{t('approvals.everyCustomer')}</span>
        ) : (
          <Bdi>{row.operator}</Bdi>
        ),
    },
    {
      key: 'requestedBy',
      title: t('approvals.requestedBy'),
      cell: (row) => (
        <span className="cell-name">
          <Bdi>{row.requestedBy.account}</Bdi>
          <span className="cell-note">
            <DateTime value={row.requestTime} style="short" />
          </span>
        </span>
      ),
    },
    { key: 'expires', title: t('approvals.expires'), cell: (row) => <DateTime value={row.expireTime} style="short" /> },
    stateColumn(
      t,
      (row) =>
        row.decidedBy !== null &&
        row.state !== 'withdrawn' && (
          <span className="cell-note">
            <Bdi>{row.decidedBy}</Bdi>
            {row.reason !== null && (
              <>
                {' · '}
                <Bdi>{row.reason}</Bdi>
              </>
            )}
          </span>
        ),
    ),
    ...decisionColumns(t, list.data?.items ?? [], decisionsOn, (decision, approval) =>
      setDeciding({ decision, approval }),
    ),
  ];

  return (
    <Page>
      <PageHeader
        title={t('approvals.title')}
        fact={t('approvals.fact')}
        actions={isAdmin && <Button onClick={() => setSettingLimits(true)}>{t('approvals.limits')}</Button>}
      />
      <div className="row">
        <Segmented
          label={t('approvals.show')}
          options={[
            { value: '0', label: t('approvals.show.pending') },
            { value: '1', label: t('approvals.show.all') },
          ]}
          value={isAll ? '1' : '0'}
          onChange={(all) => setView({ all: all === '1' ? '1' : undefined, cursor: undefined })}
        />
        {!isAll && list.data?.total !== undefined && list.data.total > 0 && (
          <span className="small ink-2">{t('approvals.pending', { count: list.data.total })}</span>
        )}
      </div>
      <ResourceTable
        name="approvals"
        label={t('approvals.title')}
        columns={columns}
        rowKey={(row) => row.approvalId}
        list={list}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        empty={<EmptyState title={t(isAll ? 'approvals.empty.all' : 'approvals.empty.pending')} />}
      />
      {deciding && <DecisionDialog {...deciding} onClose={() => setDeciding(undefined)} />}
      {settingLimits && <LimitsDialog onClose={() => setSettingLimits(false)} />}
    </Page>
  );
}
