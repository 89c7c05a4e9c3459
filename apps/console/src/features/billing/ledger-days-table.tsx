import type { CallResult } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { wallToInstant } from '../../lib/format/zoned-time.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { makeListOrder } from '../../lib/router/list-order.ts';
import { Bdi, Count, Dash, Money } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { LedgerAmount } from './ledger-amount.tsx';
import type { LedgerView } from './ledger-view.ts';

type Page = CallResult<'GET /billing/days'>;
type Line = Page['items'][number];

const keyOf = ({ day, kind, customerId, taskId }: Line): string => `${day}|${kind}|${customerId}|${taskId}`;
const dayMs = 86_400_000;

/** What the entries of each day and task come to; a line opens its entries. */
export function LedgerDaysTable({
  customerId,
  list,
  filters,
}: {
  customerId: string | undefined;
  list: LedgerView;
  filters: React.ReactNode;
}) {
  const t = useText();
  const { zone, date } = useFormats();
  const seesAll = useSession().user.kind === 'staff' && customerId === undefined;
  const { view, setView, filtered, clear } = list;
  const { kind, from, to } = list.query;
  const { order, sort } = makeListOrder('GET /billing/days', view.sort, (next) =>
    setView({ sort: next, cursor: undefined }, { replace: true }),
  );
  const asked = { kind, from, to, customerId, zone, sort };
  const lines = useCall(
    'GET /billing/days',
    { query: { ...asked, cursor: view.cursor } },
    { keepPrevious: true, refetchInterval: 60_000 },
  );
  const columns: Column<Line>[] = [
    {
      key: 'day',
      title: t('billing.day'),
      fixed: true,
      card: 'title',
      cell: (row) => <Bdi>{date(wallToInstant(`${row.day}T12:00`, zone), 'date')}</Bdi>,
    },
    { key: 'kind', title: t('billing.kind'), card: 'state', cell: (row) => t(`billing.kind.${row.kind}`) },
    ...(seesAll
      ? [
          {
            key: 'operator',
            title: t('billing.customer'),
            cell: (row: Line) => (row.operator ? <Bdi>{row.operator}</Bdi> : <Dash />),
          },
        ]
      : []),
    { key: 'task', title: t('billing.task'), long: true, cell: (row) => <Task line={row} /> },
    {
      key: 'entries',
      title: t('billing.ledger.entries'),
      align: 'end',
      cell: (row) => <Count value={row.entryCount} />,
    },
    {
      key: 'segments',
      title: t('billing.segments'),
      align: 'end',
      cell: (row) => (row.kind === 'charge' ? <Count value={row.segments} /> : <Dash />),
    },
    { key: 'amount', title: t('billing.amount'), align: 'end', cell: (row) => <LedgerAmount value={row.amount} /> },
  ];
  /** The entries of the line's day, as far as they are in the asked span. */
  const openEntries = ({ day, kind: of, taskId, customerId: charged }: Line): void => {
    const next = new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
    const [start, end] = [wallToInstant(`${day}T00:00`, zone), wallToInstant(`${next}T00:00`, zone)];
    setView({
      by: undefined,
      cursor: undefined,
      customerId: seesAll ? charged : customerId,
      // Corrections of a task's charges are separate entries of another kind.
      kind: taskId === null ? of : undefined,
      taskId: taskId ?? (of === 'charge' ? 'none' : undefined),
      from: from !== undefined && from > start ? from : start,
      to: to !== undefined && to < end ? to : end,
    });
  };
  return (
    <>
      {lines.data?.sums && <Sums sums={lines.data.sums} kind={kind} />}
      <ResourceTable
        filters={filters}
        name="ledgerDays"
        label={t('billing.ledger.byDay')}
        columns={columns}
        rowKey={keyOf}
        list={lines}
        order={order}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        onOpen={openEntries}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /billing/days', { query: asked }, 'ledger-by-day.csv')}
        empty={<EmptyState title={t('billing.empty.title')}>{t('billing.empty.text')}</EmptyState>}
      />
    </>
  );
}

function Task({ line: { kind, taskId, taskName } }: { line: Line }) {
  const t = useText();
  if (kind !== 'charge') return <Dash />;
  if (taskId === null) return <span className="ink-3">{t('billing.noTask')}</span>;
  return taskName === null ? <Dash /> : <Bdi>{taskName}</Bdi>;
}

/** Of all lines, on this page or not. */
function Sums({ sums, kind }: { sums: NonNullable<Page['sums']>; kind: string | undefined }) {
  const t = useText();
  const isShown = (of: string, amount: number): boolean => kind === of || (kind === undefined && amount !== 0);
  return (
    <p className="small ink-2 ledger-sums">
      {(kind === undefined || kind === 'charge') && (
        <span>
          {t.rich('billing.charges.sum', { amount: <Money value={sums.charged} />, segments: sums.segments })}
        </span>
      )}
      {isShown('topUp', sums.toppedUp) && (
        <span>
          {t('billing.kind.topUp')} <Money value={sums.toppedUp} />
        </span>
      )}
      {isShown('adjustment', sums.adjusted) && (
        <span>
          {t('billing.kind.adjustment')} <Money value={sums.adjusted} />
        </span>
      )}
    </p>
  );
}
