import type { TopUp } from '@pahatid/contract';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { exportCsv, saveBlob } from '../../lib/api/export-csv.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { attachmentBlob } from '../../lib/files/attachments.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, DateTime, Money } from '../../ui/data/text.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Section } from '../../ui/page/page.tsx';
import { type Decision, decisionColumns, stateColumn } from '../../ui/table/decision-columns.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { TopUpDialog } from './top-up-dialog.tsx';

/** Requested top-ups: an owner's own; for staff those that are pending, or all of a chosen customer. Nothing if there are none. */
export function TopUpTable({ customerId }: { customerId: string | undefined }) {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  const mayEnter = useMay('admin');
  const [cursor, setCursor] = useState<string>();
  const [deciding, setDeciding] = useState<{ decision: Decision; topUp: TopUp }>();
  const seesAll = isStaff && customerId === undefined;
  const query = {
    ...(cursor !== undefined && { cursor }),
    ...(customerId !== undefined && { customerId }),
    ...(seesAll && { state: 'pending' as const }),
  };
  const list = useCall('GET /top-ups', { query }, { keepPrevious: true, refetchInterval: 30_000 });
  if (list.error === null && cursor === undefined && (list.data?.items ?? []).length === 0) return null;

  const decisionsOn = (row: TopUp): Decision[] => {
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
    stateColumn(t, (row) => (
      <>
        {row.reason !== null && (
          <span className="cell-note">
            <Bdi>{row.reason}</Bdi>
          </span>
        )}
        {row.approvalId && <span className="cell-note">{t('approvals.sent')}</span>}
      </>
    )),
    ...decisionColumns(t, list.data?.items ?? [], decisionsOn, (decision, topUp) => setDeciding({ decision, topUp })),
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
        onExport={() => exportCsv('GET /top-ups', { query }, 'top-ups.csv')}
        empty={null}
      />
      {deciding && <TopUpDialog {...deciding} onClose={() => setDeciding(undefined)} />}
    </Section>
  );
}

async function saveReceipt(topUpId: string): Promise<void> {
  const receipt = await call('GET /top-ups/:topUpId/receipt', { params: { topUpId } });
  saveBlob(attachmentBlob(receipt), receipt.name);
}
