import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type MouseEvent, useEffect, useRef } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { classNames } from '../base/class-names.ts';
import { tablet, useMedia } from '../base/use-media.ts';
import { EmptyState, FailedState } from '../feedback/blank.tsx';
import { Delayed, Skeleton } from '../feedback/skeleton.tsx';
import { fetchFieldsAtRest } from '../form/heavy-fields.ts';
import { pagesBefore, rememberStep, stepBack } from './cursor-trail.ts';
import type { Column, ListData, ResourceTableProps } from './resource-table-props.ts';
import './table.css';
import { useViewedSettings } from '../views/viewed-settings.ts';
import { BulkBar } from './bulk-bar.tsx';
import { HeadCell } from './head-cell.tsx';
import { menuInstead, RowMenu, RowTools } from './row-tools.tsx';
import { SearchBlank } from './search-progress.tsx';
import { SelectCell, SelectHead } from './select-cell.tsx';
import { TableBar } from './table-bar.tsx';
import { toShownColumns } from './table-settings.ts';
import { type ColumnWidths, useColumnWidths } from './use-column-widths.ts';
import { usePeek } from './use-peek.ts';
import { usePeekRows } from './use-peek-rows.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useScrollMark } from './use-scroll-mark.ts';
import { type Selection, useSelection } from './use-selection.ts';
import { useTableFit } from './use-table-fit.ts';

export type { Column, ListData, ResourceTableProps };

const skeletonRows = 6;
const manyColumns = 8;

