import type { PriceChange, PriceItem } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, DateTime, Money } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { PriceForm } from './price-form.tsx';
import { TabHead } from './tab-head.tsx';

type Scoped = Pick<PriceItem, 'areaCode' | 'carrier' | 'smsType' | 'operator'>;

/** Prices in force, and what they were and will be. */
export function PricesTab() {
  const t = useText();
  const { view, setView } = useListView([], ['history', 'open', 'new']);
  const isHistory = view.history === '1';
  return (
    <>
      <p className="small ink-2">{t('routing.prices.fact')}</p>
      <TabHead addLabel={t('routing.price.add')} onAdd={() => setView({ new: '1' })}>
        <Segmented
          label={t('routing.tab.prices')}
          options={[
            { value: '0', label: t('routing.prices.now') },
            { value: '1', label: t('routing.prices.history') },
          ]}
          value={isHistory ? '1' : '0'}
          onChange={(history) => setView({ history: history === '1' ? '1' : undefined, cursor: undefined })}
        />
      </TabHead>
      {isHistory ? <History /> : <InForce />}
      {view.new && <PriceForm price={null} onClose={() => setView({ new: undefined })} />}
    </>
  );
}

function useScopeColumns<R extends Scoped>(): Column<R>[] {
  const t = useText();
  const { locale } = useTexts();
  return [
    {
      key: 'scope',
      title: t('routing.price.for'),
      fixed: true,
      card: 'title',
      cell: (row) => row.carrier ?? t('routing.anyCarrier'),
    },
    { key: 'areaCode', title: t('routing.areaCode'), cell: (row) => regionName(locale, row.areaCode) },
    {
      key: 'smsType',
      title: t('routing.smsType'),
      cell: (row) => (row.smsType === null ? t('routing.anyType') : t(`customers.smsType.${row.smsType}`)),
    },
    {
      key: 'operator',
      title: t('routing.customer'),
      cell: (row) => (row.operator === null ? t('routing.everyCustomer') : <Bdi>{row.operator}</Bdi>),
    },
  ];
}

function InForce() {
  const t = useText();
  const { view, setView, query } = useListView([], ['open', 'history', 'new']);
  const list = useCall('GET /prices', { query }, { keepPrevious: true });
  // A link may open one that is not on the page shown.
  const listed = list.data?.items.find(({ priceId }) => priceId === view.open);
  const one = useCall(
    'GET /prices/:priceId',
    { params: { priceId: view.open ?? '' } },
    { enabled: view.open !== undefined && list.data !== undefined && listed === undefined },
  );
  const open = view.open === undefined ? undefined : (listed ?? one.data);
  const columns: Column<PriceItem>[] = [
    ...useScopeColumns<PriceItem>(),
    { key: 'price', title: t('routing.price'), align: 'end', cell: (row) => <Money value={row.price} /> },
  ];
  return (
    <>
      <ResourceTable
        name="prices"
        label={t('routing.prices.now')}
        columns={columns}
        rowKey={(row) => row.priceId}
        list={list}
        onOpen={(row) => setView({ open: row.priceId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        onExport={() => exportCsv('GET /prices', { query }, 'prices.csv')}
        empty={<EmptyState title={t('routing.price.empty')}>{t('routing.price.empty.text')}</EmptyState>}
      />
      {open && <PriceForm key={open.version} price={open} onClose={() => setView({ open: undefined })} />}
    </>
  );
}

function History() {
  const t = useText();
  const refresh = useRefresh();
  const { view, setView, query, order } = useListView([], ['open', 'history', 'new'], { list: 'GET /price-changes' });
  const list = useCall('GET /price-changes', { query }, { keepPrevious: true, refetchInterval: 15_000 });
  const [withdrawing, setWithdrawing] = useState<PriceChange | null>(null);
  const columns: Column<PriceChange>[] = [
    ...useScopeColumns<PriceChange>(),
    {
      key: 'effectiveTime',
      title: t('routing.price.from'),
      cell: (row) => <DateTime value={row.effectiveTime} />,
    },
    {
      key: 'state',
      title: t('routing.state'),
      card: 'state',
      cell: (row) =>
        row.planned ? (
          <StatusTag glyph="clock" tone="planned">
            {t('routing.price.planned')}
          </StatusTag>
        ) : (
          <StatusTag glyph="tick" tone="primary">
            {t('routing.price.applied')}
          </StatusTag>
        ),
    },
    {
      key: 'price',
      title: t('routing.price'),
      align: 'end',
      cell: (row) => (row.price === null ? t('routing.price.ended') : <Money value={row.price} />),
    },
    { key: 'account', title: t('routing.price.by'), cell: (row) => row.account && <Bdi>{row.account}</Bdi> },
    {
      key: 'actions',
      title: '',
      fixed: true,
      card: 'actions',
      align: 'end',
      cell: (row) =>
        row.planned && (
          <Button size="small" variant="quiet" onClick={() => setWithdrawing(row)}>
            {t('routing.price.withdraw')}
          </Button>
        ),
    },
  ];
  return (
    <>
      <ResourceTable
        name="price-changes"
        label={t('routing.prices.history')}
        columns={columns}
        rowKey={(row) => row.changeId}
        list={list}
        order={order}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        onExport={() => exportCsv('GET /price-changes', { query }, 'price-changes.csv')}
        empty={<EmptyState title={t('audit.empty.title')} />}
      />
      {withdrawing && (
        <ConfirmDialog
          danger
          title={t('routing.price.withdraw')}
          confirmLabel={t('routing.price.withdraw')}
          onConfirm={async () => {
            const params = { changeId: withdrawing.changeId };
            await call('DELETE /price-changes/:changeId', { params });
            toast(t('routing.price.withdrawn'));
            await refresh('/price-changes');
          }}
          onClose={() => setWithdrawing(null)}
        >
          {t('routing.price.withdraw.text')}
        </ConfirmDialog>
      )}
    </>
  );
}
