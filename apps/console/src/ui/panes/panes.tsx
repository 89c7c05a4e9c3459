import type { MouseEvent, PropsWithChildren, ReactNode } from 'react';
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
  /** A press on a pane; null: on an empty one. The legend's numbers are the buttons that do the same. */
  onPick?: (kind: PaneKind | null) => void;
}

function Panes({ parts, total, label, onPick, count, className }: PanesProps & { count: number; className: string }) {
  const kinds = sharePanes(parts, total, count);
  const spare = sparePanes(kinds, count);
  const pick = (event: MouseEvent) => {
    const place = [...event.currentTarget.children].indexOf(event.target as Element);
    if (place !== -1) onPick?.(kinds[place] ?? null);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the legend has buttons for the keyboard.
    <div className={classNames(className, onPick && 'can-pick')} role="img" aria-label={label} onClick={onPick && pick}>
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

interface LegendItem {
  kind: PaneKind | null;
  label: ReactNode;
  value?: ReactNode;
  /** Makes the value a button. */
  pick?: {
    /** The label and the value. */
    name: string;
    /** What the button does. */
    hint: string;
    /** Of one that switches something on; undefined: it leads somewhere else. */
    isPressed: boolean | undefined;
    onPick: () => void;
  };
}

/** Labels the colours; counts are alongside, because some panes are too faint to count by eye. */
export function PaneLegend({ items }: { items: readonly LegendItem[] }) {
  return (
    <ul className="legend">
      {items.map(({ kind, label, value, pick }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is written out by the caller and never reordered.
        <li key={index}>
          <i className={classNames('pane-swatch', kind && `pane-${kind}`)} />
          <span>
            {label} {value !== undefined && (pick ? <Picker {...pick}>{value}</Picker> : <b>{value}</b>)}
          </span>
        </li>
      ))}
    </ul>
  );
}

const Picker = ({ name, hint, isPressed, onPick, children }: NonNullable<LegendItem['pick']> & PropsWithChildren) => (
  <button
    type="button"
    className="legend-pick"
    title={hint}
    aria-label={name}
    aria-pressed={isPressed}
    onClick={onPick}
  >
    <b>{children}</b>
  </button>
);
