import './charts.css';
import { sparkPath } from './spark-path.ts';

/** The course of a figure as a line without an axis; the numbers are in the chart and its table. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const path = sparkPath(values, { width: 100, height: 20 });
  if (path === null) return null;
  return (
    <svg className="spark" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
