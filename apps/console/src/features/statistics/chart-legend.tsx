import type { Formats } from '../../lib/format/make-formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { figureText } from './statistics-text.ts';
import '../../ui/panes/panes.css';
import type { Line } from './chart-lines.ts';
import { type Tone, toneVar } from './chart-tones.ts';

/** The colour of a line. */
export const Swatch = ({
  tone,
  place,
  isBefore = false,
}: {
  tone: Tone;
  place?: number | undefined;
  isBefore?: boolean;
}) => (
  <i
    className={classNames('statistics-swatch', isBefore && 'is-before')}
    data-place={place}
    style={{ background: toneVar(tone) }}
    aria-hidden="true"
  />
);

interface LegendItem {
  key: string;
  name: string;
  tone: Tone;
  place: number;
}

interface ChartLegendProps {
  items: readonly LegendItem[];
  hidden: ReadonlySet<string>;
  onToggle: (key: string) => void;
  /** Whether the period before is drawn, too. */
  hasBefore: boolean;
}

/** Names of the lines, each a button that hides its line; and of the ghosts. */
export function ChartLegend({ items, hidden, onToggle, hasBefore }: ChartLegendProps) {
  const t = useText();
  if (items.length === 0 && !hasBefore) return null;
  return (
    <ul className="legend statistics-legend">
      {items.map(({ key, name, tone, place }) => (
        <li key={key}>
          <button type="button" aria-pressed={!hidden.has(key)} onClick={() => onToggle(key)}>
            <Swatch tone={tone} place={place} />
            <bdi>{name}</bdi>
          </button>
        </li>
      ))}
      {hasBefore && (
        <li>
          <i className="statistics-ghost" aria-hidden="true" />
          {t('statistics.before')}
        </li>
      )}
    </ul>
  );
}

interface EndLabelProps {
  line: Line;
  tone: Tone;
  value: number | null;
  formats: Formats;
}

/** Name and last value of a line, at its end. */
export const EndLabel = ({ line, tone, value, formats }: EndLabelProps) => (
  <>
    <Swatch tone={tone} />
    <b>
      <bdi>{line.name}</bdi>
    </b>
    <bdi dir="ltr">{figureText(line.metric, value, formats)}</bdi>
  </>
);
