import type { Overview } from '@pahatid/contract';
import { acceptedShare, inFlight, shareOf } from './shares.ts';

type Figures = Overview['figures'];

/** How a figure stands to that of the period before, up to the same moment: as a share of it, or in points of a share. */
export type Change = { unit: 'share' | 'points'; by: number } | null;

/** Null where there was nothing before to compare with. */
export const changeOf = (field: 'messages' | 'segments' | 'spend', now: Figures, before: Figures): Change =>
  before[field] > 0 ? { unit: 'share', by: now[field] / before[field] - 1 } : null;

/** Null where one of the two has no request. */
export function acceptedChange(now: Figures, before: Figures): Change {
  const [share, shareBefore] = [acceptedShare(now), acceptedShare(before)];
  return share === null || shareBefore === null ? null : { unit: 'points', by: share - shareBefore };
}

/** Answers to come that would move the share by a point or more. */
const openFrom = 0.01;

/** Whether so many answers are still to come that the share can't be compared yet: it would seem to have fallen. */
export const isAcceptedOpen = (now: Figures): boolean => (shareOf(inFlight(now), now.messages) ?? 0) >= openFrom;