/** Every list: a table with a caption, paged by cursor, cards on a phone, and its loading, empty and failed states. */
export function ResourceTable<R>(props: ResourceTableProps<R>) {
  const { name, label, columns, list, empty, filtered = false, onClearFilters, cursor, search } = props;
  const t = useText();
  const [settings, change] = useViewedSettings(name);
  const isTablet = useMedia(tablet);
  const hasMenu = useMedia(menuInstead) && props.rowActions !== undefined;
  const shown = toShownColumns(columns, settings, isTablet);
  const widths = useColumnWidths(settings.widths, (next) => change({ widths: next }));
  const { data, error } = list;
  const selection = useSelection(data?.items ?? [], props.rowKey);
  const isSelectable = props.bulk !== undefined;
  const isHere = data !== undefined;
  useEffect(() => {
    if (isHere) fetchFieldsAtRest();
  }, [isHere]);
  const frame = useRef<HTMLElement>(null);
  useScrollMark(frame);
  useTableFit(frame);
  const peek = usePeek('openKey' in props && props.onOpen !== undefined && !props.noPeek);
  useRowKeys(frame, props.onOpen !== undefined, peek);
  const rows = usePeekRows(props, peek);

  if (error && !data) {
    return (
      <div className="resource">
        <TableBar {...props} settings={settings} onSettings={change} />
        <div className="resource-frame">
          <FailedState
            error={error}
            onRetry={() => void list.refetch()}
            reassurance={filtered && t('ui.failed.kept')}
            action={filtered && onClearFilters && <Button onClick={onClearFilters}>{t('ui.clearFilters')}</Button>}
          />
        </div>
      </div>
    );
  }

  const nothing = data !== undefined && data.items.length === 0;
  const isSearching = nothing && search !== undefined && search.state !== 'done';
  return (
    <div className="resource">
      <TableBar {...props} settings={settings} onSettings={change} />
      <section
        ref={frame}
        className={classNames('resource-frame', list.isPlaceholderData && 'is-stale')}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
        tabIndex={0}
      >
        {nothing ? (
          isSearching ? (
            <SearchBlank search={search} />
          ) : filtered || cursor ? (
            <EmptyState
              title={t('ui.noMatches')}
              action={onClearFilters && <Button onClick={onClearFilters}>{t('ui.clearFilters')}</Button>}
            />
          ) : (
            empty
          )
        ) : (
          <table
            className={classNames(
              'resource-table',
              settings.density === 'compact' && 'is-compact',
              shown.length > manyColumns && 'has-many',
            )}
            aria-busy={list.isFetching}
          >
            <caption className="visually-hidden">{label}</caption>
            <thead>
              <tr>
                {isSelectable && <SelectHead count={data?.items.length ?? 0} selection={selection} />}
                {shown.map((column, index) => (
                  <HeadCell
                    key={column.key}
                    column={column}
                    order={props.order}
                    isFirst={index === 0}
                    widths={widths}
                  />
                ))}
                {hasMenu && (
                  <th scope="col" className="row-menu">
                    <span className="visually-hidden">{t('ui.rowActions')}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {data ? (
                data.items.map((row) => (
                  <Row
                    {...rows}
                    key={props.rowKey(row)}
                    row={row}
                    shown={shown}
                    widths={widths}
                    selection={selection}
                    hasMenu={hasMenu}
                    toolsColumn={hasMenu ? undefined : toToolsColumn(shown, isTablet)}
                  />
                ))
              ) : (
                <SkeletonRows columns={shown} isSelectable={isSelectable} />
              )}
            </tbody>
          </table>
        )}
      </section>
      {props.bulk && <BulkBar {...props.bulk} rowKey={props.rowKey} selection={selection} />}
      {data && (!isSearching || cursor) && <Pager {...props} data={data} />}
    </div>
  );
}

const cellClass = <R,>({ align, long }: Column<R>, index: number) =>
  classNames(index === 0 && 'is-first', align && 'align-end', long && 'is-long') || undefined;

/** Row actions cover the end of a long text; where a table is scrolled, that of the state, which stays in view. */
const toToolsColumn = <R,>(shown: readonly Column<R>[], isTablet: boolean): Column<R> | undefined =>
  (isTablet ? shown.find(({ card }) => card === 'state') : undefined) ?? shown.find(({ long }) => long) ?? shown.at(-1);

interface RowProps<R> extends ResourceTableProps<R> {
  row: R;
  shown: readonly Column<R>[];
  widths: ColumnWidths;
  selection: Selection<R>;
  /** Its actions are in a menu. */
  hasMenu: boolean;
  /** At whose end they are otherwise. */
  toolsColumn: Column<R> | undefined;
}

function Row<R>({ row, shown, widths, selection, hasMenu, toolsColumn, ...props }: RowProps<R>) {
  const { onOpen, openKey, rowKey, bulk } = props;
  const id = rowKey(row);
  const opener = shown.find((column) => column.card === 'title') ?? shown[0];
  const onClick = (event: MouseEvent) => {
    // A click on an interactive element, or one that ends a text selection, doesn't open the row.
    const own = (event.target as HTMLElement).closest('button, a, input, label, [data-own-click]');
    if (!own && !window.getSelection()?.toString()) onOpen?.(row);
  };
  return (
    <tr
      data-key={id}
      className={classNames(
        onOpen && 'can-open',
        openKey !== undefined && openKey === id && 'is-open',
        bulk && selection.has(id) && 'is-selected',
      )}
      onClick={onOpen && onClick}
    >
      {bulk && <SelectCell id={id} name={bulk.nameOf(row)} selection={selection} />}
      {shown.map((column, index) => {
        const content = column.cell(row);
        return (
          <td
            key={column.key}
            className={cellClass(column, index)}
            {...widths.sizeOf(column.key)}
            data-label={column.title}
            data-card={column.card}
          >
            {onOpen && column === opener ? (
              <button type="button" className="row-open" aria-haspopup="dialog" onClick={() => onOpen(row)}>
                {content}
              </button>
            ) : (
              content
            )}
            {props.rowActions && column === toolsColumn && <RowTools {...props.rowActions} row={row} />}
          </td>
        );
      })}
      {props.rowActions && hasMenu && <RowMenu {...props.rowActions} row={row} />}
    </tr>
  );
}

function SkeletonRows<R>({ columns, isSelectable }: { columns: readonly Column<R>[]; isSelectable: boolean }) {
  return (
    <Delayed>
      {Array.from({ length: skeletonRows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal rows.
        <tr key={row}>
          {isSelectable && <td className="row-select" />}
          {columns.map((column, index) => (
            <td key={column.key} className={cellClass(column, index)} data-card={column.card}>
              <Skeleton width={`${55 + ((row * 3 + index * 7) % 5) * 9}%`} />
            </td>
          ))}
        </tr>
      ))}
    </Delayed>
  );
}

/** Below the list: which rows these are, and the steps to others. */
function Pager<R>({
  name,
  data,
  fact,
  totals,
  cursor,
  onCursor,
  limit = 20,
}: ResourceTableProps<R> & { data: ListData<R> }) {
  const t = useText();
  const formats = useFormats();
  const { total } = data;
  const isPaged = onCursor !== undefined && Boolean(cursor ?? data.nextCursor);
  const before = pagesBefore(name, cursor);
  const from = before === null ? null : before * limit + 1;
  const range = isPaged &&
    from !== null && {
      from: formats.number(from),
      to: formats.number(from + data.items.length - 1),
      total: formats.number(total ?? 0),
    };
  const rows = total !== undefined && !isPaged && t('ui.rows', { count: total, shown: formats.number(total) });
  const hasTotals = Boolean(totals) && data.items.length > 0;
  if (!isPaged && !rows && !fact && !hasTotals) return null;
  const older = () => {
    if (!data.nextCursor) return;
    rememberStep(name, cursor, data.nextCursor);
    onCursor?.(data.nextCursor);
  };
  return (
    <div className="resource-foot">
      <span className="resource-fact num">
        {hasTotals && totals}
        {range && data.items.length > 0 && (
          <span>{total === undefined ? t('ui.range', range) : t('ui.rangeOf', range)}</span>
        )}
        {fact ? <span>{fact}</span> : rows && <span>{rows}</span>}
      </span>
      {isPaged && (
        <nav className="row" aria-label={t('ui.pages')}>
          <Button
            size="small"
            icon={ChevronLeft}
            mirrorIcon
            disabled={!cursor}
            onClick={() => onCursor(cursor && stepBack(name, cursor))}
          >
            {t('ui.newer')}
          </Button>
          <Button size="small" trailingIcon={ChevronRight} mirrorIcon disabled={!data.nextCursor} onClick={older}>
            {t('ui.older')}
          </Button>
        </nav>
      )}
    </div>
  );
}
