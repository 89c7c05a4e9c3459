import { ArrowDownUp, type LucideIcon } from 'lucide-react';
import type { ListOrder } from '../../lib/api/list-orders.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { MenuItem, Popover } from '../layers/popover.tsx';
import { toDirection } from './column-order.ts';
import type { Column } from './resource-table-props.ts';

/** A button of the line above a list that shows an icon alone. */
export const toolLook = (icon: LucideIcon, name: string) =>
  ({ variant: 'quiet', icon, label: null, title: name, 'aria-label': name }) as const;

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
      <Popover align="end" label={t('ui.sort')} button={toolLook(ArrowDownUp, t('ui.sort'))}>
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
