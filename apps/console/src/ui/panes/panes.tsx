import type { ReactNode } from 'react';
import { classNames } from '../base/class-names.ts';
import './panes.css';
import { type PaneKind, type PanePart, sharePanes, sparePanes } from './share-panes.ts';

export type { PaneKind, PanePart };

interface PanesProps {
  /** In reading order; what they leave of `total` stays empty. */
  parts: readonly PanePart[];
  total: number;
  /** Text alternative of the panes, with numbers; the panes themselves are not read out. */
  label: string;
}

function Panes({ parts, total, label, count, className }: PanesProps & { count: number; className: string }) {
  const kinds = sharePanes(parts, total, count);
  const spare = sparePanes(kinds, count);
  return (
    <div className={className} role="img" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a pane is its place.
        <i key={index} className={classNames(kinds[index] && `pane-${kinds[index]}`, spare.has(index) && 'is-spare')} />
      ))}
    </div>
  );
}

/** Progress in one line, for lists. */
export const PaneStrip = ({ panes = 80, ...rest }: PanesProps & { panes?: number }) => (
  <Panes {...rest} count={panes} className="pane-strip" />
);

/** A hundred panes, one for each hundredth of the recipients. */
export const PaneGrid = (props: PanesProps) => <Panes {...props} count={100} className="pane-grid" />;

/** Labels the colours; counts are alongside, because some panes are too faint to count by eye. */
export function PaneLegend({
  items,
}: {
  items: readonly { kind: PaneKind | null; label: ReactNode; value?: ReactNode }[];
}) {
  return (
    <ul className="legend">
      {items.map(({ kind, label, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is written out by the caller and never reordered.
        <li key={index}>
          <i className={classNames('pane-swatch', kind && `pane-${kind}`)} />
          <span>
            {label} {value !== undefined && <b>{value}</b>}
          </span>
        </li>
      ))}
    </ul>
  );
}
