/** What the carrier of test mode does with a message, by the number. Its ids say it, so any process knows it again. */
import { type TestOutcome, testNumbers } from '@pahatid/contract';
import { MESSAGE_STATE } from '@pahatid/smpp';

export interface TestReceipt {
  readonly stat: string;
  readonly err: string;
  readonly state: number;
  readonly isLate: boolean;
}

const receipt = (stat: string, err: string, state: number, isLate = false): TestReceipt => ({
  stat,
  err,
  state,
  isLate,
});

const delivered = receipt('DELIVRD', '000', MESSAGE_STATE.DELIVERED);

/** Of `refused` there is none. */
const receipts: Readonly<Record<TestOutcome, TestReceipt>> = {
  delivered,
  undelivered: receipt('UNDELIV', '001', MESSAGE_STATE.UNDELIVERABLE),
  expired: receipt('EXPIRED', '027', MESSAGE_STATE.EXPIRED),
  unknown: receipt('UNKNOWN', '255', MESSAGE_STATE.UNKNOWN),
  refused: delivered,
  slow: { ...delivered, isLate: true },
  throttled: delivered,
  reply: delivered,
};

const outcomes = Object.keys(testNumbers) as TestOutcome[];
const outcomeOf = new Map(outcomes.map((outcome) => [testNumbers[outcome], outcome]));

export const getTestOutcome = (msisdn: string): TestOutcome => outcomeOf.get(msisdn) ?? 'delivered';

export const getTestReceipt = (outcome: TestOutcome): TestReceipt => receipts[outcome];

/** `own`: distinguishes it from the others of this millisecond, of any process. */
export const makeTestId = (outcome: TestOutcome, acceptedMs: number, own: string): string =>
  `${outcomes.indexOf(outcome)}-${acceptedMs.toString(36)}-${own}`;

/** Null: no id of this carrier. */
export const readTestId = (id: string): { outcome: TestOutcome; acceptedMs: number } | null => {
  const [, index, ms] = /^(\d)-([0-9a-z]{8,9})-[0-9a-z]+$/.exec(id) ?? [];
  const outcome = outcomes[Number(index)];
  return outcome === undefined || ms === undefined ? null : { outcome, acceptedMs: Number.parseInt(ms, 36) };
};
