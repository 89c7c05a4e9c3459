import { useEffect, useRef, useState } from 'react';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Delayed, Skeleton } from '../../ui/feedback/skeleton.tsx';
import type { ECharts, EChartsCoreOption } from './echarts.ts';

interface EChartProps {
  option: EChartsCoreOption;
  label: string;
  /** Pixels; null: as the style sheet has it. */
  height: number | null;
  onOpen: (seriesIndex: number, dataIndex: number) => void;
  /** Handed the way to a png once the picture stands, and null when it is gone. */
  onReady: (toPng: ((background: string) => string) | null) => void;
}

/** The picture itself. ECharts comes with the first one; a chunk that fails to load can be asked for again. */
export default function EChart({ option, label, height, onOpen, onReady }: EChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<ECharts | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  const [isReady, setReady] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const open = useRef(onOpen);
  open.current = onOpen;
  const ready = useRef(onReady);
  ready.current = onReady;

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
        made.on('click', ({ seriesIndex, dataIndex }) => {
          if (seriesIndex !== undefined && dataIndex !== undefined) open.current(seriesIndex, dataIndex);
        });
        observer = new ResizeObserver(() => made.resize());
        observer.observe(place.current);
        ready.current((backgroundColor) => made.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor }));
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
      ready.current(null);
      setReady(false);
    };
  }, [attempt]);

  useEffect(() => {
    if (isReady) chart.current?.setOption(option, { notMerge: true });
  }, [option, isReady]);

  if (failed !== null) return <FailedState error={failed} onRetry={() => setAttempt(attempt + 1)} />;
  return (
    <div className="statistics-picture" role="img" aria-label={label} style={height === null ? undefined : { height }}>
      <div ref={place} className="statistics-canvas" aria-hidden="true" />
      {!isReady && (
        <Delayed>
          <Skeleton width="100%" height={320} />
        </Delayed>
      )}
    </div>
  );
}
