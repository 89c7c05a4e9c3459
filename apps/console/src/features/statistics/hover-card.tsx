import { useFormats } from '../../lib/format/formats.ts';
import type { Formats } from '../../lib/format/make-formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import '../../ui/charts/charts.css';
import { Swatch } from './chart-legend.tsx';
import { type Line, lineKey, panesOf } from './chart-lines.ts';
import type { Tone } from './chart-tones.ts';
import { figureText } from './statistics-text.ts';
import { isRate } from './view.ts';

interface HoverCardProps {
  lines: readonly Line[];
  tones: readonly Tone[];
  /** Of the step; undefined in a pie. */
  title: string | undefined;
  /** Of the same step in the period before. */
  titleBefore: string;
  /** Lines under the pointer. */
  shown: readonly number[];
  at: number;
  /** Whether a drag selects a period. */
  canDrag: boolean;
  /** The line that a click follows. */
  target: number | null;
}

/** The values at the pointer. The table shows the same to users without a pointer. */
export function HoverCard({ lines, tones, title, titleBefore, shown, at, canDrag, target }: HoverCardProps) {
  const t = useText();
  const formats = useFormats();
  const isPie = title === undefined;
  const isPaned = !isPie && panesOf(lines).length > 1;
  // The pane under the pointer comes first, and is enough.
  const pane = isPaned ? lines[target ?? shown[0] ?? 0]?.metric : undefined;
  const rows = shown.flatMap((index) => {
    const line = lines[index];
    if (line === undefined || (pane !== undefined && line.metric !== pane)) return [];
    return [{ line, isTarget: index === target, tone: tones[index] ?? 'chart1' }];
  });
  // A step of the period before has its own date.
  const nameOf = ({ isBefore, name }: Line) => (isBefore ? name.replace(t('statistics.before'), titleBefore) : name);
  const followed = target === null ? undefined : lines[target];
  return (
    <>
      {title !== undefined && <strong>{title}</strong>}
      {pane && <p>{t(`statistics.metric.${pane}`)}</p>}
      {rows.map(({ line, isTarget, tone }) => (
        <div key={line.key} className={isTarget && rows.length > 1 ? 'chart-hint-row is-target' : 'chart-hint-row'}>
          <Swatch tone={tone} isBefore={line.isBefore} />
          <bdi className="grow">{nameOf(line)}</bdi>
          <bdi dir="ltr">{figureText(line.metric, line.values[isPie ? 0 : at] ?? null, formats)}</bdi>
          {line.isBefore && (
            <bdi dir="ltr" className="ink-3">
              {changeText(lines, line, at, formats)}
            </bdi>
          )}
          {isPie && (
            <bdi dir="ltr" className="ink-3">
              {shareText(lines, line, formats)}
            </bdi>
          )}
        </div>
      ))}
      {(followed || canDrag) && (
        <p className="chart-hint-note">
          {followed && <span>{t(followed.group.values === null ? 'statistics.hint.others' : 'statistics.hint')}</span>}
          {canDrag && <span className="statistics-drag">{t('statistics.hint.drag')}</span>}
        </p>
      )}
    </>
  );
}

/** By how much a step differs from that of the period before; empty if there is nothing to compare. */
function changeText(lines: readonly Line[], line: Line, at: number, formats: Formats): string {
  const current = lines.filter(({ isBefore }) => !isBefore);
  const same = current.filter((each) => lineKey(each) === lineKey(line));
  const [now, then] = [sumAt(same.length > 0 ? same : current, at), line.values[at] ?? 0];
  if (then === 0 || isRate(line.metric)) return '';
  return formats.number((now - then) / then, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 0,
  });
}

const sumAt = (lines: readonly Line[], at: number): number =>
  lines.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);

function shareText(lines: readonly Line[], line: Line, formats: Formats): string {
  const whole = lines.reduce((sum, { values: [value] }) => sum + (value ?? 0), 0);
  return formats.percent(whole === 0 ? 0 : (line.values[0] ?? 0) / whole);
}
