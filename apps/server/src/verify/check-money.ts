/** The ledger against the messages, and the balance against the ledger. */
import type { MessageSums } from '@pahatid/db/queries/verify/batches';
import type { DayOfCharges } from '@pahatid/db/queries/verify/counters';
import type { Findings } from './difference.ts';

interface Cost {
  appId: string;
  taskId: string | null;
  cost: number;
  segments: number;
}

/** What messages cost, by batch. */
export const sumCosts = (sums: readonly MessageSums[]): Map<bigint, Cost> => {
  const costs = new Map<bigint, Cost>();
  for (const { batchId, firstId, appId, taskId, charged, paidSegments } of sums) {
    if (charged === 0) continue;
    // What lies in no batch is charged under its own id.
    const place = batchId ?? firstId;
    const cost = costs.get(place) ?? { appId, taskId, cost: 0, segments: 0 };
    cost.cost += charged;
    cost.segments += paidSegments;
    costs.set(place, cost);
  }
  return costs;
};

/** Returns days on which the ledger differs from what the messages cost. */
export const findOtherDays = (kept: readonly DayOfCharges[], derived: readonly DayOfCharges[]): number[] => {
  const seen = new Map(kept.map((day) => [day.day, day]));
  const costs = new Map(derived.map((day) => [day.day, day]));
  const nothing = { cost: 0n, weighted: 0n, segments: 0n };
  return [...new Set([...costs.keys(), ...seen.keys()])]
    .filter((day) => {
      const a = costs.get(day) ?? nothing;
      const b = seen.get(day) ?? nothing;
      return a.cost !== b.cost || a.weighted !== b.weighted || a.segments !== b.segments;
    })
    .sort((a, b) => a - b);
};

interface Charges {
  readonly customerId: string;
  readonly kept: ReadonlyMap<bigint, { cost: number; segments: number }>;
  readonly derived: ReadonlyMap<bigint, Cost>;
  readonly isRepairable: boolean;
}

export const checkCharges = (findings: Findings, { customerId, kept, derived, isRepairable }: Charges): void => {
  for (const batchId of new Set([...kept.keys(), ...derived.keys()])) {
    const was = kept.get(batchId) ?? { cost: 0, segments: 0 };
    const is = derived.get(batchId) ?? { appId: null, taskId: null, cost: 0, segments: 0 };
    if (was.cost === is.cost && was.segments === is.segments) continue;
    const { taskId, appId } = is;
    const [cost, segments] = [is.cost - was.cost, is.segments - was.segments];
    findings.add({
      check: 'charge',
      customerId,
      taskId,
      batchId,
      what: 'cost (segments)',
      kept: `${was.cost} (${was.segments})`,
      derived: `${is.cost} (${is.segments})`,
      // Charges for missing messages are not refunded: their purpose can't be determined.
      ...(appId === null || !isRepairable
        ? {}
        : { fix: { how: 'charge', customerId, batchId, appId, taskId, cost, segments } }),
    });
  }
};
