import { columnWidths } from '@pahatid/contract';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toEdgeWidth } from './edge-width.ts';
import type { ColumnWidths } from './use-column-widths.ts';

interface ColumnEdgeProps {
  column: string;
  /** The column's title. */
  name: string;
  widths: ColumnWidths;
}

const widthOf = (edge: HTMLElement) => edge.parentElement?.offsetWidth ?? 0;
const isRtl = (edge: HTMLElement) => getComputedStyle(edge).direction === 'rtl';

/** The edge at the end of a header: dragged, or moved by arrow keys, it changes the column's width; a double click undoes it. */
export function ColumnEdge({ column, name, widths }: ColumnEdgeProps) {
  const t = useText();
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    const edge = event.currentTarget;
    const offset = widthOf(edge) - (isRtl(edge) ? -event.clientX : event.clientX);
    edge.setPointerCapture(event.pointerId);
    edge.dataset['offset'] = String(offset);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const { offset } = event.currentTarget.dataset;
    if (offset === undefined) return;
    widths.draft(column, Number(offset) + (isRtl(event.currentTarget) ? -event.clientX : event.clientX));
  };
  const onLostPointerCapture = (event: PointerEvent<HTMLElement>) => {
    delete event.currentTarget.dataset['offset'];
    widths.keep();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const edge = event.currentTarget;
    const width = toEdgeWidth(event.key, widthOf(edge), { isRtl: isRtl(edge), isFast: event.shiftKey });
    if (width === null) return;
    event.preventDefault();
    widths.draft(column, width);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> has no value that changes.
    <span
      role="separator"
      className="column-edge"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('ui.columns.width', { column: name })}
      aria-valuemin={columnWidths.min}
      aria-valuemax={columnWidths.max}
      // The measured width: `useTableFit`.
      aria-valuenow={columnWidths.min}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onLostPointerCapture={onLostPointerCapture}
      onKeyDown={onKeyDown}
      onKeyUp={widths.keep}
      onBlur={widths.keep}
      onDoubleClick={() => widths.reset(column)}
    />
  );
}
