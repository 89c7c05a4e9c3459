/**
 * Every closed set of values that crosses HTTP, with the specification's numbers (§3, §4).
 * Where the specification shows no number (message status, SMS types) the numbers are the product's own.
 */

/** Turns a constant object into the union of its values. */
export type ValueOf<T> = T[keyof T];

/** Bulk task status, specification §4. */
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
export type TaskStatus = ValueOf<typeof TaskStatus>;

/** State of the request to the carrier, specification §4: never to be confused with the receipt. */
export const SendStatus = { Waiting: 0, Sending: 1, Failed: 2, Successful: 3 } as const;
export type SendStatus = ValueOf<typeof SendStatus>;

/** The known status of one message, from acceptance to the phone. */
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
export type ClientStatus = ValueOf<typeof ClientStatus>;

/** Review state of a template version or a sender ID, specification §4. */
export const AuditStatus = { Pending: 0, Approved: 1, Rejected: 2, NotRequired: 3 } as const;
export type AuditStatus = ValueOf<typeof AuditStatus>;

/** Use state, specification §4. */
export const UseState = { Disabled: 0, Enabled: 1 } as const;
export type UseState = ValueOf<typeof UseState>;

/** Yes/no, specification §4. */
export const YesNo = { No: 0, Yes: 1 } as const;
export type YesNo = ValueOf<typeof YesNo>;

/** What kind of message: decides lane, quiet hours and the rules of its text. */
export const SmsType = { Verification: 1, Notification: 2, Marketing: 3 } as const;
export type SmsType = ValueOf<typeof SmsType>;

/** As settings of an application by send type are named. */
export const sendTypeNames = { 1: 'verification', 2: 'notification', 3: 'marketing' } as const;
type SendTypeName = ValueOf<typeof sendTypeNames>;

/** How long messages may wait before they are sent, seconds, by send type; null: the default, or without end. */
export type ValidFor = Readonly<Record<SendTypeName, number | null>>;

/** What an application and a call can shorten. Marketing has no end: that of a task ends with the task. */
export const validForDefaults: ValidFor = { verification: 300, notification: 86_400, marketing: null };

/** The shortest and the longest that can be set, seconds. */
export const validForLimits = { shortest: 30, longest: 604_800 } as const;

/** APIs an application may use; the console may always use it. */
export const AccessType = { Smpp: 1, Http: 2, Both: 3 } as const;
export type AccessType = ValueOf<typeof AccessType>;

/** Payer and time of charging, specification §3: charged on sending, or on arrival. */
export const ChargeType = { SenderPays: 'SenderPays', ReceiverPays: 'ReceiverPays' } as const;
export type ChargeType = ValueOf<typeof ChargeType>;

/** File processing, specification §4. */
export const FileStatus = { Processing: 'processing', Success: 'success', Fail: 'fail' } as const;
export type FileStatus = ValueOf<typeof FileStatus>;

/** Roles of a customer's users and of the provider's staff. */
export const Role = {
  Owner: 'owner',
  Member: 'member',
  Viewer: 'viewer',
  Reviewer: 'reviewer',
  Operator: 'operator',
  Admin: 'admin',
} as const;
export type Role = ValueOf<typeof Role>;

export const customerRoles = [Role.Owner, Role.Member, Role.Viewer] as const;
export const staffRoles = [Role.Reviewer, Role.Operator, Role.Admin] as const;

/** Carriers of the Philippines; null elsewhere means any or unknown. */
export const Carrier = { Globe: 'Globe', Smart: 'Smart', Dito: 'DITO' } as const;
export type Carrier = ValueOf<typeof Carrier>;

/** What to do with messages whose outcome at the carrier is unknown after a crash. */
export const DoubtPolicy = { Hold: 'hold', Resend: 'resend' } as const;
export type DoubtPolicy = ValueOf<typeof DoubtPolicy>;

/** When a task needs a reviewer before it may be sent; set by staff per customer. */
export const ReviewPolicy = {
  Always: 'always',
  Never: 'never',
  AboveCount: 'aboveCount',
  FirstTask: 'firstTask',
  Marketing: 'marketing',
} as const;
export type ReviewPolicy = ValueOf<typeof ReviewPolicy>;

/** How the console looks; `system` as the device has it. */
export const Theme = { light: 'light', dark: 'dark', system: 'system' } as const;
export type Theme = (typeof Theme)[keyof typeof Theme];

/** Why a reviewer rejects, as a catalogue code; `OTHER` is explained in the reviewer's own text. */
export const ReviewReason = {
  SenderUnnamed: 'SENDER_UNNAMED',
  LinkVariable: 'LINK_VARIABLE',
  LinkUnsafe: 'LINK_UNSAFE',
  UnsubscribeMissing: 'UNSUBSCRIBE_MISSING',
  TypeMismatch: 'TYPE_MISMATCH',
  Prohibited: 'PROHIBITED',
  Misleading: 'MISLEADING',
  FileMismatch: 'FILE_MISMATCH',
  NameUnproven: 'NAME_UNPROVEN',
  Other: 'OTHER',
} as const;
export type ReviewReason = ValueOf<typeof ReviewReason>;

/** Methods to finish a sign-in whose first factor was right. */
export const SecondFactorMethod = { totp: 'totp', recoveryCode: 'recoveryCode', passkey: 'passkey' } as const;
export type SecondFactorMethod = (typeof SecondFactorMethod)[keyof typeof SecondFactorMethod];
