/** What the pointer is on in a chart, and what a click there opens. */
import type { ECharts } from './echarts.ts';

export interface Hovered {
  /** Lines of the step that the pointer is on; the slice of a pie. */
  series: readonly number[];
  at: number;
  /** The line or slice that a click opens. */
  target: number | null;
  /** Pixels from the picture's left and upper edge. */
  x: number;
  y: number;
}

export interface PointWays {
  /** Whether a line leads on at a step; a slice, by its place alone. */
  leadsOn: (line: number, at: number) => boolean;
  onOpen: (line: number, at: number) => void;
  /**
   * Height of a line at a step, in its own unit: selects the nearest if the pointer is on none. Null: for bars and
   * slices.
   */
  figureOf: ((line: number, at: number) => number | null) | null;
}

/** Event that reports what the pointer is on; without an axis it is one slice. */
interface ShowTip {
  dataIndex?: number;
  dataByCoordSys?: { dataByAxis: { seriesDataIndices: { seriesIndex: number; dataIndex: number }[] }[] }[];
}

/**
 * Reports every move; a click opens what was reported last, a touch only what was touched before: the first one shows
 * it.
 */
export function watchPointer(
  chart: ECharts,
  ways: () => PointWays,
  notifyListeners: (hovered: Hovered | null) => void,
): void {
  const screen = chart.getZr();
  let pointer = { x: 0, y: 0 };
  let now: Hovered | null = null;
  /** The series directly under the pointer. */
  let under: number | null = null;
  let touched = '';

  const findTarget = ({ series, at }: Pick<Hovered, 'series' | 'at'>): number | null => {
    const { leadsOn, figureOf } = ways();
    const open = series.filter((line) => leadsOn(line, at));
    if (under !== null && series.includes(under)) return open.includes(under) ? under : null;
    if (series.length === 1) return open[0] ?? null;
    if (figureOf === null) return null;
    const distances = open.map((line) => {
      const [, y] = chart.convertToPixel({ seriesIndex: line }, [at, figureOf(line, at) ?? 0]) as [number, number];
      return { line, distance: Math.abs(y - pointer.y) };
    });
    return distances.toSorted((a, b) => a.distance - b.distance)[0]?.line ?? null;
  };
  const show = (shown: Pick<Hovered, 'series' | 'at'> | null): void => {
    now = shown && { series: shown.series, at: shown.at, target: findTarget(shown), ...pointer };
    if (now === null) touched = '';
    screen.setCursorStyle(now === null || now.target === null ? 'default' : 'pointer');
    notifyListeners(now);
  };

  screen.on('mousemove', ({ offsetX, offsetY }) => {
    pointer = { x: offsetX, y: offsetY };
    // The picture's own cursor was set a moment ago.
    if (now !== null && now.target !== null) screen.setCursorStyle('pointer');
  });
  chart.on('mouseover', ({ seriesIndex }) => {
    under = seriesIndex ?? null;
    show(now);
  });
  chart.on('mouseout', () => {
    under = null;
    show(now);
  });
  chart.on('showTip', (event) => {
    const tip = event as ShowTip;
    const points = tip.dataByCoordSys?.flatMap(({ dataByAxis }) =>
      dataByAxis.flatMap(({ seriesDataIndices }) => seriesDataIndices),
    );
    const at = points?.[0]?.dataIndex ?? tip.dataIndex;
    if (at !== undefined) show({ series: points?.map(({ seriesIndex }) => seriesIndex) ?? [at], at });
  });
  chart.on('hideTip', () => show(null));
  screen.on('globalout', () => show(null));
  screen.on('click', ({ event }) => {
    if (now === null || now.target === null) return;
    const name = `${now.target} ${now.at}`;
    const isTouch = (event as { zrByTouch?: boolean }).zrByTouch === true;
    if (!isTouch || touched === name) ways().onOpen(now.target, now.at);
    touched = name;
  });
}
