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

/** The ticks for the keyboard: one stop for each bar within which something began, which shows its numbers and names. */
export function StartButtons({ starts, bars, xOf, top, onPoint }: StartButtonsProps) {
  const formats = useFormats();
  return bars.map((bar, index) => {
    const names = namesAt(starts, index);
    if (names.length === 0) return null;
    return (
      <button
        key={bar.key}
        type="button"
        className="chart-start-button"
        style={{ left: xOf(index + 0.5) - buttonWidth / 2, top, width: buttonWidth }}
        aria-label={formats.pair(`${starts.label}, ${bar.title}`, formats.list(names))}
        onFocus={() => onPoint(index)}
        onBlur={() => onPoint(null)}
        onClick={(event) => event.stopPropagation()}
      />
    );
  });
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
