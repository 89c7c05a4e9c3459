import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ListOrder } from '../../lib/api/list-orders.ts';
import { classNames } from '../base/class-names.ts';
import { Icon } from '../base/icon.tsx';
import { phone, useMedia } from '../base/use-media.ts';
import { ColumnEdge } from './column-edge.tsx';
import { toColumnOrder } from './column-order.ts';
import type { Column } from './resource-table-props.ts';
import type { ColumnWidths } from './use-column-widths.ts';

interface HeadCellProps<R> {
  column: Column<R>;
  order: ListOrder | undefined;
  isFirst: boolean;
  widths: ColumnWidths;
}

/** A column's header: a button if the list can be in the column's order. */
export function HeadCell<R>({ column, order, isFirst, widths }: HeadCellProps<R>) {
  const { key, title, align, card, sort = key } = column;
  // Out of sight there, where a button would be one too many for the keyboard.
  const isPhone = useMedia(phone);
  const edge = !isPhone && card !== 'actions' && <ColumnEdge name={title} column={key} widths={widths} />;
  const own = order && toColumnOrder(sort, order);
  const className = classNames(isFirst && 'is-first', align && 'align-end') || undefined;
  const look = {
    className,
    ...widths.sizeOf(key),
    'data-card': card,
    ...(title !== '' && { 'aria-label': title }),
  };
  if (!own) {
    return (
      <th scope="col" {...look}>
        {title}
        {edge}
      </th>
    );
  }
  const { direction, next } = own;
  const arrow = <Icon of={direction === 'ascending' ? ArrowUp : ArrowDown} size="small" />;
  return (
    <th scope="col" {...look} aria-sort={direction ?? undefined}>
      {next === null || isPhone ? (
        title
      ) : (
        <button type="button" className="column-sort" onClick={() => order.onChange(next)}>
          {title}
          {arrow}
        </button>
      )}
      {edge}
    </th>
  );
}
