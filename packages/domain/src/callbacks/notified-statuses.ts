import { ClientStatus } from '@pahatid/contract/enums';

/** Message states that an application is notified of: all that state an outcome. */
const notifiedStatuses: ReadonlySet<number> = new Set([
  ClientStatus.Delivered,
  ClientStatus.Undelivered,
  ClientStatus.Expired,
  ClientStatus.Rejected,
  ClientStatus.Unknown,
  ClientStatus.Blocked,
]);

/** Whether a message's transition from one state to another is notified. `before`: null for one that begins in it. */
export const isNotifiedChange = (before: number | null, after: number): boolean =>
  before !== after && notifiedStatuses.has(after);
