/** Sizes of the market: its suppliers, how its customers differ, and what they send. */

export interface MarketSupplier {
  readonly name: string;
  readonly carrier: 'Globe' | 'Smart' | 'DITO';
  /** submit_sm per second. */
  readonly tps: number;
  readonly windowSize: number;
  readonly answerMs: number;
}

/** Together 8,500/s. By Little's law three binds with these windows and answer times allow more than each one's pace. */
export const SUPPLIERS: readonly MarketSupplier[] = [
  { name: 'globe-a', carrier: 'Globe', tps: 2_000, windowSize: 100, answerMs: 30 },
  { name: 'globe-b', carrier: 'Globe', tps: 1_000, windowSize: 50, answerMs: 50 },
  { name: 'globe-c', carrier: 'Globe', tps: 300, windowSize: 20, answerMs: 100 },
  { name: 'globe-d', carrier: 'Globe', tps: 50, windowSize: 10, answerMs: 200 },
  { name: 'smart-a', carrier: 'Smart', tps: 2_000, windowSize: 100, answerMs: 20 },
  { name: 'smart-b', carrier: 'Smart', tps: 750, windowSize: 50, answerMs: 60 },
  { name: 'smart-c', carrier: 'Smart', tps: 200, windowSize: 20, answerMs: 120 },
  { name: 'dito-a', carrier: 'DITO', tps: 1_600, windowSize: 100, answerMs: 40 },
  { name: 'dito-b', carrier: 'DITO', tps: 500, windowSize: 30, answerMs: 80 },
  { name: 'dito-c', carrier: 'DITO', tps: 100, windowSize: 10, answerMs: 150 },
];
export const BINDS = 3;
export const PACE = SUPPLIERS.reduce((sum, { tps }) => sum + tps, 0);
/** The one that is down for a while. */
export const FAILING = 'smart-b';
/** The second route of a carrier: the largest account of another. */
export const SECOND: Readonly<Record<MarketSupplier['carrier'], string>> = {
  Globe: 'dito-a',
  Smart: 'globe-a',
  DITO: 'smart-a',
};
export const PASSWORD = 'marketpw';
/** Of the submits, answered with ESME_RTHROTTLED. */
export const THROTTLED = { status: 0x58, rate: 0.01 };
/** Most receipts come during the load, the last after an hour. */
export const RECEIPT_DELAY = { fromMs: 1_000, toMs: 30_000, tailShare: 0.1, tailMs: 3_600_000 };

export const CUSTOMERS = 100;
/** Of the volume, by the first customer. */
export const BIG_SHARE = 0.6;
/** Of the messages. */
export const SHARES = { campaigns: 0.7, notices: 0.2, codes: 0.1 };

const prefixOf = { Globe: '63917', Smart: '63918', DITO: '63991' } as const;
export const PREFIXES = Object.entries(prefixOf).map(([carrier, prefix]) => ({ prefix, carrier }));
const NUMBERS = 10_000_000;
/** Coprime to the count of numbers, so that each is taken once, and neighbours lie far apart. */
const STRIDE = 7_654_321;

/** Each carrier has the recipients that its suppliers' paces have room for. */
const carrierAt = (share: number): MarketSupplier['carrier'] => {
  let left = share * PACE;
  for (const { carrier, tps } of SUPPLIERS) {
    left -= tps;
    if (left < 0) return carrier;
  }
  return 'DITO';
};

/** The n-th phone; none comes twice. */
export const msisdnAt = (n: number): string => {
  // The golden ratio spreads any run of numbers evenly.
  const carrier = carrierAt((n * 0.618_033_988_75) % 1);
  return `${prefixOf[carrier]}${String((n * STRIDE) % NUMBERS).padStart(7, '0')}`;
};

/** Messages of the campaigns of each customer, the big one first. */
export const splitVolume = (total: number): number[] => {
  const small = Math.round((total * (1 - BIG_SHARE)) / (CUSTOMERS - 1));
  return [total - small * (CUSTOMERS - 1), ...new Array<number>(CUSTOMERS - 1).fill(small)];
};
