import { ClientStatus } from '@pahatid/contract/enums';

/** Of which states of a message its application is told: all that say what became of it. */
const toldStatuses: ReadonlySet<number> = new Set([
  ClientStatus.Delivered,
  ClientStatus.Undelivered,
  ClientStatus.Expired,
  ClientStatus.Rejected,
  ClientStatus.Unknown,
  ClientStatus.Blocked,
]);

/** Whether a message's coming from one state into another is told. `before`: null for one that begins in it. */
export const isToldChange = (before: number | null, after: number): boolean =>
  before !== after && toldStatuses.has(after);
