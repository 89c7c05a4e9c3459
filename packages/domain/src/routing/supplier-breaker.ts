/**
 * When messages should leave a supplier account although binds are up: it answers with errors, takes nothing, or does
 * not answer. Refusals of single messages say nothing about the account.
 *
 *   closed ──bad answers──▶ open ──after a wait──▶ half-open ──good probes──▶ closed
 *                            ▲                        │
 *                            └───────bad probes───────┘   (the wait doubles)
 *
 * Open: nothing is sent, and what waits takes other routes. Half-open: a few messages a second are sent as probes. If
 * messages have no other route the account is not opened but stays half-open, so that it is noticed when it recovers.
 */
export type BreakerState = 'closed' | 'open' | 'halfOpen';
export type BreakerReason = 'errors' | 'throttled' | 'timeouts' | 'slow';

/** Answers to submit_sm within a sliding window. */
export interface AnswerFigures {
  readonly accepted: number;
  /** Refused because of the message. */
  readonly refused: number;
  /** Errors of the system or of the account. */
  readonly errors: number;
  readonly throttled: number;
  /** Without an answer in time. */
  readonly timeouts: number;
  /** Mean time to an answer, milliseconds. */
  readonly answerMs: number;
}

export interface Breaker {
  readonly state: BreakerState;
  /** Why it was opened last; null: never, or long ago. */
  readonly reason: BreakerReason | null;
  /** How often it was opened in a row. */
  readonly openings: number;
}

export interface BreakerView extends Breaker {
  /** Since the state was entered. */
  readonly ageMs: number;
  /** Of the window of this state, and not from before it was entered. */
  readonly figures: AnswerFigures;
  /** Something was submitted since the state was entered: answers may follow. */
  readonly hasSubmitted: boolean;
}

export const CLOSED_BREAKER: Breaker = { state: 'closed', reason: null, openings: 0 };

/** Windows of the figures. Probes are few: a shorter one notices sooner that they succeed. */
export const ANSWER_WINDOW_MS = 60_000;
export const PROBE_WINDOW_MS = 10_000;
/** Segments a second over all senders while half-open. */
export const PROBE_TPS = 2;

/** One message is tried five times, and up to seven in a window: fewer errors may be those of a single one. */
const LEAST_BAD = 10;
/** Retries of a throttled account are a second apart. */
const LEAST_THROTTLED = 20;
const BAD_PART = 0.5;
/** A code that waited this long for its carrier is of little use. */
const SLOW_MS = 15_000;
const GOOD_PROBES = 5;
const BAD_PROBES = 3;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 300_000;
/** Without anything to probe with, the account is tried as it is. */
const IDLE_MS = 30_000;
/** After so long without trouble the next wait is the shortest again. */
const CALM_MS = 600_000;

/** Returns why the account should not be used; null: it should. */
export const judgeAnswers = (figures: AnswerFigures): BreakerReason | null => {
  const { accepted, refused, errors, throttled, timeouts, answerMs } = figures;
  const answered = accepted + refused + errors;
  if (errors >= LEAST_BAD && errors >= BAD_PART * answered) return 'errors';
  if (timeouts >= LEAST_BAD && timeouts >= BAD_PART * (answered + timeouts)) return 'timeouts';
  if (throttled >= LEAST_THROTTLED && accepted + refused === 0) return 'throttled';
  if (accepted >= LEAST_BAD && answerMs >= SLOW_MS) return 'slow';
  return null;
};

/** How long it stays open. */
export const openForMs = (openings: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, Math.min(openings, 30) - 1));

/** Returns the next state; null if nothing changes. `hasAlternative`: messages for it have another route. */
export const nextBreaker = (view: BreakerView, hasAlternative: boolean): Breaker | null => {
  const { state, reason, openings } = view;
  // A clock that was set back must not keep it open.
  const ageMs = view.ageMs < 0 ? LONGEST_WAIT_MS : view.ageMs;
  switch (state) {
    case 'closed': {
      const found = judgeAnswers(view.figures);
      if (found !== null) return { state: hasAlternative ? 'open' : 'halfOpen', reason: found, openings: openings + 1 };
      return openings > 0 && ageMs >= CALM_MS ? CLOSED_BREAKER : null;
    }
    case 'open':
      return ageMs >= openForMs(openings) ? { state: 'halfOpen', reason, openings } : null;
    case 'halfOpen': {
      const verdict = judgeProbes(view.figures);
      if (verdict === 'good') return { state: 'closed', reason, openings };
      if (verdict === 'bad') return hasAlternative ? { state: 'open', reason, openings: openings + 1 } : null;
      return !view.hasSubmitted && ageMs >= IDLE_MS ? { state: 'closed', reason, openings } : null;
    }
  }
};

const judgeProbes = ({ accepted, errors, throttled, timeouts, answerMs }: AnswerFigures): 'good' | 'bad' | null => {
  const isSlow = answerMs >= SLOW_MS;
  const good = isSlow ? 0 : accepted;
  const bad = errors + throttled + timeouts + (isSlow ? accepted : 0);
  if (bad >= BAD_PROBES && bad >= BAD_PART * (good + bad)) return 'bad';
  return good >= GOOD_PROBES && bad < BAD_PART * good ? 'good' : null;
};
