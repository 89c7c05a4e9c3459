/**
 * Why a bind is down, from the sender's note: an SMPP command status (SMPP 3.4 §5.1.3) or the network's own code. Null
 * if it is neither; then the note itself is shown.
 */
const reasons = [
  ['password', /RINVPASWD|0x0*E\b/i],
  ['systemId', /RINVSYSID|0x0*F\b/i],
  ['alreadyBound', /RALYBND|0x0*5\b/i],
  ['bindRefused', /RBINDFAIL|0x0*D\b/i],
  ['throttled', /RTHROTTLED|0x0*58\b/i],
  ['tls', /\bSSL|\bTLS|certificate|ERR_TLS/i],
  ['notListening', /ECONNREFUSED/],
  ['unknownHost', /ENOTFOUND|EAI_AGAIN/],
  ['unreachable', /EHOSTUNREACH|ENETUNREACH/],
  ['timeout', /ETIMEDOUT|timed? ?-?out/i],
  ['broken', /ECONNRESET|EPIPE|closed|ended/i],
] as const;

export type BindErrorReason = (typeof reasons)[number][0];

export const readBindError = (lastError: string): BindErrorReason | null =>
  reasons.find(([, pattern]) => pattern.test(lastError))?.[0] ?? null;
