/** A wall-clock time without a zone, `YYYY-MM-DDTHH:mm:ss`. */
export type WallTime = string;

/** What the clock of `zone` shows at an instant. */
export function instantToWall(instant: string | number | Date, zone: string): WallTime {
  const parts = new Intl.DateTimeFormat('en-CA-u-ca-gregory-nu-latn', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(instant));
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((candidate) => candidate.type === type)?.value ?? '00';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`;
}

/**
 * The instant at which the clock of `zone` shows a wall time, as ISO 8601 in UTC. In a gap of daylight saving it is the
 * moment after, in an overlap the first of the two.
 */
export function wallToInstant(wall: WallTime, zone: string): string {
  const asUtc = Date.parse(`${wall.length === 16 ? `${wall}:00` : wall}Z`);
  const shownAt = (time: number) => Date.parse(`${instantToWall(time, zone)}Z`);
  // Two rounds: the first offset may be from the other side of a clock change.
  let time = asUtc - (shownAt(asUtc) - asUtc);
  time += asUtc - shownAt(time);
  return new Date(time).toISOString();
}

/** Start of the day `days` before today in a zone. */
export function dayStart(zone: string, daysAgo = 0, now: number = Date.now()): string {
  const today = instantToWall(now, zone).slice(0, 10);
  const day = new Date(Date.parse(`${today}T00:00:00Z`) - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return wallToInstant(`${day}T00:00:00`, zone);
}
