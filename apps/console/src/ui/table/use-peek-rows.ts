import { PanelRight } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import type { ResourceTableProps } from './resource-table-props.ts';
import type { usePeek } from './use-peek.ts';

/**
 * What the rows of a list do where they can be peeked at: an action that shows one next to the list. While one is shown,
 * opening another shows that one, and opening the same puts it over the page.
 */
export function usePeekRows<R>(props: ResourceTableProps<R>, peek: ReturnType<typeof usePeek>): ResourceTableProps<R> {
  const t = useText();
  if (!peek.isOn) return props;
  const { rowKey, rowActions, onOpen, openKey } = props;
  const show = (row: R): void => peek.show(rowKey(row));
  return {
    ...props,
    ...(rowActions && {
      rowActions: {
        ...rowActions,
        actions: [...rowActions.actions, { key: 'peek', label: t('ui.peek'), icon: PanelRight, run: show }],
      },
    }),
    ...(peek.isOpen && onOpen && { onOpen: (row: R) => (rowKey(row) === openKey ? peek.expand() : show(row)) }),
  };
}
