/** Two sizes of every promise's test: small in `npm test`, large in `npm run soak`. */
export const soaking = process.env['PAHATID_SOAK'] === '1';

export const size = (small: number, soak: number): number => (soaking ? soak : small);

/** How long a wait may take, in milliseconds: a soak has a hundred times the work, and any machine may be slow. */
export const patience = (usualMs: number): number => usualMs * (soaking ? 60 : 5);
