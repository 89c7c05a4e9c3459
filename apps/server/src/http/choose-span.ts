import { type DatePreset, rangeLimits, TimeUnit } from '@pahatid/contract';
import type { Db } from '@pahatid/db';
import { findDayStart, listSteps, type StepUnit, shiftBack } from '@pahatid/db/queries/statistics';
import { fieldProblem, ProblemError } from './problem.ts';

const minutesOfHour = 60;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Days before today that a preset begins at; the last 24 hours begin to the minute. */
const daysBack: Record<Exclude<DatePreset, 'last24Hours'>, number> = {
  last7Days: 6,
  last14Days: 13,
  lastMonth: 29,
  last3Months: 89,
};

const stepUnits: Record<TimeUnit, StepUnit> = {
  [TimeUnit.Minute]: 'minute',
  [TimeUnit.Day]: 'day',
  [TimeUnit.Month]: 'month',
};

/** Longer than any range that is allowed: refused before steps are cut. */
const longestMs: Record<TimeUnit, number> = {
  [TimeUnit.Minute]: rangeLimits[TimeUnit.Minute] * hourMs + minuteMs,
  [TimeUnit.Day]: (rangeLimits[TimeUnit.Day] + 1) * dayMs,
  [TimeUnit.Month]: (rangeLimits[TimeUnit.Month] + 1) * 31 * dayMs,
};

export interface Span {
  from: Date;
  to: Date;
  steps: Date[];
  /** By minute a preset of days counts its last 24 hours alone. */
  isShortened: boolean;
}

export interface AskedRange {
  preset?: DatePreset | undefined;
  from?: string | undefined;
  to?: string | undefined;
  unit: TimeUnit;
  zone: string;
  now: Date;
}

const floorMinute = (date: Date): Date => new Date(Math.floor(date.getTime() / minuteMs) * minuteMs);

/** Returns the requested range, divided into steps of the zone; throws if it is longer than the unit allows. */
export async function chooseSpan(db: Db, asked: AskedRange): Promise<Span> {
  const { from, to, isShortened } = await chooseRange(db, asked);
  if (from >= to) throw fieldProblem('to', 'RANGE_BACKWARDS');
  const limit = rangeLimits[asked.unit];
  const tooLong = () => new ProblemError('RANGE_TOO_LONG', { unit: asked.unit, limit });
  if (to.getTime() - from.getTime() > longestMs[asked.unit]) throw tooLong();
  const steps = await listSteps(db, stepUnits[asked.unit], from, to, asked.zone);
  if (steps.length > (asked.unit === TimeUnit.Minute ? limit * minutesOfHour : limit)) throw tooLong();
  return { from, to, steps, isShortened };
}

type Range = Pick<Span, 'from' | 'to'>;

async function chooseRange(db: Db, asked: AskedRange): Promise<Range & Pick<Span, 'isShortened'>> {
  const { now, zone } = asked;
  const isOpen = asked.from === undefined && asked.to === undefined;
  if (asked.preset !== undefined && !isOpen) throw fieldProblem('preset', 'NOT_AN_OPTION');
  const preset = asked.preset ?? (asked.from === undefined ? 'last7Days' : undefined);
  const to = asked.to === undefined ? now : new Date(asked.to);
  // Nothing was sent then, and the days before it may have a year that a date can't represent.
  if (to.getTime() < 0) throw fieldProblem('to', 'FORMAT');
  if (preset === undefined) return { from: floorMinute(new Date(asked.from ?? now)), to, isShortened: false };
  if (preset === 'last24Hours') return { from: dayBefore(to), to, isShortened: false };
  if (asked.unit === TimeUnit.Minute) return { from: dayBefore(to), to, isShortened: true };
  // The unit cuts the range and never moves its beginning: by month the first step may be a part of its month.
  return { from: await findDayStart(db, to, zone, daysBack[preset]), to, isShortened: false };
}

/** The current minute is included. */
const dayBefore = (to: Date): Date => floorMinute(new Date(to.getTime() - dayMs + minuteMs - 1));

/** The period before, as long in the zone's own days or months. */
export async function chooseSpanBefore(db: Db, span: Span, unit: TimeUnit, zone: string): Promise<Span> {
  const before = await rangeBefore(db, span, unit, zone);
  const steps = await listSteps(db, stepUnits[unit], before.from, before.to, zone);
  return { ...before, steps, isShortened: span.isShortened };
}

async function rangeBefore(db: Db, span: Span, unit: TimeUnit, zone: string): Promise<Range> {
  if (unit === TimeUnit.Day) return shiftBack(db, span, zone, { days: span.steps.length });
  if (unit === TimeUnit.Month) return shiftBack(db, span, zone, { months: span.steps.length });
  const lengthMs = Math.ceil((span.to.getTime() - span.from.getTime()) / minuteMs) * minuteMs;
  return { from: new Date(span.from.getTime() - lengthMs), to: span.from };
}
