/**
 * Codes of an authenticator app (TOTP, RFC 6238): SHA-1, 6 digits, 30 seconds, which every app understands. A code of the
 * step before or after is taken as well, for clocks that differ; each step once (`takeTotpCounter`).
 */
import { Secret, TOTP } from 'otpauth';

const periodS = 30;
const seedBytes = 20;
const window = 1;

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer: 'Pahatid',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: periodS,
    secret: Secret.fromBase32(secret),
  });

/** 160 random bits in base32, as RFC 4226 section 4 recommends. */
export const makeTotpSecret = (): string => new Secret({ size: seedBytes }).base32;

/** What the QR code holds. */
export const totpUri = (secret: string, account: string): string => totpOf(secret, account).toString();

/** Returns the time step of a code; null if it matches none near the current time. Spaces in it are allowed. */
export function findTotpCounter(secret: string, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token, timestamp, window });
  return delta === null ? null : TOTP.counter({ period: periodS, timestamp }) + delta;
}
