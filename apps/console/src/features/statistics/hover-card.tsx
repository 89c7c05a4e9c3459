import { useFormats } from '../../lib/format/formats.ts';
import type { Formats } from '../../lib/format/make-formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { colorPlaces, type Line, panesOf } from './chart-options.ts';
import './hover-card.css';
import { figureText } from './statistics-words.ts';

interface HoverCardProps {
  lines: readonly Line[];
  /** Of the step; undefined in a pie. */
  title: string | undefined;
  /** Lines under the pointer. */
  shown: readonly number[];
  at: number;
}

/** What the pointer is on, in numbers. The table says the same to those who have no pointer. */
export function HoverCard({ lines, title, shown, at }: HoverCardProps) {
  const t = useText();
  const formats = useFormats();
  const places = colorPlaces(lines);
  const isPie = title === undefined;
  const isPaned = !isPie && panesOf(lines).length > 1;
  // The pane under the pointer comes first, and is enough.
  const pane = isPaned ? lines[shown[0] ?? 0]?.metric : undefined;
  const rows = shown.flatMap((index) => {
    const line = lines[index];
    if (line === undefined || (pane !== undefined && line.metric !== pane)) return [];
    return [{ line, place: isPie ? index : (places[index] ?? 0) }];
  });
  return (
    <>
      {title !== undefined && <p className="tiny ink-3">{title}</p>}
      {pane && <p className="strong">{t(`statistics.metric.${pane}`)}</p>}
      <table>
        <tbody>
          {rows.map(({ line, place }) => (
            <tr key={line.key}>
              <td>
                <span className="statistics-swatch" data-place={place} data-before={line.isBefore || undefined} />
                <bdi>{line.name}</bdi>
              </td>
              <td>
                <bdi dir="ltr">{figureText(line.metric, line.values[isPie ? 0 : at] ?? null, formats)}</bdi>
                {isPie && (
                  <bdi dir="ltr" className="ink-3">
                    {shareText(lines, line, formats)}
                  </bdi>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="tiny ink-3 statistics-hover-hint">{t('statistics.hint')}</p>
    </>
  );
}

function shareText(lines: readonly Line[], line: Line, formats: Formats): string {
  const whole = lines.reduce((sum, { values: [value] }) => sum + (value ?? 0), 0);
  return formats.percent(whole === 0 ? 0 : (line.values[0] ?? 0) / whole);
}
