import type { Overview } from '@pahatid/contract';
import { type QuietHours, quietHoursEnd, quietHoursStart } from '@pahatid/domain';
import { instantToWall, wallToInstant } from '../../lib/format/zoned-time.ts';
import type { OverviewRange } from './overview-range.ts';

export interface TrendSlot {
  /** Beginning of the hour or day. */
  time: string;
  /** Beginning of the next. */
  end: string;
  delivered: number;
  awaiting: number;
  failed: number;
  messages: number;
  /** Has not begun yet. */
  ahead: boolean;
}

type Counted = Pick<Overview['trend'][number], 'time' | 'delivered' | 'awaiting' | 'failed' | 'messages'>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Midnight after the day in which an instant falls, in the zone. */
function nextMidnight(instant: string, zone: string): string {
  const day = instantToWall(instant, zone).slice(0, 10);
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
  return wallToInstant(`${next}T00:00:00`, zone);
}

function endOfRange(range: OverviewRange, last: string, zone: string): string {
  if (range !== 'month') return nextMidnight(last, zone);
  const [year = 0, month = 1] = instantToWall(last, zone).split('-').map(Number);
  const first = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
  return wallToInstant(`${first}T00:00:00`, zone);
}

/**
 * Returns the hours or days of a range, including the future ones of today or of this month, so that the chart keeps
 * its shape as the day goes on.
 */
export function completeTrend(trend: readonly Counted[], range: OverviewRange, zone: string): TrendSlot[] {
  const last = trend.at(-1);
  if (!last) return [];
  const after = (time: string) =>
    range === 'today' ? new Date(Date.parse(time) + hourMs).toISOString() : nextMidnight(time, zone);
  const end = endOfRange(range, last.time, zone);
  const ahead: TrendSlot[] = [];
  for (let time = after(last.time); Date.parse(time) < Date.parse(end); time = after(time)) {
    ahead.push({ time, end: after(time), delivered: 0, awaiting: 0, failed: 0, messages: 0, ahead: true });
  }
  return [...trend.map((slot) => ({ ...slot, end: after(slot.time), ahead: false })), ...ahead];
}

/** Stretches of a day's hours in which marketing rests, in hours from the first slot. */
export function quietStretches(slots: readonly TrendSlot[], hours: QuietHours | null): { from: number; to: number }[] {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last || hours === null) return [];
  const [start, end] = [Date.parse(first.time), Date.parse(last.end)];
  const stretches: { from: number; to: number }[] = [];
  for (let at = start; at < end; ) {
    const from = quietHoursStart(at, hours);
    const to = Math.min(end, quietHoursEnd(from, hours));
    if (from < end) stretches.push({ from: (from - start) / hourMs, to: (to - start) / hourMs });
    at = Math.max(to, from + 1);
  }
  return stretches;
}

/** Where tasks started, in slots from the first. */
export function placeStarts(
  starts: Overview['starts'],
  slots: readonly { time: string; end: string }[],
): { key: string; at: number; name: string }[] {
  return starts.flatMap(({ taskId, taskName, time }) => {
    const moment = Date.parse(time);
    const index = slots.findIndex((slot) => Date.parse(slot.time) <= moment && moment < Date.parse(slot.end));
    const slot = slots[index];
    if (!slot) return [];
    const begin = Date.parse(slot.time);
    return [{ key: taskId, at: index + (moment - begin) / (Date.parse(slot.end) - begin), name: taskName }];
  });
}

/** The slot with the most messages; null while there is none. */
export const busiestSlot = <S extends { messages: number }>(slots: readonly S[]): S | null =>
  slots.reduce<S | null>((best, slot) => (slot.messages > (best?.messages ?? 0) ? slot : best), null);

/** Messages that no carrier has answered yet: queued, held, or handed over this moment. */
export const unansweredOf = ({ messages, delivered, awaiting, failed }: TrendSlot): number =>
  Math.max(0, messages - delivered - awaiting - failed);
