import type { Invitation } from '@pahatid/contract';
import { type ReactNode, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, DateTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';

interface InvitationsListProps {
  cursor: string | undefined;
  onCursor: (cursor: string | undefined) => void;
  action: ReactNode;
}

export function InvitationsList({ cursor, onCursor, action }: InvitationsListProps) {
  const t = useText();
  const refresh = useRefresh();
  const isOwner = useMay('owner');
  const isStaff = useSession().user.kind === 'staff';
  const [{ customerId }] = useSearchParams(['customerId']);
  const [withdrawn, setWithdrawn] = useState<Invitation>();
  const [resent, setResent] = useState<Invitation>();
  const list = useCall(
    'GET /invitations',
    { query: { customerId, ...(cursor && { cursor }) } },
    { keepPrevious: true },
  );

  const resend = async (row: Invitation) => {
    // Each mail voids the link of the one before: a double click is one.
    setResent(row);
    try {
      await call('POST /invitations/:invitationId/resend', { params: { invitationId: row.invitationId } });
      toast(t('members.resent'));
      await refresh('/invitations');
    } catch (error) {
      toastError(error);
    } finally {
      setResent(undefined);
    }
  };
  const withdraw = async ({ invitationId }: Invitation) => {
    await call('DELETE /invitations/:invitationId', { params: { invitationId } });
    toast(t('members.withdrawn'));
    await refresh('/invitations');
  };

  const actions: Column<Invitation> = {
    key: 'actions',
    title: t('members.actions'),
    fixed: true,
    card: 'actions',
    cell: (row) => (
      <span className="row">
        <Button
          size="small"
          variant="quiet"
          loading={resent?.invitationId === row.invitationId}
          onClick={() => void resend(row)}
        >
          {t('members.resend')}
        </Button>
        <Button size="small" variant="quiet" onClick={() => setWithdrawn(row)}>
          {t('members.withdraw')}
        </Button>
      </span>
    ),
  };
  const columns: Column<Invitation>[] = [
    {
      key: 'email',
      title: t('members.email'),
      fixed: true,
      card: 'title',
      long: true,
      cell: (row) => <Bdi>{row.email}</Bdi>,
    },
    {
      key: 'state',
      title: t('members.state'),
      card: 'state',
      cell: (row) =>
        row.isExpired ? (
          <StatusTag glyph="clock" tone="danger">
            {t('members.expired')}
          </StatusTag>
        ) : (
          <StatusTag glyph="dots" tone="warning">
            {t('members.open')}
          </StatusTag>
        ),
    },
    ...(isStaff
      ? [{ key: 'operator', title: t('groups.operator'), cell: (row: Invitation) => <Bdi>{row.operator ?? ''}</Bdi> }]
      : []),
    { key: 'role', title: t('members.role'), cell: (row) => t(`members.role.${row.role}`) },
    { key: 'invitedBy', title: t('members.invitedBy'), cell: (row) => row.invitedBy },
    { key: 'sent', title: t('members.sent'), cell: (row) => <DateTime value={row.sentTime} /> },
    { key: 'expires', title: t('members.expires'), cell: (row) => <DateTime value={row.expiresTime} /> },
    ...(isOwner ? [actions] : []),
  ];

  return (
    <>
      <ResourceTable
        name="invitations"
        label={t('members.tab.invitations')}
        columns={columns}
        rowKey={(row) => row.invitationId}
        list={list}
        cursor={cursor}
        onCursor={onCursor}
        empty={
          <EmptyState title={t('members.invitations.empty.title')} action={action}>
            {t('members.invitations.empty.text')}
          </EmptyState>
        }
      />
      {withdrawn && (
        <ConfirmDialog
          danger
          title={t('members.withdraw.title', { email: withdrawn.email })}
          confirmLabel={t('members.withdraw.confirm')}
          onConfirm={() => withdraw(withdrawn)}
          onClose={() => setWithdrawn(undefined)}
        >
          {t('members.withdraw.text')}
        </ConfirmDialog>
      )}
    </>
  );
}
