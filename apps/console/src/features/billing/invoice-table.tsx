import type { CallResult } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Count, Money, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { useMonthName } from './month-name.ts';

type Item = CallResult<'GET /billing/invoices'>['items'][number];

/** The months of a customer that have an invoice, newest first. */
export function InvoiceTable({
  customerId,
  onOpen,
}: {
  customerId: string | undefined;
  onOpen: (month: string) => void;
}) {
  const t = useText();
  const nameOf = useMonthName();
  const { data, ...list } = useCall('GET /billing/invoices', { query: { customerId } }, { keepPrevious: true });
  const columns: Column<Item>[] = [
    {
      key: 'month',
      title: t('billing.range'),
      fixed: true,
      long: true,
      card: 'title',
      cell: (row) => (
        <span className="cell-name">
          {nameOf(row.month)}
          {!row.isFinal && <span className="cell-note">{t('billing.invoice.open')}</span>}
        </span>
      ),
    },
    { key: 'number', title: t('billing.invoice.number'), cell: (row) => <Mono>{row.number}</Mono> },
    {
      key: 'segments',
      title: t('billing.segments'),
      align: 'end',
      cell: (row) => <Count value={row.segments} />,
    },
    { key: 'charged', title: t('billing.charged'), align: 'end', cell: (row) => <Money value={row.charged} /> },
  ];
  return (
    <ResourceTable
      name="invoices"
      label={t('billing.invoices')}
      columns={columns}
      rowKey={(row) => row.month}
      list={{ ...list, data: data && { items: data.items, nextCursor: null } }}
      cursor={undefined}
      onCursor={() => undefined}
      onOpen={(row) => onOpen(row.month)}
      empty={<EmptyState title={t('billing.empty.title')}>{t('billing.empty.text')}</EmptyState>}
    />
  );
}
