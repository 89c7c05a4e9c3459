import { useFormats } from '../../lib/format/formats.ts';
import type { Formats } from '../../lib/format/make-formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import '../../ui/charts/charts.css';
import { colorPlaces, type Line, panesOf } from './chart-lines.ts';
import { figureText } from './statistics-text.ts';

interface HoverCardProps {
  lines: readonly Line[];
  /** Of the step; undefined in a pie. */
  title: string | undefined;
  /** Lines under the pointer. */
  shown: readonly number[];
  at: number;
  /** The line that a click follows. */
  target: number | null;
}

/** The values at the pointer. The table shows the same to users without a pointer. */
export function HoverCard({ lines, title, shown, at, target }: HoverCardProps) {
  const t = useText();
  const formats = useFormats();
  const places = colorPlaces(lines);
  const isPie = title === undefined;
  const isPaned = !isPie && panesOf(lines).length > 1;
  // The pane under the pointer comes first, and is enough.
  const pane = isPaned ? lines[target ?? shown[0] ?? 0]?.metric : undefined;
  const rows = shown.flatMap((index) => {
    const line = lines[index];
    if (line === undefined || (pane !== undefined && line.metric !== pane)) return [];
    return [{ line, isTarget: index === target, place: isPie ? index : (places[index] ?? 0) }];
  });
  const followed = target === null ? undefined : lines[target];
  return (
    <>
      {title !== undefined && <strong>{title}</strong>}
      {pane && <p>{t(`statistics.metric.${pane}`)}</p>}
      {rows.map(({ line, isTarget, place }) => (
        <div key={line.key} className={isTarget && rows.length > 1 ? 'chart-hint-row is-target' : 'chart-hint-row'}>
          <span className="statistics-swatch" data-place={place} data-before={line.isBefore || undefined} />
          <bdi className="grow">{line.name}</bdi>
          <bdi dir="ltr">{figureText(line.metric, line.values[isPie ? 0 : at] ?? null, formats)}</bdi>
          {isPie && (
            <bdi dir="ltr" className="ink-3">
              {shareText(lines, line, formats)}
            </bdi>
          )}
        </div>
      ))}
      {followed && (
        <p className="chart-hint-note">
          {t(followed.group.values === null ? 'statistics.hint.others' : 'statistics.hint')}
        </p>
      )}
    </>
  );
}

function shareText(lines: readonly Line[], line: Line, formats: Formats): string {
  const whole = lines.reduce((sum, { values: [value] }) => sum + (value ?? 0), 0);
  return formats.percent(whole === 0 ? 0 : (line.values[0] ?? 0) / whole);
}
