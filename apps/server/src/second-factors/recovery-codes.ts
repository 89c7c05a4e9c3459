/** Ten codes to write down, for the day on which the authenticator is lost. */
import { randomInt } from 'node:crypto';

const codeCount = 10;
/** Crockford's base32: no I, L, O, U. Ten characters are 50 bits; guesses are counted, and the hash is keyed. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeLength = 10;

const makeOne = (): string => {
  const characters = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${characters.slice(0, 5)}-${characters.slice(5)}`;
};

export const makeRecoveryCodes = (): string[] => {
  const codes = new Set<string>();
  while (codes.size < codeCount) codes.add(makeOne());
  return [...codes];
};

/** As it is hashed: however a person types it, with or without the dash, in small letters, O for 0. */
export const normalizeRecoveryCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
