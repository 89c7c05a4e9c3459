/** Which results of earlier hours are shown for the choice of a send time, and what is said about them. */
import type { SendHour } from '@pahatid/contract';
import { type BestHour, chooseSendHour, type HourResult, LEAST_MESSAGES } from '@pahatid/domain';
import { instantToWall, wallToInstant } from '../../lib/format/zoned-time.ts';

export type HourMeasure = 'opened' | 'delivered';

const resultOf: Record<HourMeasure, (hour: SendHour) => HourResult> = {
  opened: ({ hour, linkedCount, openedCount }) => ({ hour, count: linkedCount, good: openedCount }),
  delivered: ({ hour, answeredCount, deliveredCount }) => ({ hour, count: answeredCount, good: deliveredCount }),
};

export interface JudgedHours {
  /** Of which there are enough results; opened links first. */
  measures: readonly HourMeasure[];
  measure: HourMeasure;
  hours: readonly HourResult[];
  /** Clearly better than the others, and not one in which the task would wait. */
  best: BestHour | null;
}

export function judgeHours(
  all: readonly SendHour[],
  chosen: HourMeasure | null,
  isHeld: (hour: number) => boolean,
): JudgedHours {
  const hoursOf = (measure: HourMeasure) => all.map(resultOf[measure]);
  const measures = (['opened', 'delivered'] as const).filter(
    (each) => hoursOf(each).reduce((sum, { count }) => sum + count, 0) >= 2 * LEAST_MESSAGES,
  );
  const measure = chosen ?? measures[0] ?? 'delivered';
  const hours = hoursOf(measure);
  const best = chooseSendHour(hours.filter(({ hour }) => !isHeld(hour)));
  return { measures, measure, hours, best };
}

/** Stretches of hours of the day, in bars of an hour. */
export function bandsOf(isHeld: (hour: number) => boolean): { from: number; to: number }[] {
  const bands: { from: number; to: number }[] = [];
  for (let hour = 0; hour < 24; hour += 1) {
    const last = bands.at(-1);
    if (!isHeld(hour)) continue;
    if (last?.to === hour) last.to += 1;
    else bands.push({ from: hour, to: hour + 1 });
  }
  return bands;
}

/** The hour of the day chosen, if that is ahead; otherwise the next such hour. */
export function nextAt(hour: number, planTime: string | null, zone: string, now = Date.now()): string {
  const on = (day: string): string => wallToInstant(`${day}T${String(hour).padStart(2, '0')}:00:00`, zone);
  const dayOf = (instant: number | string): string => instantToWall(instant, zone).slice(0, 10);
  const days = [...(planTime === null ? [] : [dayOf(planTime)]), dayOf(now), dayOf(now + 86_400_000)];
  return days.map(on).find((instant) => Date.parse(instant) > now) ?? on(dayOf(now + 2 * 86_400_000));
}
