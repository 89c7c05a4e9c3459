import { Carrier, type GroupDetail, type GroupMember, memberStates } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { makeListOrder } from '../../lib/router/list-order.ts';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { Dash, DateTime, PhoneNumber } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { useBulkMemberActions } from './bulk-member-actions.ts';
import { MemberState } from './group-status.tsx';

const limit = 50;
const rereadMs = 2_000;

/** The members of a group, by page, however many there are. */
export function MembersTable({ group }: { group: GroupDetail }) {
  const t = useText();
  const refresh = useRefresh();
  const mayWrite = useMay('owner', 'member');
  const [view, setView] = useSearchParams(['mobileNumber', 'rangeHolder', 'state', 'at', 'atSort']);
  const { mobileNumber, rangeHolder, state, at } = view;
  const filtered = [mobileNumber, rangeHolder, state].some((each) => each !== undefined);
  const params = { groupId: group.groupId };
  const { order, sort } = makeListOrder('GET /groups/:groupId/members', view.atSort, (atSort) =>
    setView({ atSort, at: undefined }, { replace: true }),
  );
  const filters = { mobileNumber, rangeHolder, state };
  const query = { ...filters, sort };
  const list = useCall(
    'GET /groups/:groupId/members',
    { params, query: { ...query, limit, cursor: at } },
    { keepPrevious: true, refetchInterval: group.status === 'importing' ? rereadMs : false },
  );
  const narrow = (patch: { [F in keyof typeof filters]?: string | undefined }) =>
    setView({ ...patch, at: undefined }, { replace: true });
  const clear = () => narrow({ mobileNumber: undefined, rangeHolder: undefined, state: undefined });

  const remove = async (member: GroupMember) => {
    await call('POST /groups/:groupId/members/remove', { params, body: { mobileNumbers: [member.mobileNumber] } });
    toast(t('groups.member.removed'));
    await refresh('/groups');
  };

  const bulk = useBulkMemberActions(group.groupId);

  return (
    <div className="stack">
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput
                label={t('groups.member.search')}
                value={mobileNumber}
                onChange={(next) => narrow({ mobileNumber: next })}
              />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              label={t('groups.member.rangeHolder')}
              options={Object.values(Carrier).map((value) => ({ value, label: value }))}
              value={rangeHolder}
              onChange={(next) => narrow({ rangeHolder: next })}
            />
            <ChoiceFilter
              label={t('groups.member.state')}
              options={memberStates.map((value) => ({ value, label: t(`groups.state.${value}`) }))}
              value={state}
              onChange={(next) => narrow({ state: next })}
            />
          </FilterBar>
        }
        name="group-members"
        label={t('groups.part.members')}
        limit={limit}
        columns={useColumns(group, mayWrite ? (member) => void remove(member).catch(toastError) : undefined)}
        rowKey={(row) => `${row.mobileNumber} ${row.joinTime}`}
        list={list}
        bulk={mayWrite ? bulk : undefined}
        order={order}
        cursor={at}
        onCursor={(next) => setView({ at: next })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /groups/:groupId/members', { params, query }, 'members.csv')}
        empty={<EmptyState title={t('groups.member.empty')}>{t('groups.member.empty.text')}</EmptyState>}
      />
    </div>
  );
}

function useColumns(group: GroupDetail, onRemove: ((member: GroupMember) => void) | undefined): Column<GroupMember>[] {
  const t = useText();
  return [
    {
      key: 'mobileNumber',
      title: t('groups.member.mobileNumber'),
      fixed: true,
      card: 'title',
      cell: (row) => <PhoneNumber value={row.mobileNumber} />,
    },
    { key: 'state', title: t('groups.member.state'), card: 'state', cell: (row) => <MemberState state={row.state} /> },
    ...group.variableNames.map(
      (name, index): Column<GroupMember> => ({
        key: `value-${index}`,
        title: name,
        cell: (row) => (row.variables[index] ? <bdi className="groups-value">{row.variables[index]}</bdi> : <Dash />),
      }),
    ),
    {
      key: 'rangeHolder',
      title: t('groups.member.rangeHolder'),
      hidden: group.variableNames.length > 2,
      cell: (row) => row.rangeHolder ?? <Dash />,
    },
    {
      key: 'last',
      title: t('groups.member.last'),
      cell: (row) =>
        row.lastResult === null ? (
          <Dash />
        ) : (
          <span className="groups-result">
            {t.maybe(`deal.${row.lastResult}`) ?? row.lastResult}
            {row.lastSentAt && (
              <span className="cell-note">
                <DateTime value={row.lastSentAt} style="short" />
              </span>
            )}
          </span>
        ),
    },
    {
      key: 'joinTime',
      title: t('groups.member.joinTime'),
      hidden: true,
      cell: (row) => <DateTime value={row.joinTime} style="short" />,
    },
    ...(onRemove
      ? [
          {
            key: 'remove',
            title: t('groups.member.act'),
            fixed: true,
            align: 'end' as const,
            card: 'actions' as const,
            cell: (row: GroupMember) => (
              <Button
                variant="link"
                size="small"
                aria-label={t('groups.member.remove', { number: row.mobileNumber })}
                onClick={() => onRemove(row)}
              >
                {t('groups.member.out')}
              </Button>
            ),
          },
        ]
      : []),
  ];
}
