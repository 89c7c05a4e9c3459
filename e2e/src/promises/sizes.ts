/** Two sizes of every promise's test: small in `npm test`, large in `npm run soak`. */
export const soaking = process.env['PAHATID_SOAK'] === '1';

export const size = (small: number, soak: number): number => (soaking ? soak : small);

/** How long a wait may take, in milliseconds: a soak has a hundred times the work. */
export const patience = (smallMs: number): number => (soaking ? smallMs * 60 : smallMs);
