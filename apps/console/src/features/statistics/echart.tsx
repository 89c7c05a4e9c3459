import { type ReactNode, useEffect, useRef, useState } from 'react';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Delayed, Skeleton } from '../../ui/feedback/skeleton.tsx';
import type { BrushedSteps } from './brushed-steps.ts';
import type { ECharts, EChartsCoreOption } from './echarts.ts';
import { labelHeight, spreadLabels } from './spread-labels.ts';
import { useBrush } from './use-brush.tsx';
import { type Hovered, type PointWays, watchPointer } from './watch-pointer.ts';

interface EChartProps extends PointWays {
  option: EChartsCoreOption;
  label: string;
  /** Points with a label next to them: the ends of lines. */
  ends: readonly End[];
  endLabel: (end: End) => ReactNode;
  rtl: boolean;
  stepCount: number;
  /** Receives the steps that were dragged over. Without it nothing can be selected. */
  onSteps?: ((steps: BrushedSteps) => void) | undefined;
  /** Pixels; null: as the style sheet has it. */
  height: number | null;
  /** Called with a function that draws the chart alone once it is mounted, and with null when it is unmounted. */
  onReady: (draw: DrawPicture | null) => void;
  /** Content next to the pointer. */
  hover: (under: Omit<Hovered, 'x' | 'y'>) => ReactNode;
}

export interface End {
  line: number;
  at: number;
  value: number;
}

export type DrawPicture = (background: string, pixelRatio: number) => HTMLCanvasElement;

/** The picture itself. ECharts comes with the first one; a chunk that fails to load can be asked for again. */
export default function EChart({
  option,
  label,
  height,
  onReady,
  hover,
  ends,
  endLabel,
  rtl,
  stepCount,
  onSteps,
  ...points
}: EChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<ECharts | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  const [isReady, setReady] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const way = useRef(points);
  way.current = points;
  const ready = useRef(onReady);
  ready.current = onReady;
  const [places, setPlaces] = useState<readonly Place[]>([]);
  const brush = useBrush(chart, stepCount, onSteps);
  const isDrawn = useRef(false);
  const measure = useRef(() => {});
  measure.current = () => {
    const made = chart.current;
    // Its size is observed before something is drawn.
    if (made && isDrawn.current) setPlaces(placesOf(made, ends));
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again.
  useEffect(() => {
    let isGone = false;
    let observer: ResizeObserver | undefined;
    setFailed(null);
    import('./echarts.ts').then(
      ({ init }) => {
        if (isGone || place.current === null) return;
        const made = init(place.current, undefined, { renderer: 'canvas' });
        chart.current = made;
        watchPointer(made, () => way.current, setHovered);
        observer = new ResizeObserver(() => {
          made.resize();
          measure.current();
        });
        observer.observe(place.current);
        ready.current((backgroundColor, pixelRatio) => made.renderToCanvas({ backgroundColor, pixelRatio }));
        setReady(true);
      },
      (error: unknown) => {
        if (!isGone) setFailed(error);
      },
    );
    return () => {
      isGone = true;
      observer?.disconnect();
      chart.current?.dispose();
      chart.current = null;
      isDrawn.current = false;
      ready.current(null);
      setReady(false);
    };
  }, [attempt]);

  useEffect(() => {
    if (!isReady || chart.current === null) return;
    chart.current.setOption(option, { notMerge: true });
    isDrawn.current = true;
    measure.current();
    setHovered(null);
  }, [option, isReady]);

  if (failed !== null) return <FailedState error={failed} onRetry={() => setAttempt(attempt + 1)} />;
  return (
    <div className="statistics-picture" role="img" aria-label={label} style={height === null ? undefined : { height }}>
      <div ref={place} className="statistics-canvas" aria-hidden="true" {...brush.handlers} />
      {brush.band}
      {isReady &&
        places.map(({ end, left, top }) => (
          <span
            key={end.line}
            className="statistics-end"
            // Canvas positions count from the left in every language.
            style={rtl ? { top, right: `calc(100% - ${left - endGapPx}px)` } : { top, left: left + endGapPx }}
          >
            {endLabel(end)}
          </span>
        ))}
      {hovered && brush.band === null && (
        <div ref={keepInside(hovered)} className="chart-hint" aria-hidden="true">
          {hover(hovered)}
        </div>
      )}
      {!isReady && (
        <Delayed>
          <Skeleton width="100%" height={320} />
        </Delayed>
      )}
    </div>
  );
}

const endGapPx = 10;

interface Place {
  end: End;
  left: number;
  top: number;
}

/** Where the labels of the ends are: all at the outermost one, none on another. */
function placesOf(chart: ECharts, ends: readonly End[]): Place[] {
  const points = ends.map(({ line, at, value }) => chart.convertToPixel({ seriesIndex: line }, [at, value]));
  const tops = spreadLabels(
    points.map(([, y = 0]) => y - labelHeight / 2),
    chart.getHeight() - labelHeight,
  );
  return ends.map((end, index) => ({ end, left: points[index]?.[0] ?? 0, top: tops[index] ?? 0 }));
}

const gapPx = 14;

/**
 * Positions the card next to the pointer, on the side that has room. Canvas positions count from the left in every
 * language.
 */
const keepInside =
  ({ x, y }: Hovered) =>
  (card: HTMLElement | null): void => {
    const picture = card?.parentElement;
    if (!card || !picture) return;
    const isRight = x < picture.clientWidth / 2;
    const left = isRight ? x + gapPx : x - gapPx - card.offsetWidth;
    card.style.left = `${Math.max(0, Math.min(left, picture.clientWidth - card.offsetWidth))}px`;
    card.style.top = `${Math.max(0, Math.min(y - card.offsetHeight / 2, picture.clientHeight - card.offsetHeight))}px`;
  };
