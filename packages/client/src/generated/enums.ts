export const SmsType = {
  Verification: 1,
  Notification: 2,
  Marketing: 3,
} as const;
export type SmsType = (typeof SmsType)[keyof typeof SmsType];

export const ClientStatus = {
  Accepted: 0,
  Submitted: 1,
  Delivered: 2,
  Undelivered: 3,
  Expired: 4,
  Rejected: 5,
  Unknown: 6,
  Blocked: 7,
} as const;
export type ClientStatus = (typeof ClientStatus)[keyof typeof ClientStatus];

export const TaskStatus = {
  Initialized: 0,
  Draft: 1,
  ValidationPassed: 2,
  Confirmed: 3,
  Preparing: 4,
  Sending: 5,
  Completed: 6,
  Cancelled: 7,
  Failed: 8,
  Terminated: 9,
  PendingReview: 10,
  Rejected: 11,
} as const;
export type TaskStatus = (typeof TaskStatus)[keyof typeof TaskStatus];

export const AuditStatus = {
  Pending: 0,
  Approved: 1,
  Rejected: 2,
  NotRequired: 3,
} as const;
export type AuditStatus = (typeof AuditStatus)[keyof typeof AuditStatus];
