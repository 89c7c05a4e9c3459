import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import type { BarGroup, Series } from './bar-chart.tsx';
import { type ChartStarts, namesAt } from './chart-starts.tsx';
import '../panes/panes.css';
import './charts.css';

interface ChartLegendProps {
  series: readonly Series[];
  band?: string | undefined;
  /** What the strokes are. */
  mark?: string | undefined;
  /** What the dashed line over the bars that lie ahead is. */
  expected?: string | undefined;
  /** What the ticks are. */
  start?: string | undefined;
}

/** Labels the colours; `band` names the hatching where it has no room for its own label. */
export function ChartLegend({ series, band, mark, expected, start }: ChartLegendProps) {
  return (
    <ul className="legend chart-legend">
      {series.map(({ key, label, color }) => (
        <li key={key}>
          <i className={`pane-swatch pane-${color}`} />
          {label}
        </li>
      ))}
      {mark && (
        <li>
          <i className="chart-mark-swatch" />
          {mark}
        </li>
      )}
      {expected && (
        <li>
          <i className="chart-expected-swatch" />
          {expected}
        </li>
      )}
      {start && (
        <li>
          <i className="chart-start-swatch" />
          {start}
        </li>
      )}
      {band && (
        <li className="chart-legend-band">
          <i className="pane-swatch pane-held" />
          {band}
        </li>
      )}
    </ul>
  );
}

interface ChartTableProps {
  caption: string;
  /** Heading of the first column. */
  head: string;
  series: readonly Series[];
  bars: readonly BarGroup[];
  /** A last column: what the bars are compared with. */
  marks?: { label: string; values: readonly (number | undefined)[] } | undefined;
  /** A column of names, if there are any. */
  starts?: ChartStarts | undefined;
  /** Cell that begins a row; the bar's title by default. */
  rowHead?: (index: number) => ReactNode;
  /** Only for screen readers, while the picture is shown. */
  hidden?: boolean;
  /** Formats a value; default: a plain number. */
  format?: (value: number) => string;
}

/** The same numbers as a table. Bars that lie ahead have no row. */
export function ChartTable({ caption, head, series, bars, rowHead, marks, hidden = false, ...rest }: ChartTableProps) {
  const formats = useFormats();
  const { starts, format = (value: number) => formats.number(value) } = rest;
  const hasStarts = starts !== undefined && starts.items.length > 0;
  return (
    <div className={hidden ? 'visually-hidden' : 'chart-table'}>
      <table className="plain-table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {series.map(({ key, label }) => (
              <th key={key} scope="col" className="align-end">
                {label}
              </th>
            ))}
            {marks && (
              <th scope="col" className="align-end">
                {marks.label}
              </th>
            )}
            {hasStarts && <th scope="col">{starts?.label}</th>}
          </tr>
        </thead>
        <tbody>
          {bars.map(
            (bar, index) =>
              !bar.ahead && (
                <tr key={bar.key}>
                  <th scope="row">{(!hidden && rowHead?.(index)) || bar.title}</th>
                  {series.map(({ key }, at) => (
                    <td key={key} className="align-end">
                      <bdi dir="ltr">{format(bar.values[at] ?? 0)}</bdi>
                    </td>
                  ))}
                  {marks && (
                    <td className="align-end">
                      <bdi dir="ltr">{format(marks.values[index] ?? 0)}</bdi>
                    </td>
                  )}
                  {hasStarts && <td>{starts && formats.list(namesAt(starts, index))}</td>}
                </tr>
              ),
          )}
        </tbody>
      </table>
    </div>
  );
}
