import type { Statistics } from '@pahatid/contract';
import { useState } from 'react';
import { ChartPanel } from './chart-panel.tsx';
import { NumbersTable } from './numbers-table.tsx';
import { type Division, useDivision } from './use-division.ts';
import { type ChartView, drawnMetrics, shownDimensions, type ViewAddress } from './view.ts';

interface FiguresProps {
  title: string;
  view: ChartView;
  statistics: Statistics;
  onChange: (patch: ViewAddress) => void;
  /** Shows a part of the range. */
  onPeriod: (from: string, to: string) => void;
}

/** The picture of an answer, and its numbers. */
export function Figures({ title, view, statistics: answer, onChange, onPeriod }: FiguresProps) {
  const division = useDivision(answer, view);
  const { statistics, data, whole, wholeBefore } = division;
  // Reset when the figures change.
  const [sought, setSought] = useState<{ at: number | null; in: Division['data'] } | null>(null);
  const dimensions = shownDimensions(view);
  const hasNumbers = statistics.totals.reqTotalNum > 0 || (statistics.before?.totals.reqTotalNum ?? 0) > 0;
  return (
    <>
      <ChartPanel
        title={title}
        view={view}
        division={division}
        onChange={onChange}
        onPeriod={onPeriod}
        onGathered={(at) => setSought({ at, in: data })}
      />
      {hasNumbers && (
        <NumbersTable
          title={title}
          statistics={statistics}
          view={{ ...view, dimensions }}
          data={whole}
          before={wholeBefore}
          metrics={drawnMetrics(
            view,
            dimensions.some((each) => each !== 'logDate'),
          )}
          swatches={data.groups}
          sought={sought?.in === data ? sought : null}
        />
      )}
    </>
  );
}
