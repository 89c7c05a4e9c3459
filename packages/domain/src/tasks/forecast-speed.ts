/** Speed of a task: as measured on another, and as its carriers allow. */

const minuteS = 60;

/**
 * Returns messages per second of a task, from the number handed over in each minute with any. The first and the last
 * minute are incomplete; of the others the median represents all, so that neither a pause nor a carrier failure counts.
 * A task of under three minutes is measured from its first message to its last, `spanS` seconds.
 */
export function measureSpeed(minutes: readonly number[], spanS: number): number | null {
  if (minutes.length >= 3) {
    const whole = minutes.slice(1, -1).toSorted((a, b) => a - b);
    const middle = whole[Math.floor(whole.length / 2)] ?? 0;
    return middle > 0 ? middle / minuteS : null;
  }
  const sum = minutes.reduce((total, count) => total + count, 0);
  return sum > 0 && spanS > 0 ? sum / spanS : null;
}

export interface CarrierLoad {
  readonly recipients: number;
  readonly segments: number;
  /** Accounts that share it. */
  readonly routes: readonly { readonly supplierId: string; readonly weight: number }[];
}

export interface CarrierLimit {
  /** submit_sm in a second: segments. */
  readonly tps: number;
  /** Other tasks and customers in progress there. */
  readonly others: number;
}

/**
 * Returns messages per second at which recipients reach their carriers, from the first message to the last: accounts
 * work in parallel, so the slowest one decides, and each shares its limit equally with other work in progress. Null if
 * some recipients can't be routed to any account.
 */
export function limitSpeed(carriers: readonly CarrierLoad[], limits: ReadonlyMap<string, CarrierLimit>): number | null {
  const segments = new Map<string, number>();
  let recipients = 0;
  for (const carrier of carriers) {
    const total = carrier.routes.reduce((sum, { weight }) => sum + weight, 0);
    if (carrier.recipients > 0 && total === 0) return null;
    recipients += carrier.recipients;
    for (const { supplierId, weight } of carrier.routes)
      segments.set(supplierId, (segments.get(supplierId) ?? 0) + (carrier.segments * weight) / total);
  }
  let seconds = 0;
  for (const [supplierId, load] of segments) {
    const limit = limits.get(supplierId);
    if (limit === undefined || limit.tps <= 0) return null;
    seconds = Math.max(seconds, (load * (limit.others + 1)) / limit.tps);
  }
  return seconds > 0 ? recipients / seconds : null;
}
