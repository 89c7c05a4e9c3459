import { customerRoles, type Member, UseState } from '@pahatid/contract';
import { type ReactNode, useState } from 'react';
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
import { TwoFactorState } from '../../ui/layers/reset-factors-dialog.tsx';
import { useStateLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { ChangeRole, RemoveMember, ResetMemberFactors } from './member-dialogs.tsx';

export function MembersList({ action }: { action: ReactNode }) {
  const t = useText();
  const { user } = useSession();
  const isOwner = useMay('owner');
  const isStaff = user.kind === 'staff';
  const { view, setView, query, order, filtered, narrow, clear } = useListView(['search', 'role'], [], {
    byCustomer: true,
    list: 'GET /members',
  });
  const list = useCall('GET /members', { query }, { keepPrevious: true });
  const [changed, setChanged] = useState<Member>();
  const [removed, setRemoved] = useState<Member>();
  const [reset, setReset] = useState<Member>();

  const actions: Column<Member> = {
    key: 'actions',
    title: t('members.actions'),
    fixed: true,
    card: 'actions',
    cell: (row) => (
      <span className="row">
        <Button size="small" variant="quiet" onClick={() => setChanged(row)}>
          {t('members.changeRole')}
        </Button>
        <Button size="small" variant="quiet" onClick={() => setRemoved(row)}>
          {t('members.remove')}
        </Button>
        {row.hasTwoFactor && row.userId !== user.userId && (
          <Button
            size="small"
            variant="quiet"
            aria-label={t('factorReset.of', { name: row.name })}
            onClick={() => setReset(row)}
          >
            {t('factorReset.act')}
          </Button>
        )}
      </span>
    ),
  };
  const columns: Column<Member>[] = [
    {
      key: 'name',
      title: t('members.name'),
      fixed: true,
      card: 'title',
      cell: (row) => (
        <span className="cell-name" title={row.name}>
          <Bdi>{row.name}</Bdi>
          {row.userId === user.userId && <span className="ink-3"> · {t('members.you')}</span>}
          <span className="cell-note">
            <Bdi>{row.account}</Bdi>
          </span>
        </span>
      ),
    },
    {
      key: 'role',
      title: t('members.role'),
      card: 'state',
      cell: (row) =>
        row.useState === UseState.Disabled ? (
          <StatusTag {...useStateLooks[row.useState]!}>{t('members.useState.0')}</StatusTag>
        ) : (
          t(`members.role.${row.role}`)
        ),
    },
    ...(isStaff
      ? [{ key: 'operator', title: t('groups.operator'), cell: (row: Member) => <Bdi>{row.operator ?? ''}</Bdi> }]
      : []),
    { key: 'email', title: t('members.email'), long: true, cell: (row) => <Bdi>{row.email}</Bdi> },
    { key: 'joined', title: t('members.joined'), cell: (row) => <DateTime value={row.createTime} style="date" /> },
    {
      key: 'lastSignIn',
      title: t('members.lastSignIn'),
      cell: (row) =>
        row.lastSignInTime === null ? (
          <span className="ink-3">{t('members.never')}</span>
        ) : (
          <DateTime value={row.lastSignInTime} style="short" />
        ),
    },
    {
      key: 'twoFactor',
      title: t('factorReset.column'),
      cell: (row) => <TwoFactorState isOn={row.hasTwoFactor} />,
    },
    ...(isOwner ? [actions] : []),
  ];

  return (
    <>
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput label={t('members.search')} value={view.search} onChange={(search) => narrow({ search })} />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              label={t('members.role')}
              options={customerRoles.map((role) => ({ value: role, label: t(`members.role.${role}`) }))}
              value={view.role}
              onChange={(role) => narrow({ role })}
            />
          </FilterBar>
        }
        name="members"
        label={t('members.title')}
        columns={columns}
        rowKey={(row) => row.userId}
        list={list}
        order={order}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /members', { query }, 'members.csv')}
        empty={
          <EmptyState title={t('members.empty.title')} action={action}>
            {t('members.empty.text')}
          </EmptyState>
        }
      />
      {changed && <ChangeRole member={changed} onClose={() => setChanged(undefined)} />}
      {removed && <RemoveMember member={removed} onClose={() => setRemoved(undefined)} />}
      {reset && <ResetMemberFactors member={reset} onClose={() => setReset(undefined)} />}
    </>
  );
}
