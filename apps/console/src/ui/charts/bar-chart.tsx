import { type PointerEvent, type ReactNode, useId, useState } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { classNames } from '../base/class-names.ts';
import '../panes/panes.css';
import './charts.css';
import { gridValues, stackBar, textWidth, tickStep } from './chart-scale.ts';
import { type ChartStarts, StartButtons, StartNames } from './chart-starts.tsx';
import { useBarBrush } from './use-bar-brush.tsx';
import { useSize } from './use-size.ts';

/** Colours that mean the same everywhere: delivered, awaiting, failed, and not yet moving. */
export type SeriesColor = 'done' | 'half' | 'bad' | 'empty';

export interface Series {
  key: string;
  label: string;
  color: SeriesColor;
}

export interface BarGroup {
  key: string;
  /** Under the axis. */
  tick: string;
  /** In full, for the hint and the table. */
  title: string;
  /** One for each series, from the bottom up. */
  values: readonly number[];
  /** Not yet: only its place is drawn. */
  ahead?: boolean;
}

export interface ChartBand {
  /** In bars from the beginning; fractions allowed. */
  from: number;
  to: number;
  label: string;
}

interface BarChartProps {
  /** Text alternative of the chart, with numbers; the numbers themselves belong in a `ChartTable` next to it. */
  label: string;
  series: readonly Series[];
  bars: readonly BarGroup[];
  /** Hatched stretches: something rests there. */
  bands?: readonly ChartBand[];
  /** Formats a value in the hint; default: a plain number. */
  format?: (value: number) => string;
  /** What the axis counts in, before each number on it. */
  unit?: string;
  /** A mark over each bar: its comparison value. Also over future bars. */
  marks?: { label: string; values: readonly (number | undefined)[] } | undefined;
  /** A dashed line over the bars that lie ahead: what each of them is expected to reach. */
  expected?: { label: string; value: number } | undefined;
  /** What began within a bar: a tick above the axis, named on hover and focus. */
  starts?: ChartStarts | undefined;
  /** Allowed intervals of labels in bars, smallest first. */
  tickSteps?: readonly number[];
  /** A click with the mouse on a bar; for keyboards the table holds the same as links. */
  onOpen?: (index: number) => void;
  /** Bars chosen by dragging over them, to look at these alone; the same is to be had without a pointer. */
  onBrush?: ((from: number, to: number) => void) | undefined;
}

const axisHeight = 26;
const topRoom = 8;
const gridTextGap = 10;
const widestBar = 22;

