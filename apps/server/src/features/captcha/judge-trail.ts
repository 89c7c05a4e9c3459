/**
 * Whether a trail looks like one of a hand: friction for programs that found the place, no proof. Of a pointer it has
 * enough points, takes its time, and no even speed; of keys it moves by keys' steps at no even beat. One that was dragged
 * and then put right by keys is judged by both.
 */
import type { CaptchaMove } from '@pahatid/contract';

/** The slider moves by so many units: to any place in half as many presses as it has units. */
export const step = 2;
const tolerance = 4;
const shortestMs = 250;
const pointerPoints = 8;
/** Standard deviation of the speeds over their mean. A hand starts, hurries and brakes: 0.5 and more. */
const leastUnevenness = 0.15;
/** Share of the whole travel, in one move. */
const longestJump = 0.6;
/** Page keys, and the steps of screen readers, move by a tenth of the travel; some by more. */
const longestKeyStep = 0.16;
/** Tolerance for clocks and network latency. */
const slackMs = 2_000;

export interface GivenTrail {
  readonly position: number;
  readonly trail: readonly CaptchaMove[];
  /** Time between creating the puzzle and receiving the answer. */
  readonly ageMs: number;
  /** Travel of the slider. */
  readonly travel: number;
}

export const isNear = (position: number, answer: number): boolean => Math.abs(position - answer) <= tolerance;

export function isByHand({ position, trail, ageMs, travel }: GivenTrail): boolean {
  const first = trail[0];
  const last = trail.at(-1);
  if (first === undefined || last === undefined || last[1] !== position) return false;
  if (trail.some(([, x]) => x > travel)) return false;
  if (!inPairs(trail).every(([a, b]) => b[0] >= a[0])) return false;
  if (last[0] - first[0] < shortestMs || last[0] > ageMs + slackMs) return false;
  const dragged = trail.filter(([, , byKey]) => !byKey);
  return (dragged.length === 0 || isDragged(dragged)) && areKeyed(trail, travel);
}

function isDragged(moves: readonly CaptchaMove[]): boolean {
  if (moves.length < pointerPoints) return false;
  const steps = inPairs(moves).map(([a, b]) => ({ way: Math.abs(b[1] - a[1]), ms: b[0] - a[0] }));
  const whole = Math.max(...moves.map(([, x]) => x)) - Math.min(...moves.map(([, x]) => x));
  if (whole === 0 || Math.max(moves[0]![1], ...steps.map(({ way }) => way)) > whole * longestJump) return false;
  const speeds = steps.map(({ way, ms }) => way / Math.max(1, ms));
  const mean = speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length;
  const spread = Math.sqrt(speeds.reduce((sum, speed) => sum + (speed - mean) ** 2, 0) / speeds.length);
  return mean > 0 && spread / mean >= leastUnevenness;
}

function areKeyed(trail: readonly CaptchaMove[], travel: number): boolean {
  const steps = inPairs([[0, 0, false] as CaptchaMove, ...trail]).filter(([, to]) => to[2]);
  if (steps.length === 0) return true;
  const isStep = ([from, to]: readonly [CaptchaMove, CaptchaMove]): boolean => {
    const way = Math.abs(to[1] - from[1]);
    const isEnd = to[1] === 0 || to[1] === travel;
    return isEnd || (way > 0 && way % step === 0 && way <= travel * longestKeyStep);
  };
  if (!steps.every(isStep)) return false;
  const gaps = steps.slice(1).map(([from, to]) => to[0] - from[0]);
  // A held key repeats at an even beat that the browser's clock still blurs; a program's does not.
  return gaps.length < 3 || new Set(gaps).size > 1;
}

const inPairs = <T>(list: readonly T[]): (readonly [T, T])[] =>
  list.slice(1).map((item, n) => [list[n]!, item] as const);
