import { ArrowDownUp } from 'lucide-react';
import type { ListOrder } from '../../lib/api/list-orders.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { MenuItem, Popover } from '../layers/popover.tsx';
import { toDirection } from './column-order.ts';
import type { Column } from './resource-table-props.ts';

/** The orders of a list as a menu, where rows are cards and have no headers. */
export function OrderMenu<R>({ columns, order }: { columns: readonly Column<R>[]; order: ListOrder }) {
  const t = useText();
  const titleOf = (field: string) => columns.find(({ key, sort = key }) => sort === field)?.title;
  const choices = order.orders.flatMap((value) => {
    const title = titleOf(value.replace(/^-/, ''));
    return title === undefined ? [] : [{ value, label: t(`ui.sort.${toDirection(value)}`, { column: title }) }];
  });
  if (choices.length < 2) return null;
  return (
    <span className="only-cards">
      <Popover align="end" button={{ variant: 'quiet', size: 'small', icon: ArrowDownUp, label: t('ui.sort') }}>
        {(close) =>
          choices.map(({ value, label }) => (
            <MenuItem
              key={value}
              chosen={value === order.current}
              onClick={() => {
                order.onChange(value);
                close();
              }}
            >
              {label}
            </MenuItem>
          ))
        }
      </Popover>
    </span>
  );
}
