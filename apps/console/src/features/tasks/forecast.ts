import { SmsType, type Task } from '@pahatid/contract';
import { forecastQuietHours, isQuiet, legalQuietHours, type QuietHours, quietHoursEnd } from '@pahatid/domain';
import type { DateStyle } from '../../lib/format/make-formats.ts';
import { instantToWall } from '../../lib/format/zoned-time.ts';

/** Seconds in which a confirmed task without a plan can be taken back. */
export const graceSeconds = 10;

const secondMs = 1_000;

/** Returns a duration in the largest suitable unit, never zero. */
export function roundDuration(seconds: number): { unit: 'second' | 'minute' | 'hour'; count: number } {
  if (seconds < 55) return { unit: 'second', count: Math.max(1, Math.round(seconds)) };
  if (seconds < 55 * 60) return { unit: 'minute', count: Math.round(seconds / 60) };
  return { unit: 'hour', count: Math.max(1, Math.round(seconds / 3_600)) };
}

export type QuietOutlook =
  /** It starts in the quiet hours, so nothing leaves before they end: `left` are all. */
  | { kind: 'held'; resumeAt: number; left: number }
  /** It does not end before they begin; `left` wait until the morning. */
  | { kind: 'paused'; pauseAt: number; resumeAt: number; left: number }
  | { kind: 'free' };

/** What the quiet hours do to a marketing task that starts at `startMs`; at an unknown speed, only whether they hold it. */
export function outlookOfQuietHours(
  startMs: number,
  recipients: number,
  perSecond: number | null,
  hours: QuietHours,
): QuietOutlook {
  if (isQuiet(startMs, hours)) return { kind: 'held', resumeAt: quietHoursEnd(startMs, hours), left: recipients };
  if (perSecond === null) return { kind: 'free' };
  const { pauseAt, resumeAt, left } = forecastQuietHours(startMs, recipients, perSecond, hours);
  return pauseAt === null || resumeAt === null ? { kind: 'free' } : { kind: 'paused', pauseAt, resumeAt, left };
}

/** Nights that an end is reckoned over: past them it is a matter of another speed. */
const mostNights = 60;

/**
 * Returns when the last message of a task is handed over, Unix milliseconds; includes the nights in which marketing
 * waits. Null if the speed is not known, or it would take months.
 */
export function forecastEnd(
  startMs: number,
  recipients: number,
  perSecond: number | null,
  /** Null: it is sent at any hour. */
  hours: QuietHours | null,
): number | null {
  if (perSecond === null || perSecond <= 0 || recipients <= 0) return null;
  if (hours === null) return startMs + (recipients / perSecond) * secondMs;
  let at = quietHoursEnd(startMs, hours);
  let left = recipients;
  for (let night = 0; night < mostNights; night += 1) {
    const next = forecastQuietHours(at, left, perSecond, hours);
    if (next.resumeAt === null) return at + (left / perSecond) * secondMs;
    ({ resumeAt: at, left } = next);
  }
  return null;
}

/** Returns when a running task ends, formatted with the day if it is another day. Null if nothing moves. */
export function forecastTaskEnd(
  task: Pick<Task, 'smsType' | 'quietHours'>,
  remaining: number,
  perSecond: number,
  nowMs: number,
  zone: string,
): { at: number; style: DateStyle } | null {
  const at = forecastEnd(nowMs, remaining, perSecond, task.smsType === SmsType.Marketing ? task.quietHours : null);
  if (at === null) return null;
  const dayOf = (unixMs: number): string => instantToWall(unixMs, zone).slice(0, 10);
  return { at, style: dayOf(at) === dayOf(nowMs) ? 'minute' : 'short' };
}

/**
 * Returns the hours between which a task of a type waits: those of its estimate, the customer's own until that is
 * loaded, the legal ones until these are. Null: it is sent at any hour.
 */
export function chooseQuietHours(
  smsType: SmsType | null,
  figures: { quietHours: QuietHours | null } | undefined,
  own: (QuietHours & { isExempt: boolean }) | undefined,
): QuietHours | null {
  if (smsType !== SmsType.Marketing) return null;
  if (figures) return figures.quietHours;
  return own?.isExempt ? null : (own ?? legalQuietHours);
}
