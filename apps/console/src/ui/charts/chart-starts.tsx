import { useFormats } from '../../lib/format/formats.ts';

export interface ChartStarts {
  label: string;
  /** In bars from the beginning, each with the name of what began. */
  items: readonly { key: string; at: number; name: string }[];
}

/** Names of what began within a bar. */
export const namesAt = ({ items }: ChartStarts, index: number): string[] =>
  items.filter(({ at }) => Math.floor(at) === index).map(({ name }) => name);

const buttonWidth = 24;

interface StartButtonsProps {
  starts: ChartStarts;
  bars: readonly { key: string; title: string }[];
  xOf: (at: number) => number;
  /** Where the axis is. */
  top: number;
  onPoint: (index: number | null) => void;
}

/**
 * The ticks for the keyboard: a stop for each bar within which something began, which shows its numbers and names. Bars so
 * close that their stops would lie on each other share one, which shows those of the first.
 */
export function StartButtons({ starts, bars, xOf, top, onPoint }: StartButtonsProps) {
  const formats = useFormats();
  const began = bars.flatMap((bar, index) => {
    const names = namesAt(starts, index);
    return names.length === 0
      ? []
      : [{ index, x: xOf(index + 0.5), text: formats.pair(bar.title, formats.list(names)) }];
  });
  return shareStops(began).map((stop) => {
    const [first, last] = [stop[0]!, stop.at(-1)!];
    const left = Math.min(first.x, last.x) - buttonWidth / 2;
    return (
      <button
        key={first.index}
        type="button"
        className="chart-start-button"
        style={{ left, top, width: Math.abs(last.x - first.x) + buttonWidth }}
        aria-label={`${starts.label}, ${formats.list(stop.map(({ text }) => text))}`}
        onFocus={() => onPoint(first.index)}
        onBlur={() => onPoint(null)}
        onClick={(event) => event.stopPropagation()}
      />
    );
  });
}

/** Neighbours nearer to each other than a button is wide, together. */
function shareStops<T extends { x: number }>(began: readonly T[]): T[][] {
  const stops: T[][] = [];
  for (const each of began) {
    const before = stops.at(-1);
    if (before !== undefined && Math.abs(each.x - before.at(-1)!.x) < buttonWidth) before.push(each);
    else stops.push([each]);
  }
  return stops;
}

const shownNames = 4;

/** In the hint of a bar. */
export function StartNames({ starts, index }: { starts: ChartStarts; index: number }) {
  const names = namesAt(starts, index);
  if (names.length === 0) return null;
  return (
    <div className="chart-hint-starts">
      <span className="tiny">{starts.label}</span>
      {names.slice(0, shownNames).map((name) => (
        <bdi className="clip" key={name}>
          {name}
        </bdi>
      ))}
      {names.length > shownNames && <span>…</span>}
    </div>
  );
}
