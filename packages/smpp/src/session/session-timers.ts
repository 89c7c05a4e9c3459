/**
 * Life of a connection, SMPP 3.4 §7.2 (enquire_link_timer, inactivity_timer), as pure functions: events and *now* come in,
 * what to do comes out.
 */
export type LifeSettings = {
  enquireLinkIdleMs: number;
  enquireLinkTimeoutMs: number;
  enquireLinkMisses: number;
  /** 0 never. */
  inactivityTimeoutMs: number;
};

export type Life = {
  /** An octet came. */
  heardAt: number;
  /** When a PDU other than enquire_link was last sent or received. */
  activeAt: number;
  /** The latest enquire_link nothing was heard after. */
  askedAt: number | undefined;
  /** How many such there are. */
  asked: number;
};

export type LifeStep =
  | { do: 'wait'; dueAt: number }
  | { do: 'enquire' }
  | { do: 'close'; reason: 'enquire_link_timeout' | 'inactivity_timeout' };

export function startLife(now: number): Life {
  return { heardAt: now, activeAt: now, askedAt: undefined, asked: 0 };
}

/** Any octet proves that the peer is alive, so a pending enquiry is answered. */
export function noteReceived(life: Life, now: number): void {
  life.heardAt = now;
  life.askedAt = undefined;
  life.asked = 0;
}

/** Returns what is due now. After `enquire` the caller sends one and calls `noteAsked`. */
export function nextLifeStep(life: Life, settings: LifeSettings, now: number): LifeStep {
  const inactiveAt =
    settings.inactivityTimeoutMs === 0 ? Number.POSITIVE_INFINITY : life.activeAt + settings.inactivityTimeoutMs;
  if (now >= inactiveAt) return { do: 'close', reason: 'inactivity_timeout' };
  const askAt =
    life.askedAt === undefined
      ? life.heardAt + settings.enquireLinkIdleMs
      : life.askedAt + settings.enquireLinkTimeoutMs;
  if (now < askAt) return { do: 'wait', dueAt: Math.min(askAt, inactiveAt) };
  if (life.asked >= settings.enquireLinkMisses) return { do: 'close', reason: 'enquire_link_timeout' };
  return { do: 'enquire' };
}

export function noteAsked(life: Life, now: number): void {
  life.askedAt = now;
  life.asked++;
}
