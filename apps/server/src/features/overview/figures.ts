import type { Overview } from '@pahatid/contract';
import type { Db } from '@pahatid/db';
import {
  findRangeBefore,
  findRangeStart,
  listTrendTimes,
  type OverviewRange,
  type OverviewSpan,
  sumTrend,
  type TrendRow,
} from '@pahatid/db/queries/overview';

export interface FiguresOfRange {
  span: OverviewSpan;
  figures: Overview['figures'];
  trend: Overview['trend'];
}

/** Figures of the range and their course, by hour of today or by day, in the viewer's zone. */
export async function readFigures(
  db: Db,
  asked: { customerId: string | null; range: OverviewRange; zone: string; now: Date },
): Promise<FiguresOfRange> {
  const { customerId, range, zone, now } = asked;
  const span = { customerId, from: await findRangeStart(db, range, zone, now), to: now };
  const unit = range === 'today' ? 'hour' : 'day';
  const rows = await sumTrend(db, span, unit, zone);
  const byTime = new Map(rows.map((row) => [row.time.getTime(), row]));
  const times = await listTrendTimes(db, span, unit, zone);
  return { span, figures: sumFigures(rows), trend: times.map((time) => presentTime(time, byTime.get(time.getTime()))) };
}

type Asked = Parameters<typeof readFigures>[1];

/** The range before: as much of it as has passed of this one, and the whole by hour or day. */
export async function readBefore(
  db: Db,
  { customerId, range, zone, now }: Asked,
): Promise<NonNullable<Overview['before']>> {
  const { from, to, end } = await findRangeBefore(db, range, zone, now);
  const unit = range === 'today' ? 'hour' : 'day';
  const whole = { customerId, from, to: new Date(end.getTime() - 1) };
  const rows = await sumTrend(db, whole, unit, zone);
  const byTime = new Map(rows.map((row) => [row.time.getTime(), row.messages]));
  const times = await listTrendTimes(db, whole, unit, zone);
  // Past hours or days are already known; only the one that corresponds to this moment is summed again. The current
  // minute is not over, so its counterpart is excluded too.
  const begun = times.findLast((time) => time < to) ?? from;
  const over = rows.filter(({ time }) => time < begun);
  const running = await sumTrend(db, { customerId, from: begun, to: new Date(to.getTime() - 1) }, unit, zone);
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    figures: sumFigures([...over, ...running]),
    messages: times.map((time) => byTime.get(time.getTime()) ?? 0),
  };
}

function sumFigures(rows: readonly TrendRow[]): Overview['figures'] {
  const sum = (field: Exclude<keyof TrendRow, 'time'>): number => rows.reduce((total, row) => total + row[field], 0);
  return {
    messages: sum('messages'),
    segments: sum('segments'),
    accepted: sum('accepted'),
    refused: sum('refused'),
    blocked: sum('blocked'),
    delivered: sum('delivered'),
    undelivered: sum('undelivered'),
    unknown: sum('unknown'),
    spend: sum('spend'),
  };
}

/**
 * Blocked, refused by the carrier, not delivered, or without a receipt in time: failed. Awaited is a receipt, so only of what a
 * carrier accepted; the rest of the messages has not been answered or not even been handed over.
 */
function presentTime(time: Date, row: TrendRow | undefined): Overview['trend'][number] {
  const messages = row?.messages ?? 0;
  const delivered = row?.delivered ?? 0;
  const failed = (row?.refused ?? 0) + (row?.blocked ?? 0) + (row?.undelivered ?? 0) + (row?.unknown ?? 0);
  const receipts = delivered + (row?.undelivered ?? 0) + (row?.unknown ?? 0);
  const awaiting = Math.max(0, (row?.accepted ?? 0) - receipts);
  const { segments = 0, accepted = 0, refused = 0, spend = 0 } = row ?? {};
  return { time: time.toISOString(), delivered, awaiting, failed, messages, segments, accepted, refused, spend };
}
