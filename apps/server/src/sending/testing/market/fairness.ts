/**
 * How fair the senders are to customers that wait at the same time: what an equal division of everything sent would
 * have given a customer until its campaign was through, against what it was given.
 */

export interface CampaignCount {
  readonly customerId: string;
  /** Number of the interval, from any beginning. */
  readonly slot: number;
  /** Messages of the customer written in it. */
  readonly count: number;
}

/** A campaign is through with this share of it: the rest are single messages that a carrier refused, or that wait. */
const THROUGH = 0.95;

/**
 * Returns the equal share ÷ what was sent, by customer: 1 is its share, 2 half of it. `volumes`: messages of each
 * customer's campaign. Until the last slot if a campaign was not through by then.
 */
export const divideByShare = (
  counts: readonly CampaignCount[],
  volumes: ReadonlyMap<string, number>,
): Map<string, number> => {
  const slots = [...new Set(counts.map(({ slot }) => slot))].sort((a, b) => a - b);
  const byCustomer = Map.groupBy(counts, ({ customerId }) => customerId);
  const ends = new Map<string, { slot: number; sent: number }>();
  for (const [customerId, volume] of volumes)
    ends.set(customerId, findEnd(byCustomer.get(customerId) ?? [], volume * THROUGH, slots.at(-1) ?? 0));
  const totals = Map.groupBy(counts, ({ slot }) => slot);
  const shares = new Map<string, number>();
  for (const slot of slots) {
    const active = [...ends].filter(([, end]) => slot <= end.slot);
    const total = (totals.get(slot) ?? []).reduce((sum, { count }) => sum + count, 0);
    for (const [customerId] of active) shares.set(customerId, (shares.get(customerId) ?? 0) + total / active.length);
  }
  return new Map([...ends].map(([customerId, { sent }]) => [customerId, (shares.get(customerId) ?? 0) / sent]));
};

function findEnd(counts: readonly CampaignCount[], goal: number, last: number): { slot: number; sent: number } {
  let sent = 0;
  for (const { slot, count } of counts.toSorted((a, b) => a.slot - b.slot)) {
    sent += count;
    if (sent >= goal) return { slot, sent };
  }
  return { slot: last, sent };
}
