import { type StaffPerson, UseState } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useSession } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, DateTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ResetFactorsDialog, TwoFactorState } from '../../ui/layers/reset-factors-dialog.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { useStateLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';

/** `/staff`: the provider's own people, for an admin. */
export default function StaffScreen() {
  const t = useText();
  const refresh = useRefresh();
  const { user } = useSession();
  const { view, setView, query, order } = useListView([], [], { list: 'GET /staff' });
  const list = useCall('GET /staff', { query }, { keepPrevious: true });
  const [reset, setReset] = useState<StaffPerson>();
  const mayReset = (row: StaffPerson): boolean => row.hasTwoFactor && row.userId !== user.userId;

  const columns: Column<StaffPerson>[] = [
    {
      key: 'name',
      title: t('staff.name'),
      fixed: true,
      card: 'title',
      cell: (row) => (
        <span className="cell-name" title={row.name}>
          <Bdi>{row.name}</Bdi>
          {row.userId === user.userId && <span className="ink-3"> · {t('staff.you')}</span>}
          <span className="cell-note">
            <Bdi>{row.account}</Bdi>
          </span>
        </span>
      ),
    },
    {
      key: 'role',
      title: t('staff.role'),
      card: 'state',
      cell: (row) =>
        row.useState === UseState.Disabled ? (
          <StatusTag {...useStateLooks[row.useState]!}>{t('staff.useState.0')}</StatusTag>
        ) : (
          t(`shell.role.${row.role}`)
        ),
    },
    { key: 'email', title: t('staff.email'), long: true, cell: (row) => <Bdi>{row.email}</Bdi> },
    {
      key: 'lastSignIn',
      title: t('staff.lastSignIn'),
      cell: (row) =>
        row.lastSignInTime === null ? (
          <span className="ink-3">{t('staff.never')}</span>
        ) : (
          <DateTime value={row.lastSignInTime} style="short" />
        ),
    },
    {
      key: 'twoFactor',
      title: t('factorReset.column'),
      cell: (row) => <TwoFactorState isOn={row.hasTwoFactor} />,
    },
    // If no user can be reset, the column would be an empty header.
    ...(list.data?.items.some(mayReset)
      ? [
          {
            key: 'actions',
            title: t('staff.actions'),
            fixed: true,
            card: 'actions' as const,
            cell: (row: StaffPerson) =>
              mayReset(row) && (
                <Button size="small" aria-label={t('factorReset.of', { name: row.name })} onClick={() => setReset(row)}>
                  {t('factorReset.act')}
                </Button>
              ),
          },
        ]
      : []),
  ];

  const resetFactors = async (body: { reason: string; currentPassword: string }) => {
    if (!reset) return;
    await call('POST /staff/:userId/reset-two-factor', { params: { userId: reset.userId }, body });
    await refresh('/staff');
  };

  return (
    <Page>
      <PageHeader title={t('staff.title')} fact={t('staff.fact')} />
      <ResourceTable
        name="staff"
        label={t('staff.title')}
        columns={columns}
        rowKey={(row) => row.userId}
        list={list}
        order={order}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        onExport={() => exportCsv('GET /staff', { query }, 'staff.csv')}
        empty={<EmptyState title={t('staff.empty')} />}
      />
      {reset && <ResetFactorsDialog name={reset.name} onReset={resetFactors} onClose={() => setReset(undefined)} />}
    </Page>
  );
}
