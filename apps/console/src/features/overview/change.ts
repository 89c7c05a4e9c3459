import type { Overview } from '@pahatid/contract';
import { acceptedShare } from './shares.ts';

type Figures = Overview['figures'];

/** Change of a figure against the period before, up to the same moment: relative, or in points for a share. */
export type Change = { unit: 'share' | 'points'; by: number } | null;

/** Null if there was nothing before to compare with. */
export const changeOf = (field: 'messages' | 'segments' | 'spend', now: Figures, before: Figures): Change =>
  before[field] > 0 ? { unit: 'share', by: now[field] / before[field] - 1 } : null;

/** Null if one of the two has no request. */
export function acceptedChange(now: Figures, before: Figures): Change {
  const [share, shareBefore] = [acceptedShare(now), acceptedShare(before)];
  return share === null || shareBefore === null ? null : { unit: 'points', by: share - shareBefore };
}