/** Stacked bars from zero, as large as the place they are put in; the x axis runs in reading direction. */
export function BarChart({ label, series, bars, bands = [], tickSteps = [1, 2, 3, 6, 12], ...rest }: BarChartProps) {
  const formats = useFormats();
  const {
    onOpen,
    onBrush,
    marks,
    starts,
    expected,
    unit = '',
    format = (value: number) => formats.number(value),
  } = rest;
  const mirrored = useTexts().dir === 'rtl';
  const hatch = useId();
  const [ref, { width, height }] = useSize<HTMLDivElement>();
  const [pointed, setPointed] = useState<number | null>(null);

  const markOf = (index: number) => marks?.values[index] ?? 0;
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const firstAhead = bars.findIndex(({ ahead }) => ahead);
  const expectedValue = firstAhead === -1 ? 0 : (expected?.value ?? 0);
  const largest = Math.max(expectedValue, ...sums.map((sum, index) => Math.max(sum, markOf(index))));
  const grid = gridValues(largest);
  const highest = grid.at(-1) ?? 1;
  const gridText = grid.map((value) => unit + formats.number(value, { notation: 'compact', useGrouping: true }));
  const axisWidth = Math.max(...gridText.map(textWidth)) + gridTextGap;
  const plotWidth = Math.max(0, width - axisWidth);
  const plotHeight = Math.max(0, height - axisHeight - topRoom);
  const slot = bars.length === 0 ? 0 : plotWidth / bars.length;
  const barWidth = Math.max(2, Math.min(widestBar, slot * 0.62));
  /** Returns the pixels from the left to the end of what is `at` bars from the beginning. */
  const xOf = (at: number) => (mirrored ? plotWidth - at * slot : axisWidth + at * slot);
  const yOf = (value: number) => topRoom + plotHeight - (value / highest) * plotHeight;
  const labelWidth = Math.max(24, ...bars.map(({ tick }) => textWidth(tick))) + 10;
  const step = tickStep(bars.length, plotWidth, labelWidth, tickSteps);

  const placeOf = (x: number) => Math.floor((mirrored ? plotWidth - x : x - axisWidth) / slot);
  const brush = useBarBrush(placeOf, bars.length, onBrush);
  const indexAt = (event: { clientX: number; currentTarget: HTMLElement }): number | null => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const index = placeOf(x);
    return index >= 0 && index < bars.length && !bars[index]?.ahead ? index : null;
  };
  const onPointer = (event: PointerEvent<HTMLDivElement>) => setPointed(indexAt(event));
  const shown = pointed === null ? undefined : bars[pointed];

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a convenience of the mouse; the table has the same as links.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
    <div
      className={classNames('chart', onOpen && pointed !== null && 'can-open', onBrush && 'can-brush')}
      ref={ref}
      {...brush.handlers}
      onPointerMove={(event) => {
        onPointer(event);
        brush.handlers.onPointerMove(event);
      }}
      onPointerLeave={() => setPointed(null)}
      onClick={(event) => {
        const touched = (event.nativeEvent as { pointerType?: string }).pointerType === 'touch';
        const index = indexAt(event);
        if (index !== null && !touched && !brush.wasDragged()) onOpen?.(index);
      }}
    >
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={label}>
          <defs>
            <pattern id={hatch} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <line x1="0" y1="0" x2="0" y2="7" className="chart-hatch" />
            </pattern>
          </defs>
          {bands.map((band) => (
            <Band key={band.from} band={band} xOf={xOf} top={topRoom} height={plotHeight} fill={`url(#${hatch})`} />
          ))}
          {grid.map((value, index) => (
            <g key={value}>
              <line
                x1={mirrored ? 0 : axisWidth}
                x2={mirrored ? plotWidth : width}
                y1={yOf(value)}
                y2={yOf(value)}
                className={value === 0 ? 'chart-base' : 'chart-grid'}
              />
              <text
                x={mirrored ? plotWidth + gridTextGap : axisWidth - gridTextGap}
                y={yOf(value) + 4}
                textAnchor="end"
                direction={mirrored ? 'rtl' : 'ltr'}
              >
                {gridText[index]}
              </text>
            </g>
          ))}
          {pointed !== null && (
            <rect
              className="chart-pointed"
              x={Math.min(xOf(pointed), xOf(pointed + 1))}
              y={topRoom}
              width={slot}
              height={plotHeight}
            />
          )}
          {starts?.items.map(({ key, at }) => (
            <path key={key} className="chart-start" d={`M${xOf(at) - 4} ${topRoom + plotHeight + 7}h8l-4 -6z`} />
          ))}
          {bars.map((bar, index) => {
            const middle = xOf(index + 0.5);
            return (
              <g key={bar.key}>
                {bar.ahead ? (
                  <rect
                    className="chart-ahead"
                    x={middle - barWidth / 2}
                    y={topRoom + plotHeight - 3}
                    width={barWidth}
                    height={3}
                    rx={1.5}
                  />
                ) : (
                  stackBar(bar.values, { highest, height: plotHeight }).map(
                    (part, at) =>
                      part && (
                        <rect
                          key={series[at]?.key}
                          className={`chart-${series[at]?.color}`}
                          x={middle - barWidth / 2}
                          y={topRoom + part.top}
                          width={barWidth}
                          height={part.height}
                          rx={Math.min(2.5, part.height / 2)}
                        />
                      ),
                  )
                )}
                {markOf(index) > 0 && (
                  <line
                    className="chart-mark"
                    x1={middle - Math.min(slot * 0.44, barWidth * 0.8)}
                    x2={middle + Math.min(slot * 0.44, barWidth * 0.8)}
                    y1={yOf(markOf(index))}
                    y2={yOf(markOf(index))}
                  />
                )}
                {index % step === 0 && (
                  <text x={middle} y={height - 8} textAnchor="middle">
                    {bar.tick}
                  </text>
                )}
              </g>
            );
          })}
          {expectedValue > 0 && (
            <line
              className="chart-expected"
              x1={xOf(firstAhead)}
              x2={xOf(bars.length)}
              y1={yOf(expectedValue)}
              y2={yOf(expectedValue)}
            />
          )}
        </svg>
      )}
      {brush.band}
      {starts && width > 0 && (
        <StartButtons starts={starts} bars={bars} xOf={xOf} top={topRoom + plotHeight} onPoint={setPointed} />
      )}
      {shown && pointed !== null && (
        <Hint x={xOf(pointed + 0.5)} width={width} title={shown.title}>
          {series.map(({ key, label: name, color }, at) => (
            <div key={key} className="chart-hint-row">
              <i className={`pane-swatch pane-${color}`} />
              <span className="grow">{name}</span>
              <bdi dir="ltr">{format(shown.values[at] ?? 0)}</bdi>
            </div>
          ))}
          {starts && <StartNames starts={starts} index={pointed} />}
          {marks && (
            <div className="chart-hint-row">
              <i className="chart-mark-swatch" />
              <span className="grow">{marks.label}</span>
              <bdi dir="ltr">{format(markOf(pointed))}</bdi>
            </div>
          )}
        </Hint>
      )}
    </div>
  );
}

interface BandProps {
  band: ChartBand;
  xOf: (at: number) => number;
  top: number;
  height: number;
  fill: string;
}

function Band({ band, xOf, top, height, fill }: BandProps) {
  const left = Math.min(xOf(band.from), xOf(band.to));
  const width = Math.abs(xOf(band.to) - xOf(band.from));
  const needed = textWidth(band.label) + 16;
  return (
    <>
      <rect x={left} y={top} width={width} height={height} fill={fill} />
      {width >= needed && (
        <g className="chart-band-label">
          <rect
            className="chart-band-ground"
            x={left + (width - needed) / 2}
            y={top + 5}
            width={needed}
            height={20}
            rx={5}
          />
          <text x={left + width / 2} y={top + 19} textAnchor="middle">
            {band.label}
          </text>
        </g>
      )}
    </>
  );
}

const hintWidth = 184;

/** The numbers of one bar next to the pointer; never outside the chart. */
function Hint({ x, width, title, children }: { x: number; width: number; title: string; children: ReactNode }) {
  const left = Math.max(0, Math.min(width - hintWidth, x + 14 + hintWidth > width ? x - 14 - hintWidth : x + 14));
  return (
    <div className="chart-hint" style={{ left, width: hintWidth }} aria-hidden="true">
      <strong>{title}</strong>
      {children}
    </div>
  );
}
