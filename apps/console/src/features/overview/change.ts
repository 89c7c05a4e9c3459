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

/**
 * Whether answers that are still to come may yet bring the share to where it was, or there is nothing it was: then it is
 * neither up nor down.
 */
export function isAcceptedOpen(now: Figures, before: Figures): boolean {
  const [least, then] = [acceptedShare(now), acceptedShare(before)];
  const most = shareOf(now.accepted + inFlight(now), now.messages);
  if (inFlight(now) === 0 || least === null || most === null) return false;
  return then === null || (least <= then && then <= most);
}
