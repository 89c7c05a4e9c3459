/**
 * Time formats, SMPP 3.4 §7.1.1: `YYMMDDhhmmsstnnp`. p is + or - for an absolute time, whose nn are quarter-hours from
 * UTC and whose t are tenths of a second, or R for a duration from the SMSC's now.
 */
export type SmppTime =
  | { kind: 'absolute'; at: Date; given: string }
  | {
      kind: 'relative';
      years: number;
      months: number;
      days: number;
      hours: number;
      minutes: number;
      seconds: number;
      given: string;
    };

const PATTERN = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d)(\d\d)([+\-R])$/;

/** Returns undefined if it is not a time of the standard; the empty string (no time given) is not one either. */
export function parseSmppTime(given: string): SmppTime | undefined {
  const match = PATTERN.exec(given);
  if (match === null) return undefined;
  const [years, months, days, hours, minutes, seconds, tenths, quarters] = match.slice(1, 9).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (match[9] === 'R') return { kind: 'relative', years, months, days, hours, minutes, seconds, given };
  if (quarters > 48) return undefined;
  const at = new Date(Date.UTC(2000 + years, months - 1, days, hours, minutes, seconds, tenths * 100));
  // Date would carry 31 February over into March.
  if (at.getUTCMonth() !== months - 1 || at.getUTCDate() !== days || hours > 23 || minutes > 59 || seconds > 59) {
    return undefined;
  }
  at.setTime(at.getTime() - (match[9] === '-' ? -1 : 1) * quarters * 900_000);
  return { kind: 'absolute', at, given };
}

/** The moment meant, `now` being the SMSC's for a relative one. Months and years follow the calendar, in UTC. */
export function resolveSmppTime(time: SmppTime, now: Date): Date {
  if (time.kind === 'absolute') return time.at;
  return new Date(
    Date.UTC(
      now.getUTCFullYear() + time.years,
      now.getUTCMonth() + time.months,
      now.getUTCDate() + time.days,
      now.getUTCHours() + time.hours,
      now.getUTCMinutes() + time.minutes,
      now.getUTCSeconds() + time.seconds,
      now.getUTCMilliseconds(),
    ),
  );
}

/** An absolute time as seen from `offsetMinutes` (a multiple of 15) east of UTC. */
export function formatAbsoluteTime(at: Date, offsetMinutes = 0): string {
  const local = new Date(at.getTime() + offsetMinutes * 60_000);
  const digits = local.toISOString().replace(/\D/g, '').slice(2, 15);
  const quarters = Math.abs(Math.round(offsetMinutes / 15));
  return `${digits}${two(quarters)}${offsetMinutes < 0 ? '-' : '+'}`;
}

/** Formats a duration in days, hours, minutes and seconds; at most 99 days fit. */
export function formatRelativeTime(seconds: number): string {
  const whole = Math.min(Math.max(0, Math.round(seconds)), 99 * 86_400 + 86_399);
  const time = [whole / 86_400, (whole / 3_600) % 24, (whole / 60) % 60, whole % 60].map((n) => two(Math.floor(n)));
  return `0000${time.join('')}000R`;
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}
