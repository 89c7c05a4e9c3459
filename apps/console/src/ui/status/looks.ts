import type { StatusLook } from './status-tag.tsx';

/**
 * Looks of the specification's numbered states (§4), by number, without labels: the labels are in each feature's
 * catalogue. Accepted by the carrier is never green: green is only what a phone, or a user, has confirmed.
 */
export const taskStatusLooks: Record<number, StatusLook> = {
  0: { glyph: 'line', tone: 'primary' },
  1: { glyph: 'dashed', tone: 'neutral' },
  2: { glyph: 'tick', tone: 'primary' },
  3: { glyph: 'clock', tone: 'planned' },
  4: { glyph: 'low', tone: 'primary' },
  5: { glyph: 'half', tone: 'primary' },
  6: { glyph: 'done', tone: 'success' },
  7: { glyph: 'bar', tone: 'neutral' },
  8: { glyph: 'failed', tone: 'danger' },
  9: { glyph: 'stopped', tone: 'danger' },
  10: { glyph: 'dots', tone: 'warning' },
  11: { glyph: 'cross', tone: 'danger' },
};

/** State of the request to the carrier. */
export const sendStatusLooks: Record<number, StatusLook> = {
  0: { glyph: 'dots', tone: 'neutral' },
  1: { glyph: 'half', tone: 'primary' },
  2: { glyph: 'cross', tone: 'danger' },
  3: { glyph: 'tick', tone: 'primary' },
};

/**
 * State of one message: 0 accepted by us, 1 submitted, 2 delivered, 3 undelivered, 4 expired, 5 rejected, 6 unknown, 7
 * blocked.
 */
export const clientStatusLooks: Record<number, StatusLook> = {
  0: { glyph: 'line', tone: 'neutral' },
  1: { glyph: 'low', tone: 'primary' },
  2: { glyph: 'done', tone: 'success' },
  3: { glyph: 'failed', tone: 'danger' },
  4: { glyph: 'clock', tone: 'warning' },
  5: { glyph: 'cross', tone: 'danger' },
  6: { glyph: 'dots', tone: 'neutral' },
  7: { glyph: 'bar', tone: 'neutral' },
};

/** Review of a template or a sender ID. */
export const auditStatusLooks: Record<number, StatusLook> = {
  0: { glyph: 'dots', tone: 'warning' },
  1: { glyph: 'done', tone: 'success' },
  2: { glyph: 'cross', tone: 'danger' },
  3: { glyph: 'bar', tone: 'neutral' },
};

/** Use state: 0 disabled, 1 enabled. */
export const useStateLooks: Record<number, StatusLook> = {
  0: { glyph: 'bar', tone: 'neutral' },
  1: { glyph: 'tick', tone: 'primary' },
};

type LinkStateName = 'active' | 'pending' | 'rejected' | 'expired' | 'disabled' | 'blocked';

/** A short link: followed, waiting for a reviewer, refused, past its day, switched off by its owner or by staff. */
export const linkStateLooks: Record<LinkStateName, StatusLook> = {
  active: { glyph: 'tick', tone: 'primary' },
  pending: auditStatusLooks[0]!,
  rejected: auditStatusLooks[2]!,
  expired: { glyph: 'clock', tone: 'neutral' },
  disabled: { glyph: 'bar', tone: 'neutral' },
  blocked: { ...auditStatusLooks[2]!, glyph: 'bar' },
};
