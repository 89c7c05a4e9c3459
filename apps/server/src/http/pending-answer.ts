import type { PendingApproval } from '@pahatid/contract';

/** Returned by a handler that has not acted: another member of staff must approve first. Sent as 202. */
export class PendingAnswer implements PendingApproval {
  readonly approvalId: string;
  readonly expireTime: string;

  constructor({ approvalId, expireTime }: PendingApproval) {
    this.approvalId = approvalId;
    this.expireTime = expireTime;
  }
}
