import type { TopUp } from '@pahatid/contract';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { saveBlob } from '../../lib/api/export-csv.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, DateTime, Money } from '../../ui/data/text.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Section } from '../../ui/page/page.tsx';
import type { StatusLook } from '../../ui/status/status-tag.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { type TopUpDecision, TopUpDialog } from './top-up-dialog.tsx';

const looks: Record<TopUp['state'], StatusLook> = {
  pending: { glyph: 'dots', tone: 'warning' },
  approved: { glyph: 'done', tone: 'success' },
  rejected: { glyph: 'cross', tone: 'danger' },
  withdrawn: { glyph: 'bar', tone: 'neutral' },
};

/** Requested top-ups: an owner's own; for staff those that are pending, or all of a chosen customer. Nothing if there are none. */
export function TopUpTable({ customerId }: { customerId: string | undefined }) {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  const mayEnter = useMay('admin');
  const [cursor, setCursor] = useState<string>();
  const [deciding, setDeciding] = useState<{ decision: TopUpDecision; topUp: TopUp }>();
  const seesAll = isStaff && customerId === undefined;
  const query = {
    ...(cursor !== undefined && { cursor }),
    ...(customerId !== undefined && { customerId }),
    ...(seesAll && { state: 'pending' as const }),
  };
  const list = useCall('GET /top-ups', { query }, { keepPrevious: true, refetchInterval: 30_000 });
  if (cursor === undefined && (list.data?.items ?? []).length === 0) return null;

  const decisionsOn = (row: TopUp): TopUpDecision[] => {
    if (row.state !== 'pending') return [];
    if (!isStaff) return ['withdraw'];
    return mayEnter && (row.approvalId ?? null) === null ? ['approve', 'reject'] : ['reject'];
  };
  const columns: Column<TopUp>[] = [
    {
      key: 'reference',
      title: t('billing.topUp.reference'),
      fixed: true,
      long: true,
      card: 'title',
      cell: (row) => (
        <span className="cell-name">
          <Bdi>{row.reference}</Bdi>
          <span className="cell-note">
            {row.operator && (
              <>
                <Bdi>{row.operator}</Bdi>
                {' · '}
              </>
            )}
            <DateTime value={row.requestTime} style="short" />
            {row.requestedBy !== null && (
              <>
                {' · '}
                <Bdi>{row.requestedBy}</Bdi>
              </>
            )}
          </span>
        </span>
      ),
    },
    {
      key: 'receipt',
      title: t('billing.topUp.receipt'),
      cell: (row) =>
        row.receiptName !== null && (
          <Button
            size="small"
            variant="quiet"
            icon={FileText}
            onClick={() => void saveReceipt(row.topUpId).catch(toastError)}
          >
            <bdi className="clip billing-receipt">{row.receiptName}</bdi>
          </Button>
        ),
    },
    {
      key: 'amount',
      title: t('billing.amount'),
      align: 'end',
      cell: (row) => (
        <span className="cell-name">
          <Money value={row.amount} />
          {row.entered !== null && row.entered !== row.amount && (
            <span className="cell-note">
              {t.rich('billing.topUp.entered', { amount: <Money value={row.entered} /> })}
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'state',
      title: t('approvals.state'),
      card: 'state',
      cell: (row) => (
        <span className="cell-name">
          <StatusTag {...looks[row.state]}>{t(`approvals.state.${row.state}`)}</StatusTag>
          {row.reason !== null && (
            <span className="cell-note">
              <Bdi>{row.reason}</Bdi>
            </span>
          )}
          {row.approvalId && <span className="cell-note">{t('approvals.sent')}</span>}
        </span>
      ),
    },
    ...(list.data?.items.some((row) => decisionsOn(row).length > 0)
      ? [
          {
            key: 'actions',
            title: t('approvals.actions'),
            fixed: true,
            card: 'actions' as const,
            cell: (row: TopUp) => (
              <span className="row">
                {decisionsOn(row).map((decision) => (
                  <Button key={decision} size="small" onClick={() => setDeciding({ decision, topUp: row })}>
                    {t(`approvals.${decision}`)}
                  </Button>
                ))}
              </span>
            ),
          },
        ]
      : []),
  ];
  return (
    <Section title={t('billing.topUps.title')}>
      <ResourceTable
        name="topUps"
        label={t('billing.topUps.title')}
        columns={columns}
        rowKey={(row) => row.topUpId}
        list={list}
        cursor={cursor}
        onCursor={setCursor}
        empty={null}
      />
      {deciding && <TopUpDialog {...deciding} onClose={() => setDeciding(undefined)} />}
    </Section>
  );
}

async function saveReceipt(topUpId: string): Promise<void> {
  const { name, type, content } = await call('GET /top-ups/:topUpId/receipt', { params: { topUpId } });
  const octets = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  saveBlob(new Blob([octets], { type }), name);
}
