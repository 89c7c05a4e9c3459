/**
 * Splits the binds of a supplier account over the senders: as evenly as possible, and with as few moves as possible, so
 * that a bind does not wander. Every process computes the same from the same rows.
 */
export interface BindHolder {
  readonly owner: string;
  /** Binds that it has now. */
  readonly held: number;
  /** It could not bind a short while ago: others are preferred, if there are any. */
  readonly isUnable: boolean;
}

/** Returns how many of the binds each process may have; with more processes than binds some have none. */
export const splitBinds = (bindCount: number, holders: readonly BindHolder[]): Map<string, number> => {
  const parts = new Map(holders.map(({ owner }) => [owner, 0]));
  const able = holders.filter(({ isUnable }) => !isUnable);
  // A carrier that no process reaches is no reason to move binds.
  const sharers = [...(able.length > 0 ? able : holders)].sort(
    (a, b) => b.held - a.held || (a.owner < b.owner ? -1 : 1),
  );
  const each = Math.floor(bindCount / Math.max(1, sharers.length));
  const rest = bindCount % Math.max(1, sharers.length);
  // The odd ones stay where most are already.
  for (const [index, { owner }] of sharers.entries()) parts.set(owner, each + (index < rest ? 1 : 0));
  return parts;
};
