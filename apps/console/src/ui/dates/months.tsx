import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { addDays, addMonths, type Day, monthOf, weekdayOf, weekStartOf } from './calendar.ts';
import { makeDateNames } from './date-names.ts';
import { MonthTable } from './month-table.tsx';

interface MonthsProps {
  /** The first month shown, and how many. */
  month: Day;
  count: number;
  onMonth: (month: Day) => void;
  from: Day | null;
  to: Day | null;
  today: Day;
  /** The next chosen day ends the range: then the range up to the pointer is shown. */
  isEnding: boolean;
  onChoose: (day: Day) => void;
  /** Brings a day into view. */
  onShow: (day: Day) => void;
}

/**
 * Months next to each other. Arrow keys go through the days, Home and End to the ends of a week, Page up and Page down
 * through the months, with Shift through the years.
 */
export function Months({ month, count, onMonth, from, to, today, isEnding, onChoose, onShow }: MonthsProps) {
  const { locale, dir } = useTexts();
  const names = useMemo(() => makeDateNames(locale), [locale]);
  const box = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<Day | null>(null);
  const [moved, setMoved] = useState<Day | null>(null);
  const after = addMonths(month, count);
  const isShown = (day: Day | null): day is Day => day !== null && month <= day && day < after && day <= today;
  const active = [moved, to, from, today].find(isShown) ?? month;
  useEffect(() => {
    if (moved) box.current?.querySelector<HTMLElement>(`[data-day="${moved}"]`)?.focus();
  }, [moved]);

  const move = (day: Day, event: KeyboardEvent) => {
    const target = moveDay(day, event, { isRtl: dir === 'rtl', weekStart: weekStartOf(locale) });
    if (!target) return;
    event.preventDefault();
    const reached = target > today ? today : target;
    onShow(reached);
    setMoved(reached);
  };
  const choose = (day: Day) => {
    setMoved(null);
    onChoose(day);
  };
  const preview = isEnding && pointed !== null && from !== null ? [from, pointed].toSorted() : [from, to];
  const marks = { from: preview[0] ?? null, to: preview[1] ?? null, today, active };
  const step = (by: number) => {
    setMoved(null);
    onMonth(addMonths(month, by));
  };
  return (
    <div className="months" ref={box}>
      {Array.from({ length: count }, (_, index) => addMonths(month, index)).map((each, index) => (
        <div className="month" key={each}>
          <div className="month-head">
            {index === 0 && <MonthStep by={-1} onStep={step} />}
            <span className="month-name" aria-live="polite">
              {names.month(each)}
            </span>
            {index === count - 1 && <MonthStep by={1} disabled={after > monthOf(today)} onStep={step} />}
          </div>
          <MonthTable month={each} names={names} marks={marks} onChoose={choose} onMove={move} onPoint={setPointed} />
        </div>
      ))}
    </div>
  );
}

/** To the months before, or after. */
function MonthStep({ by, disabled = false, onStep }: { by: -1 | 1; disabled?: boolean; onStep: (by: number) => void }) {
  const t = useText();
  return (
    <Button
      variant="quiet"
      size="small"
      icon={by < 0 ? ChevronLeft : ChevronRight}
      mirrorIcon
      className={by < 0 ? 'month-before' : 'month-after'}
      aria-label={t(by < 0 ? 'ui.range.monthBefore' : 'ui.range.monthAfter')}
      disabled={disabled}
      onClick={() => onStep(by)}
    />
  );
}

/** Returns the day to which a key leads, if it does. */
function moveDay(
  day: Day,
  { key, shiftKey }: KeyboardEvent,
  { isRtl, weekStart }: { isRtl: boolean; weekStart: number },
): Day | undefined {
  const place = (weekdayOf(day) - weekStart + 7) % 7;
  const months = shiftKey ? 12 : 1;
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, isRtl ? 1 : -1);
    case 'ArrowRight':
      return addDays(day, isRtl ? -1 : 1);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'Home':
      return addDays(day, -place);
    case 'End':
      return addDays(day, 6 - place);
    case 'PageUp':
      return addMonths(day, -months);
    case 'PageDown':
      return addMonths(day, months);
    default:
      return undefined;
  }
}
