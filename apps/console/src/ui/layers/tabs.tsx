import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { classNames } from '../base/class-names.ts';
import './tabs.css';

export interface TabItem<K extends string> {
  key: K;
  label: ReactNode;
  /** A number next to the label. */
  count?: ReactNode;
}

interface TabsProps<K extends string> {
  /** What the tabs choose between, for screen readers. */
  label: string;
  items: readonly TabItem<K>[];
  value: K;
  onChange: (key: K) => void;
  /** Id of the panel the tabs change: give it `role="tabpanel"`. */
  panelId?: string;
  /** Without the drawer's side padding. */
  inline?: boolean;
  /** As one box with equal parts, for two or three alternatives. */
  segments?: boolean;
}

/** Margin next to the selected tab, when the tabs scroll. */
const edge = 16;

/** Tabs contain labels and counts only; put another button next to them. */
export function Tabs<K extends string>({
  label,
  items,
  value,
  onChange,
  panelId,
  inline = false,
  segments = false,
}: TabsProps<K>) {
  const list = useRef<HTMLDivElement>(null);
  // If not all of them fit, the selected one is fully scrolled into view; the page itself does not scroll.
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>(`[data-key="${value}"]`);
    if (!list.current || !chosen) return;
    const [frame, tab] = [list.current.getBoundingClientRect(), chosen.getBoundingClientRect()];
    const before = frame.left + edge - tab.left;
    const behind = tab.right + edge - frame.right;
    if (before > 0) list.current.scrollLeft -= before;
    else if (behind > 0) list.current.scrollLeft += behind;
  }, [value]);
  const move = (event: KeyboardEvent) => {
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const step = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1 }[event.key];
    const index = items.findIndex((item) => item.key === value);
    const target = event.key === 'Home' ? 0 : event.key === 'End' ? items.length - 1 : step ? index + step : null;
    if (target === null) return;
    event.preventDefault();
    const next = items[(target + items.length) % items.length];
    if (!next) return;
    onChange(next.key);
    list.current?.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus();
  };
  return (
    <div
      ref={list}
      className={classNames('tabs', inline && 'is-inline', segments && 'is-segments')}
      role="tablist"
      aria-label={label}
      onKeyDown={move}
    >
      {items.map((item) => (
        <button
          key={item.key}
          type="button"
          role="tab"
          data-key={item.key}
          aria-selected={item.key === value}
          aria-controls={panelId}
          tabIndex={item.key === value ? 0 : -1}
          onClick={() => onChange(item.key)}
        >
          {item.label}
          {item.count !== undefined && <span className="count">{item.count}</span>}
        </button>
      ))}
    </div>
  );
}
