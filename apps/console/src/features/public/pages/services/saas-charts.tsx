import type { SaasCopy } from '../../copy/service-shapes.ts';
import { SampleWindow } from './feature.tsx';

/** Clicks of people by hour, and of programs. */
const people = [0, 0, 0, 0, 0, 0, 0, 4, 16, 58, 92, 84, 70, 52, 44, 40, 36, 30, 34, 46, 38, 12, 5, 2];
const programs = [0, 0, 0, 0, 0, 0, 0, 0, 7, 24, 11, 8, 9, 6, 8, 5, 6, 4, 7, 9, 6, 3, 0, 0];
const clicksTop = 130;

export function ClicksPicture({ copy: { sample, clicks } }: { copy: SaasCopy }) {
  const [wide, high] = [480, 140];
  const slot = wide / people.length;
  const heightOf = (count: number) => (count / clicksTop) * high;
  return (
    <SampleWindow name={clicks.name} aside={<span className="ink-3">{clicks.by}</span>} sample={sample}>
      <div className="clicks-body">
        <dl>
          {clicks.figures.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <svg viewBox={`0 0 ${wide} ${high}`} aria-hidden="true" className="bars">
          {people.map((count, hour) => {
            const robots = heightOf(programs[hour] ?? 0);
            const [x, y] = [hour * slot + 2, high - heightOf(count)];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour.
              <g key={hour}>
                <rect className="is-program" x={x} y={y - robots} width={slot - 4} height={robots} />
                <rect className="is-done" x={x} y={y} width={slot - 4} height={heightOf(count)} />
              </g>
            );
          })}
        </svg>
        <div className="bar-hours" aria-hidden="true">
          {['00:00', '06:00', '12:00', '18:00', '24:00'].map((hour) => (
            <span key={hour}>{hour}</span>
          ))}
        </div>
        <ul className="bar-legend">
          <li className="is-done">{clicks.people}</li>
          <li className="is-program">{clicks.programs}</li>
        </ul>
      </div>
    </SampleWindow>
  );
}

/** Delivered, awaiting and failed of seven days. */
const days = [
  [3180, 96, 122],
  [2910, 70, 101],
  [3420, 80, 140],
  [5210, 210, 260],
  [4880, 180, 214],
  [1260, 30, 44],
  [1490, 260, 52],
] as const;
const daysTop = 6_000;
const firstDay = 16;
const outcomes = ['is-done', 'is-half', 'is-bad'] as const;

export function ChartPicture({ copy: { sample, charts } }: { copy: SaasCopy }) {
  const [left, top, high] = [34, 8, 160];
  const yOf = (count: number) => top + high - (count / daysTop) * high;
  return (
    <SampleWindow
      name={charts.tabs[0]}
      aside={charts.tabs.slice(1).map((tab) => <span key={tab}>{tab}</span>)}
      sample={sample}
    >
      <div className="clicks-body">
        <svg viewBox="0 0 560 200" aria-hidden="true" className="bars">
          {[0, 2_000, 4_000, 6_000].map((count) => (
            <g key={count}>
              <path d={`M${left} ${yOf(count)}H560`} />
              <text x={left - 8} y={yOf(count) + 4} textAnchor="end">
                {count === 0 ? 0 : `${count / 1_000}k`}
              </text>
            </g>
          ))}
          {days.map((counts, day) => {
            const x = left + 20 + day * 75;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the index is the day.
              <g key={day}>
                {counts.map((count, kind) => {
                  const below = counts.slice(0, kind).reduce((sum, each) => sum + each, 0);
                  return (
                    <rect
                      key={outcomes[kind]}
                      className={outcomes[kind]}
                      x={x}
                      y={Math.round(yOf(below + count))}
                      width={38}
                      height={Math.max(2, Math.round(yOf(below) - yOf(below + count)) - 1)}
                    />
                  );
                })}
                <text x={x + 19} y={192} textAnchor="middle">
                  {charts.month.replace('{day}', String(firstDay + day))}
                </text>
              </g>
            );
          })}
        </svg>
        <ul className="bar-legend">
          {charts.legend.map((name, index) => (
            <li key={name} className={outcomes[index]}>
              {name}
            </li>
          ))}
        </ul>
      </div>
    </SampleWindow>
  );
}
