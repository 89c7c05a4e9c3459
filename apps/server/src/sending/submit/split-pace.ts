/**
 * Splits the pace of a supplier account over the processes that send to it: whole segments per second, their sum never
 * above the limit. Every process computes the same from the same rows, so no coordinator is needed.
 *
 * Processes with work share by demand, equally if demand exceeds the limit; idle ones keep a little, so that a code
 * arriving there is sent immediately. Unused pace is spread evenly, ready for whichever process needs it first.
 */
export interface Sharer {
  readonly owner: string;
  /** Segments a second it has work for; null: it has no bind to submit on. */
  readonly wanted: number | null;
}

/** Of the limit, for all processes without work together. */
const IDLE_PART = 0.02;
/** If one segment each would exceed this part of the limit, idle processes get none. */
const IDLE_PART_AT_MOST = 0.25;

/** `slot`: increases with time. If there are more processes than segments, they take turns. */
export const splitPace = (tps: number, sharers: readonly Sharer[], slot: number): Map<string, number> => {
  const shares = new Map(sharers.map(({ owner }) => [owner, 0]));
  const able = sharers.filter(({ wanted }) => wanted !== null).sort((a, b) => (a.owner < b.owner ? -1 : 1));
  if (able.length === 0) return shares;
  const busy = able.filter(({ wanted }) => wanted !== 0);
  const idle = able.filter(({ wanted }) => wanted === 0);
  const forIdle = busy.length === 0 ? Math.min(tps, idle.length) : idleBudget(tps, idle.length);
  const give = (owner: string, more: number): void => {
    shares.set(owner, shares.get(owner)! + more);
  };
  spread(turned(idle, slot, forIdle), forIdle, give);
  const left = tps - forIdle - fill(turned(busy, slot, tps - forIdle), tps - forIdle, give);
  spread(turned(able, slot, left), left, give);
  return shares;
};

const idleBudget = (tps: number, count: number): number =>
  count === 0 ? 0 : Math.max(Math.min(count, Math.floor(tps * IDLE_PART_AT_MOST)), Math.floor(tps * IDLE_PART));

/** Returns the sharers in fixed order, rotated by slot if there are more than `units`. */
function turned(sharers: readonly Sharer[], slot: number, units: number): Sharer[] {
  if (units >= sharers.length || units <= 0) return [...sharers];
  const start = (slot * units) % sharers.length;
  return [...sharers.slice(start), ...sharers.slice(0, start)];
}

/** Evenly, the remainder to the first. */
function spread(sharers: readonly Sharer[], units: number, give: (owner: string, more: number) => void): void {
  if (sharers.length === 0) return;
  const each = Math.floor(units / sharers.length);
  const rest = units % sharers.length;
  for (const [index, { owner }] of sharers.entries()) give(owner, each + (index < rest ? 1 : 0));
}

/**
 * Gives each sharer what it wants or, if that is too much, an equal part of what smaller ones leave. Returns the units
 * given.
 */
function fill(sharers: readonly Sharer[], units: number, give: (owner: string, more: number) => void): number {
  let left = units;
  let open = sharers.length;
  // Smallest demand first; a stable sort keeps the turns if all want much.
  for (const { owner, wanted } of [...sharers].sort(
    (a, b) => Math.min(units, a.wanted!) - Math.min(units, b.wanted!),
  )) {
    const part = Math.min(wanted!, Math.ceil(left / open));
    give(owner, part);
    left -= part;
    open -= 1;
  }
  return units - left;
}
