/**
 * Marketing to Philippine numbers is not sent from 21:00 to 07:00 Asia/Manila (NTC Memorandum Circular 03-03-2005).
 * Manila is UTC+8 the whole year. A customer may make the window longer, never shorter.
 */
const dayMs = 86_400_000;
const hourMs = 3_600_000;
const manilaOffsetMs = 8 * hourMs;

export interface QuietHours {
  /** Hours of the Manila day: quiet from `from` to `to` of the next morning. */
  from: number;
  to: number;
}

export const legalQuietHours: QuietHours = { from: 21, to: 7 };

/** Whether a customer may choose it: the legal window or a longer one, with an hour of the day left at least. */
export const isQuietWindow = ({ from, to }: QuietHours): boolean =>
  to >= legalQuietHours.to && to < from && from <= legalQuietHours.from;

const ofDay = (unixMs: number): number => (((unixMs + manilaOffsetMs) % dayMs) + dayMs) % dayMs;

export const isQuiet = (unixMs: number, hours: QuietHours = legalQuietHours): boolean => {
  const time = ofDay(unixMs);
  return time >= hours.from * hourMs || time < hours.to * hourMs;
};

/** The hour of the Manila day, 0 to 23. */
export const manilaHour = (unixMs: number): number => Math.floor(ofDay(unixMs) / hourMs);

/** The first instant at or after `unixMs` that is not quiet, Unix milliseconds. */
export const quietHoursEnd = (unixMs: number, hours: QuietHours = legalQuietHours): number => {
  if (!isQuiet(unixMs, hours)) return unixMs;
  const time = ofDay(unixMs);
  const midnight = unixMs - time;
  return midnight + hours.to * hourMs + (time >= hours.from * hourMs ? dayMs : 0);
};

/** The first instant at or after `unixMs` at which it becomes quiet, Unix milliseconds; `unixMs` itself if it is. */
export const quietHoursStart = (unixMs: number, hours: QuietHours = legalQuietHours): number =>
  isQuiet(unixMs, hours) ? unixMs : unixMs - ofDay(unixMs) + hours.from * hourMs;

export interface QuietForecast {
  /** When sending will stop for the night; null when it ends before. */
  pauseAt: number | null;
  /** When it resumes. */
  resumeAt: number | null;
  /** How many are left then. */
  left: number;
}

/** Whether a task of `count` messages at `perSecond` that starts at `startMs` runs into the quiet hours. */
export const forecastQuietHours = (
  startMs: number,
  count: number,
  perSecond: number,
  hours: QuietHours = legalQuietHours,
): QuietForecast => {
  const pauseAt = quietHoursStart(startMs, hours);
  const sent = Math.floor(((pauseAt - startMs) / 1000) * perSecond);
  if (sent >= count) return { pauseAt: null, resumeAt: null, left: 0 };
  return { pauseAt, resumeAt: quietHoursEnd(pauseAt, hours), left: count - sent };
};
