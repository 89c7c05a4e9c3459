import { useState } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { intlTag } from '../../lib/format/make-formats.ts';
import { instantToWall, wallToInstant } from '../../lib/format/zoned-time.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { addDays, addMonths, type Day, monthOf } from './calendar.ts';
import { readDay, readTime, timeText } from './typed-date.ts';

export type RangeEnd = 'from' | 'to';

/** What is in the two fields of an end. */
interface TypedEnd {
  day: string;
  time: string;
}

export interface ReadEnd {
  /** Null if there is none, or nothing that can be read. */
  day: Day | null;
  /** ISO 8601 in UTC. */
  instant: string | undefined;
  isBadDay: boolean;
  isBadTime: boolean;
}

interface DraftOptions {
  from: string | undefined;
  to: string | undefined;
  /** Both ends must be set. */
  isClosed: boolean;
  /** How many months are shown at a time. */
  monthCount: number;
}

const dayMinutes = 1_440;
const wholeDay = { from: '00:00', to: timeText(dayMinutes) } as const;

/** A range while it is being chosen: as typed, as read, and which months are shown. */
export function useRangeDraft({ from, to, isClosed, monthCount }: DraftOptions) {
  const { locale } = useTexts();
  const formats = useFormats();
  const { zone } = formats;
  const tag = intlTag(locale);
  const today = instantToWall(Date.now(), zone).slice(0, 10);
  const dayText = (day: Day) => formats.date(wallToInstant(`${day}T12:00`, zone), 'date');

  const [typed, setTyped] = useState<Record<RangeEnd, TypedEnd>>(() => ({
    from: toTyped(from, 'from', zone, dayText),
    to: toTyped(to, 'to', zone, dayText),
  }));
  /** What the next chosen day becomes: a new range, or one of its ends. */
  const [next, setNext] = useState<'range' | RangeEnd>('range');

  const read = (end: RangeEnd): ReadEnd => readEnd(typed[end], end, zone, (text) => readDay(text, tag, today));
  const ends = { from: read('from'), to: read('to') };
  const isUnreadable = [ends.from, ends.to].some((end) => end.isBadDay || end.isBadTime);
  const isMissing = isClosed && (typed.from.day.trim() === '' || typed.to.day.trim() === '');
  const isBackwards =
    ends.from.instant !== undefined && ends.to.instant !== undefined && ends.to.instant <= ends.from.instant;

  const [month, setMonth] = useState(() => addMonths(monthOf(ends.to.day ?? today), 1 - monthCount));
  const showDay = (day: Day) => {
    const wanted = monthOf(day);
    if (wanted < month) setMonth(wanted);
    else if (wanted >= addMonths(month, monthCount)) setMonth(addMonths(wanted, 1 - monthCount));
  };

  const type = (end: RangeEnd, patch: Partial<TypedEnd>) => {
    setTyped((before) => ({ ...before, [end]: { ...before[end], ...patch } }));
    const day = patch.day === undefined ? null : readDay(patch.day, tag, today);
    if (day) showDay(day);
  };
  /** Writes what was read as the language does. */
  const tidy = (end: RangeEnd) => {
    const { day } = ends[end];
    const time = readTime(typed[end].time);
    type(end, { ...(day && { day: dayText(day) }), ...(time !== null && { time: timeText(time) }) });
  };

  const choose = (day: Day) => {
    const first = ends.from.day;
    const last = ends.to.day;
    const set = (start: Day, end: Day, times: Record<RangeEnd, string>) =>
      setTyped({ from: { day: dayText(start), time: times.from }, to: { day: dayText(end), time: times.to } });
    const times = { from: typed.from.time || wholeDay.from, to: typed.to.time || wholeDay.to };
    if (next === 'to' && first) {
      if (day < first) set(day, first, wholeDay);
      else set(first, day, times);
      setNext('range');
    } else {
      if (next === 'from' && last && last >= day) set(day, last, times);
      else set(day, day, wholeDay);
      setNext('to');
    }
  };

  return {
    typed,
    ends,
    today,
    month,
    next,
    problem: isUnreadable || isMissing ? ('invalid' as const) : isBackwards ? ('backwards' as const) : null,
    sample: dayText(today),
    type,
    tidy,
    choose,
    setNext,
    setMonth,
    showDay,
  };
}

function toTyped(instant: string | undefined, end: RangeEnd, zone: string, dayText: (day: Day) => string): TypedEnd {
  if (instant === undefined) return { day: '', time: '' };
  const wall = instantToWall(instant, zone);
  const [day, time] = [wall.slice(0, 10), wall.slice(11, 16)];
  // A range ends before its end: at midnight, with the day before.
  return end === 'to' && time === wholeDay.from
    ? { day: dayText(addDays(day, -1)), time: wholeDay.to }
    : { day: dayText(day), time };
}

function readEnd(typed: TypedEnd, end: RangeEnd, zone: string, read: (text: string) => Day | null): ReadEnd {
  if (typed.day.trim() === '') return { day: null, instant: undefined, isBadDay: false, isBadTime: false };
  const day = read(typed.day);
  const minutes = readTime(typed.time.trim() === '' ? wholeDay[end] : typed.time);
  const wall =
    day === null || minutes === null
      ? undefined
      : minutes === dayMinutes
        ? `${addDays(day, 1)}T00:00`
        : `${day}T${timeText(minutes)}`;
  return {
    day,
    instant: wall && wallToInstant(wall, zone),
    isBadDay: day === null,
    isBadTime: minutes === null,
  };
}
