/**
 * An application's two secrets. The HTTP one is 256 random bits, so a plain SHA-256 suffices to store it; the SMPP
 * password has the protocol's 8 characters (SMPP 3.4 §5.2.2), 47 bits, so it is stored as a hash under the master key
 * and also needs the allowed addresses and the limit on failed binds.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** No letter or digit that can be taken for another: people read these aloud. */
const readable = 'abcdefghjkmnpqrstuvwxyz23456789';

const pick = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Also the SMPP system_id, at most 15 characters (SMPP 3.4 §5.2.1). */
export const makeAppId = (): string => `app${pick(readable, 10)}`;
export const makeAppSecret = (): string => randomBytes(32).toString('base64url');
export const makeSmppPassword = (): string => pick(base62, 8);

export const hashAppSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
/** Returns the part of a secret that is shown afterwards, so that a user can distinguish two. */
export const toHint = (secret: string): string => secret.slice(-4);

/** After a rotation both secrets work so long. */
export const rotationOverlapMs = 24 * 3_600_000;
