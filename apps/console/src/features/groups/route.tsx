import type { Group } from '@pahatid/contract';
import { Combine, ListFilter, ListPlus, Plus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Count, Dash, DateTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { loadChunk } from '../../ui/feedback/load-error.ts';
import { FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { MenuItem, Popover } from '../../ui/layers/popover.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { AudienceTabs } from './audience-tabs.tsx';
import { CombineGroups } from './combine-groups.tsx';
import { EditDynamicGroup, EditGroup } from './edit-group.tsx';
import { GroupDrawer } from './group-drawer.tsx';
import { GroupStatus } from './group-status.tsx';
import { OutcomeGroup } from './outcome-group.tsx';
import './groups.css';

/** Brings the rules of phone numbers, which weigh more than the rest of the screen. */
const AddMembers = lazy(() => loadChunk(() => import('./add-members.tsx')));

/** While a group is being filled its numbers move. */
const rereadMs = 2_000;

export default function GroupsScreen() {
  const t = useText();
  const mayWrite = useMay('owner', 'member');
  const isStaff = useSession().user.kind === 'staff';
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['search'],
    ['open', 'new', 'add', 'edit'],
    {
      byCustomer: true,
      list: 'GET /groups',
    },
  );
  const list = useCall('GET /groups', { query }, { keepPrevious: true });
  const isFilling = list.data?.items.some((row) => row.status === 'importing') ?? false;
  // The same read once more, for its interval: it depends on what the read itself brings.
  useCall('GET /groups', { query }, { enabled: isFilling, refetchInterval: isFilling && rereadMs });
  const columns = useColumns(isStaff);
  const close = () => setView({ new: undefined, add: undefined, edit: undefined });
  const open = (groupId: string, add?: 'file' | 'paste') =>
    setView({ open: groupId, new: undefined, edit: undefined, add });

  const add = mayWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setView({ new: 'group' })}>
      {t('groups.add')}
    </Button>
  );
  const more = mayWrite && (
    <Popover align="end" button={{ icon: Combine, label: t('groups.more') }}>
      {(shut) => (
        <>
          <MenuItem
            icon={<Icon of={ListFilter} size="small" />}
            onClick={() => {
              shut();
              setView({ new: 'dynamic' });
            }}
          >
            {t('groups.dynamic.add')}
          </MenuItem>
          <MenuItem
            icon={<Icon of={Combine} size="small" />}
            onClick={() => {
              shut();
              setView({ new: 'combination' });
            }}
          >
            {t('groups.combine')}
          </MenuItem>
          <MenuItem
            icon={<Icon of={ListPlus} size="small" />}
            onClick={() => {
              shut();
              setView({ new: 'outcome' });
            }}
          >
            {t('groups.fromTask')}
          </MenuItem>
        </>
      )}
    </Popover>
  );

  return (
    <Page>
      <PageHeader
        title={t('groups.title')}
        fact={t('groups.fact')}
        actions={
          <>
            {more}
            {add}
          </>
        }
      />
      <AudienceTabs at="groups" />
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput label={t('groups.search')} value={view.search} onChange={(search) => narrow({ search })} />
            }
            onClear={filtered ? clear : undefined}
          ></FilterBar>
        }
        name="groups"
        label={t('groups.title')}
        columns={columns}
        rowKey={(row) => row.groupId}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.groupId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /groups', { query }, 'groups.csv')}
        empty={
          <EmptyState title={t('groups.empty.title')} action={add}>
            {t('groups.empty.text')}
          </EmptyState>
        }
      />
      {view.open && !view.add && !view.edit && (
        <GroupDrawer
          groupId={view.open}
          onAdd={(how) => setView({ add: how })}
          onEdit={() => setView({ edit: '1' })}
          onClose={() => setView({ open: undefined })}
        />
      )}
      {view.open && view.add && mayWrite && (
        <Suspense fallback={null}>
          <AddMembers groupId={view.open} how={view.add === 'paste' ? 'paste' : 'file'} onClose={close} />
        </Suspense>
      )}
      {view.open && view.edit && mayWrite && <EditGroup groupId={view.open} onClose={close} onDone={close} />}
      {view.new === 'group' && mayWrite && <EditGroup groupId={null} onClose={close} onDone={open} />}
      {view.new === 'dynamic' && mayWrite && (
        <Suspense fallback={null}>
          <EditDynamicGroup group={null} onClose={close} onDone={open} />
        </Suspense>
      )}
      {view.new === 'combination' && mayWrite && <CombineGroups onClose={close} onDone={open} />}
      {view.new === 'outcome' && mayWrite && <OutcomeGroup onClose={close} onDone={open} />}
    </Page>
  );
}

function useColumns(isStaff: boolean): Column<Group>[] {
  const t = useText();
  const formats = useFormats();
  return [
    {
      key: 'groupName',
      title: t('groups.name'),
      fixed: true,
      long: true,
      card: 'title',
      cell: (row) => (
        <span className="cell-name" title={row.groupName}>
          <bdi>{row.groupName}</bdi>
          {row.description !== '' && (
            <span className="cell-note">
              <bdi>{row.description}</bdi>
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'memberCount',
      title: t('groups.members'),
      align: 'end',
      cell: (row) => <Count value={row.memberCount} />,
    },
    {
      key: 'suppressedCount',
      title: t('groups.suppressed'),
      align: 'end',
      cell: (row) => <Count value={row.suppressedCount} />,
    },
    { key: 'status', title: t('groups.status'), card: 'state', cell: (row) => <GroupStatus status={row.status} /> },
    {
      key: 'variables',
      title: t('groups.variables'),
      cell: (row) => (row.variableNames.length === 0 ? <Dash /> : formats.list(row.variableNames)),
    },
    { key: 'source', title: t('groups.source'), cell: (row) => t(`groups.source.${row.source}`) },
    { key: 'createdBy', title: t('groups.createdBy'), hidden: true, cell: (row) => row.createdBy ?? <Dash /> },
    ...(isStaff ? [{ key: 'operator', title: t('groups.operator'), cell: (row: Group) => row.operator ?? '' }] : []),
    {
      key: 'createTime',
      title: t('groups.createTime'),
      hidden: true,
      cell: (row) => <DateTime value={row.createTime} style="short" />,
    },
    {
      key: 'updateTime',
      title: t('groups.updateTime'),
      cell: (row) => <DateTime value={row.updateTime} style="short" />,
    },
  ];
}
