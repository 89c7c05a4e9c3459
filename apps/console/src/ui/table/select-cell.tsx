import { useEffect, useRef } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import type { Selection } from './use-selection.ts';

/** Selects a row; with Shift, all rows since the one pressed before. */
export function SelectCell<R>({ id, name, selection }: { id: string; name: string; selection: Selection<R> }) {
  const t = useText();
  return (
    <td className="row-select" data-own-click>
      <label>
        <input
          type="checkbox"
          aria-label={t('ui.select.row', { name })}
          checked={selection.has(id)}
          onChange={({ nativeEvent }) => selection.press(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        />
      </label>
    </td>
  );
}

/** Selects every row of the page, or none. */
export function SelectHead<R>({ count, selection }: { count: number; selection: Selection<R> }) {
  const t = useText();
  const box = useRef<HTMLInputElement>(null);
  const selected = selection.rows.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = selected > 0 && selected < count;
  }, [selected, count]);
  return (
    <th scope="col" className="row-select">
      <label>
        <input
          ref={box}
          type="checkbox"
          aria-label={t('ui.select.page')}
          checked={count > 0 && selected === count}
          disabled={count === 0}
          onChange={selection.pressAll}
        />
      </label>
    </th>
  );
}
