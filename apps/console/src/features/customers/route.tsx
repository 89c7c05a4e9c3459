import { type CustomerItem, ReviewPolicy, UseState } from '@pahatid/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, Count, DateTime, Money } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { AddCustomer } from './add-customer.tsx';
import { CustomerDrawer } from './customer-drawer.tsx';
import { CustomerState } from './customer-state.tsx';
import './customers.css';
import { type OwnerLink, OwnerLinkDialog } from './owner-link-dialog.tsx';

export default function CustomersScreen() {
  const t = useText();
  const isAdmin = useMay('admin');
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['search', 'useState', 'reviewPolicy'],
    ['open', 'tab', 'new'],
    { list: 'GET /customers' },
  );
  const list = useCall('GET /customers', { query }, { keepPrevious: true, refetchInterval: 30_000 });
  const [link, setLink] = useState<OwnerLink | null>(null);
  /** Opened after the owner's link was closed: the link is shown once and must not be covered. */
  const [added, setAdded] = useState<string>();
  const add = isAdmin && (
    <Button variant="primary" icon={Plus} onClick={() => setView({ new: '1' })}>
      {t('customers.add')}
    </Button>
  );

  const columns: Column<CustomerItem>[] = [
    {
      key: 'customerName',
      title: t('customers.name'),
      fixed: true,
      card: 'title',
      cell: (row) => <Bdi>{row.customerName}</Bdi>,
    },
    { key: 'useState', title: t('customers.useState'), card: 'state', cell: (row) => <CustomerState customer={row} /> },
    {
      key: 'balance',
      title: t('customers.balance'),
      align: 'end',
      cell: (row) => (
        <>
          <Money value={row.balance} />
          {row.reserved > 0 && (
            <span className="cell-note">
              {t.rich('customers.reserved.note', { amount: <Money value={row.reserved} /> })}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'today',
      title: t('customers.today'),
      align: 'end',
      cell: (row) => (
        <>
          <Count value={row.today.messages} />
          {row.today.messages > 0 && (
            <span className="cell-note">{t('customers.today.note', { delivered: row.today.delivered })}</span>
          )}
        </>
      ),
    },
    { key: 'spend', title: t('customers.spend'), align: 'end', cell: (row) => <Money value={row.today.spend} /> },
    {
      key: 'reviewPolicy',
      title: t('customers.reviewPolicy'),
      cell: (row) => t(`customers.reviewPolicy.${row.reviewPolicy}`, { above: row.reviewAbove ?? 0 }),
    },
    {
      key: 'createTime',
      title: t('customers.createTime'),
      hidden: true,
      cell: (row) => <DateTime value={row.createTime} />,
    },
  ];

  return (
    <Page>
      <PageHeader title={t('customers.title')} fact={t('customers.fact')} actions={add} />
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput
                label={t('customers.search')}
                value={view.search}
                onChange={(search) => narrow({ search })}
              />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              label={t('customers.useState')}
              options={Object.values(UseState).map((n) => ({ value: String(n), label: t(`customers.useState.${n}`) }))}
              value={view.useState}
              onChange={(useState) => narrow({ useState })}
            />
            <ChoiceFilter
              label={t('customers.reviewPolicy')}
              options={Object.values(ReviewPolicy).map((policy) => ({
                value: policy,
                label: t(`customers.policy.${policy}`),
              }))}
              value={view.reviewPolicy}
              onChange={(reviewPolicy) => narrow({ reviewPolicy })}
            />
          </FilterBar>
        }
        name="customers"
        label={t('customers.title')}
        columns={columns}
        rowKey={(row) => row.customerId}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.customerId, tab: undefined })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /customers', { query }, 'customers.csv')}
        empty={
          <EmptyState title={t('customers.empty.title')} action={add}>
            {t('customers.empty.text')}
          </EmptyState>
        }
      />
      {view.open && (
        <CustomerDrawer
          customerId={view.open}
          tab={view.tab}
          onTab={(tab) => setView({ tab }, { replace: true })}
          onLink={setLink}
          onClose={() => setView({ open: undefined, tab: undefined })}
        />
      )}
      {view.new && isAdmin && (
        <AddCustomer
          onAdded={(customerId, made) => {
            setView({ new: undefined, open: made ? undefined : customerId });
            setLink(made);
            setAdded(made ? customerId : undefined);
          }}
          onClose={() => setView({ new: undefined })}
        />
      )}
      {link && (
        <OwnerLinkDialog
          link={link}
          onClose={() => {
            setLink(null);
            setAdded(undefined);
            if (added) setView({ open: added });
          }}
        />
      )}
    </Page>
  );
}
