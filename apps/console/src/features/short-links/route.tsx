import { linkModes, linkStates, type ShortLink } from '@pahatid/contract';
import { Plus } from 'lucide-react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { CopyButton, Count, Dash, DateTime, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Page, PageHeader, Section } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { ClickStatistics } from './click-statistics.tsx';
import { LinkDrawer } from './link-drawer.tsx';
import { LinkForm } from './link-form.tsx';
import { LinkState } from './link-state.tsx';
import './short-links.css';

export default function ShortLinksScreen() {
  const t = useText();
  const { percent } = useFormats();
  const mayWrite = useMay('owner', 'member');
  const isStaff = useSession().user.kind === 'staff';
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['search', 'linkState', 'mode'],
    ['open', 'new', 'link', 'from', 'to', 'unit', 'by'],
    { byCustomer: true, list: 'GET /short-links' },
  );
  const list = useCall('GET /short-links', { query }, { keepPrevious: true });
  const add = mayWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setView({ new: '1' })}>
      {t('shortLinks.add')}
    </Button>
  );

  const columns: Column<ShortLink>[] = [
    {
      key: 'linkName',
      title: t('shortLinks.linkName'),
      fixed: true,
      long: true,
      card: 'title',
      cell: (row) => (
        <span className="cell-name" title={row.linkName}>
          <bdi>{row.linkName}</bdi>
          <span className="cell-note">
            <Mono>{row.targetUrl}</Mono>
          </span>
        </span>
      ),
    },
    { key: 'linkState', title: t('shortLinks.linkState'), card: 'state', cell: (row) => <LinkState link={row} /> },
    {
      key: 'shortUrl',
      title: t('shortLinks.shortUrl'),
      cell: (row) => (
        <>
          <span className="row short-links-address">
            <Mono>{`${row.domain}/s/${row.code}`}</Mono>
            <CopyButton text={row.shortUrl} label={t('shortLinks.copy', { name: row.linkName })} />
          </span>
          <span className="cell-note">{t(`shortLinks.mode.${row.mode}`)}</span>
        </>
      ),
    },
    { key: 'mode', title: t('shortLinks.mode'), hidden: true, cell: (row) => t(`shortLinks.mode.${row.mode}`) },
    ...(isStaff
      ? [{ key: 'operator', title: t('shortLinks.operator'), cell: (row: ShortLink) => row.operator ?? '' }]
      : []),
    {
      key: 'humanCount',
      title: t('shortLinks.humanCount'),
      align: 'end',
      cell: (row) => <Count value={row.humanCount} />,
    },
    {
      key: 'recipientCount',
      title: t('shortLinks.recipientCount'),
      align: 'end',
      cell: (row) => (row.mode === 'shared' ? <Dash /> : <Count value={row.recipientCount} />),
    },
    {
      key: 'clickRate',
      title: t('shortLinks.clickRate'),
      align: 'end',
      cell: (row) => (row.clickRate === null ? <Dash /> : <bdi dir="ltr">{percent(row.clickRate)}</bdi>),
    },
    {
      key: 'robotCount',
      title: t('shortLinks.robotCount'),
      align: 'end',
      hidden: true,
      cell: (row) => <Count value={row.robotCount} />,
    },
    {
      key: 'lastClickTime',
      title: t('shortLinks.lastClickTime'),
      hidden: true,
      cell: (row) => <DateTime value={row.lastClickTime} style="short" />,
    },
    {
      key: 'expireTime',
      title: t('shortLinks.expireTime'),
      cell: (row) => <DateTime value={row.expireTime} style="date" />,
    },
    {
      key: 'createTime',
      title: t('shortLinks.createTime'),
      hidden: true,
      cell: (row) => <DateTime value={row.createTime} style="short" />,
    },
    {
      key: 'appName',
      title: t('shortLinks.application'),
      hidden: true,
      cell: (row) => row.appName ?? <Dash />,
    },
  ];

  return (
    <Page>
      <PageHeader title={t('shortLinks.title')} fact={t('shortLinks.fact')} actions={add} />
      <ClickStatistics
        view={{ ...view, customerId: query.customerId }}
        onView={(patch) => setView(patch, { replace: true })}
      />
      <Section title={t('shortLinks.list')}>
        <ResourceTable
          filters={
            <FilterBar
              search={
                <SearchInput
                  label={t('shortLinks.search')}
                  value={view.search}
                  onChange={(search) => narrow({ search })}
                />
              }
              onClear={filtered ? clear : undefined}
            >
              <ChoiceFilter
                label={t('shortLinks.linkState')}
                options={linkStates.map((value) => ({ value, label: t(`shortLinks.linkState.${value}`) }))}
                value={view.linkState}
                onChange={(linkState) => narrow({ linkState })}
              />
              <ChoiceFilter
                label={t('shortLinks.mode')}
                options={linkModes.map((value) => ({ value, label: t(`shortLinks.mode.${value}`) }))}
                value={view.mode}
                onChange={(mode) => narrow({ mode })}
              />
            </FilterBar>
          }
          name="shortLinks"
          label={t('shortLinks.table')}
          columns={columns}
          rowKey={(row) => row.linkId}
          list={list}
          order={order}
          onOpen={(row) => setView({ open: row.linkId })}
          openKey={view.open}
          cursor={view.cursor}
          onCursor={(cursor) => setView({ cursor })}
          filtered={filtered}
          onClearFilters={clear}
          onExport={() => exportCsv('GET /short-links', { query }, 'short-links.csv')}
          empty={
            <EmptyState title={t('shortLinks.empty.title')} action={add}>
              {t('shortLinks.empty.text')}
            </EmptyState>
          }
        />
      </Section>
      {view.open && (
        <LinkDrawer
          linkId={view.open}
          onClose={() => setView({ open: undefined })}
          onStatistics={(link) => setView({ open: undefined, link })}
        />
      )}
      {view.new && mayWrite && (
        <LinkForm onClose={() => setView({ new: undefined })} onAdded={(open) => setView({ new: undefined, open })} />
      )}
    </Page>
  );
}
