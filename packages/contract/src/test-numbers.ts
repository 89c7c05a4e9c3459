/** Numbers that have a separate outcome in test mode; to any other a message is delivered. */
const numbers = {
  delivered: '639740000000',
  undelivered: '639740000001',
  expired: '639740000002',
  unknown: '639740000003',
  /** The carrier refuses it. */
  refused: '639740000004',
  /** Delivered after a minute. */
  slow: '639740000005',
  /** The carrier answers that it is sent too much, and takes it a moment later. */
  throttled: '639740000006',
  /** Delivered, and the phone replies T, which refuses further marketing. */
  reply: '639740000007',
} as const;

/** Of all test keys of a customer. */
export const testMessagesADay = 10_000;

export const testNumbers: Readonly<Record<TestOutcome, string>> = numbers;
export type TestOutcome = keyof typeof numbers;
