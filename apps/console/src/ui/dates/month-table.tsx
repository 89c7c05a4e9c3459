import { type KeyboardEvent, useMemo } from 'react';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { classNames } from '../base/class-names.ts';
import { type Day, weekStartOf, weeksOf } from './calendar.ts';
import type { DateNames } from './date-names.ts';

export interface DayMarks {
  /** First and last day of the range; the same for a range of one day. */
  from: Day | null;
  to: Day | null;
  today: Day;
  /** The day that the Tab key reaches. */
  active: Day;
}

interface MonthTableProps {
  month: Day;
  names: DateNames;
  marks: DayMarks;
  onChoose: (day: Day) => void;
  /** A key pressed on a day. */
  onMove: (day: Day, event: KeyboardEvent) => void;
  /** The day below the pointer, or null. */
  onPoint: (day: Day | null) => void;
}

/** The days of a month. Days after today can't be chosen. */
export function MonthTable({ month, names, marks, ...on }: MonthTableProps) {
  const { locale } = useTexts();
  const start = weekStartOf(locale);
  const weeks = useMemo(() => weeksOf(month, start), [month, start]);
  return (
    <table className="month-table">
      <caption className="visually-hidden">{names.month(month)}</caption>
      <thead>
        <tr>
          {names.weekdays(start).map(({ short, long }) => (
            <th key={long} scope="col" abbr={long}>
              {short}
            </th>
          ))}
        </tr>
      </thead>
      <tbody onPointerLeave={() => on.onPoint(null)}>
        {weeks.map((week) => (
          <tr key={week.find(Boolean)}>
            {week.map((day, index) =>
              day === null ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: a place of the week.
                <td key={index} />
              ) : (
                <DayCell key={day} day={day} name={names.day(day)} marks={marks} {...on} />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DayCellProps extends Omit<MonthTableProps, 'month' | 'names'> {
  day: Day;
  name: string;
}

function DayCell({ day, name, marks, onChoose, onMove, onPoint }: DayCellProps) {
  const { from, to, today, active } = marks;
  const isEnd = day === from || day === to;
  const isIn = from !== null && to !== null && from <= day && day <= to;
  return (
    <td className={classNames(isIn && 'is-in', day === from && 'is-from', day === to && 'is-to') || undefined}>
      <button
        type="button"
        className={classNames('day', isEnd && 'is-end', day === today && 'is-today')}
        data-day={day}
        tabIndex={day === active ? 0 : -1}
        disabled={day > today}
        aria-label={name}
        aria-pressed={isIn || isEnd}
        aria-current={day === today ? 'date' : undefined}
        onClick={() => onChoose(day)}
        onKeyDown={(event) => onMove(day, event)}
        onPointerEnter={() => onPoint(day)}
      >
        {Number(day.slice(8))}
      </button>
    </td>
  );
}
