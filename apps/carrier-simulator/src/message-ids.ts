import { hexToDecimalId } from '@pahatid/smpp';
import type { IdFormat, ReceiptIdFormat } from './profiles.ts';
import { hashedChance } from './random.ts';

const TEN_DIGITS = 10_000_000_000;

/** Returns the id of a carrier's nth message, as in its submit_sm_resp. Ids of ten digits wrap, as on real carriers. */
export function makeMessageId(format: IdFormat, n: number, seed: number): string {
  const wrapped = n % TEN_DIGITS;
  switch (format) {
    case 'decimal10':
      return String(wrapped).padStart(10, '0');
    case 'decimal':
      return String(n);
    case 'hex':
      return wrapped.toString(16);
    case 'hexUpper':
      return wrapped.toString(16).toUpperCase();
    case 'hex32':
      return makeUuid(n, seed).replaceAll('-', '').toUpperCase();
    case 'uuid':
      return makeUuid(n, seed);
  }
}

/** The same id as the receipt writes it. One of 128 bits is always written as it is. */
export function receiptId(id: string, idFormat: IdFormat, written: ReceiptIdFormat): string {
  if (written === 'same' || idFormat === 'uuid' || idFormat === 'hex32') return id;
  const isHex = idFormat === 'hex' || idFormat === 'hexUpper';
  const decimal = isHex ? (hexToDecimalId(id) ?? id) : String(Number(id));
  switch (written) {
    case 'decimal':
      return decimal;
    case 'decimal10':
      return decimal.padStart(10, '0');
    case 'hex':
      return Number(decimal).toString(16);
  }
}

/** Version 8 (vendor-defined): contains the count, so it is unique, and the seed, so that it repeats in a test. */
function makeUuid(n: number, seed: number): string {
  const count = n.toString(16).padStart(14, '0').slice(-14);
  const noise = Math.floor(hashedChance(seed, count, 0) * 0x1000000)
    .toString(16)
    .padStart(6, '0');
  const more = Math.floor(hashedChance(seed, count, 1) * 0x1000000)
    .toString(16)
    .padStart(6, '0');
  return `${noise}${count.slice(0, 2)}-${count.slice(2, 6)}-8${count.slice(6, 9)}-a${count.slice(9, 12)}-${count.slice(12)}${more}0000`;
}
