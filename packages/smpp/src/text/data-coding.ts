/**
 * data_coding, SMPP 3.4 §5.2.19. Value 0 means "the SMSC's default alphabet", which every carrier interprets
 * differently, so each connection specifies it.
 */
import { decodeGsm7, encodeGsm7 } from './gsm7.ts';

/** What data_coding 0 is on one connection. */
export type DefaultAlphabet = 'gsm7' | 'latin1' | 'ascii';
export type Alphabet = DefaultAlphabet | 'ucs2' | 'octets';

export type DataCoding = {
  alphabet: Alphabet;
  /** 0 flash, 1 mobile, 2 SIM, 3 terminal (3GPP TS 23.038 §4); undefined where the coding carries none. */
  messageClass: 0 | 1 | 2 | 3 | undefined;
};

export const DATA_CODING = { default: 0x00, ia5: 0x01, latin1: 0x03, octets: 0x04, ucs2: 0x08 } as const;

/** How to read the octets of a message with this data_coding. */
export function readDataCoding(dataCoding: number, defaultAlphabet: DefaultAlphabet = 'gsm7'): DataCoding {
  if (dataCoding >= 0xf0) return classed(dataCoding, (dataCoding & 0x04) === 0 ? 'gsm7' : 'octets');
  // The general group of 3GPP TS 23.038 with a class: bits 3 and 2 identify the alphabet.
  if (dataCoding >= 0x10 && dataCoding <= 0x1f) {
    return classed(dataCoding, (['gsm7', 'octets', 'ucs2', 'octets'] as const)[(dataCoding >> 2) & 3]!);
  }
  switch (dataCoding) {
    case DATA_CODING.default:
      return { alphabet: defaultAlphabet, messageClass: undefined };
    case DATA_CODING.ia5:
      return { alphabet: 'ascii', messageClass: undefined };
    case DATA_CODING.latin1:
      return { alphabet: 'latin1', messageClass: undefined };
    case DATA_CODING.ucs2:
      return { alphabet: 'ucs2', messageClass: undefined };
    default:
      return { alphabet: 'octets', messageClass: undefined };
  }
}

/** Text of the octets, or undefined for an alphabet that is none. What cannot be read becomes U+FFFD; never throws. */
export function decodeText(octets: Buffer, alphabet: Alphabet): string | undefined {
  switch (alphabet) {
    case 'gsm7':
      return decodeGsm7(octets);
    case 'latin1':
      return octets.toString('latin1');
    case 'ascii':
      return octets.toString('latin1').replace(/\P{ASCII}/gu, '\ufffd');
    case 'ucs2':
      return decodeUcs2(octets);
    case 'octets':
      return undefined;
  }
}

/** Octets of the text; a character the alphabet lacks becomes a question mark. */
export function encodeText(text: string, alphabet: Exclude<Alphabet, 'octets'>): Buffer {
  switch (alphabet) {
    case 'gsm7':
      return encodeGsm7(text);
    case 'latin1':
      return Buffer.from(Array.from(text, (character) => (character > '\u00ff' ? '?' : character)).join(''), 'latin1');
    case 'ascii':
      return Buffer.from(text.replace(/\P{ASCII}/gu, '?'), 'latin1');
    case 'ucs2':
      return Buffer.from(text, 'utf16le').swap16();
  }
}

function classed(dataCoding: number, alphabet: Alphabet): DataCoding {
  return { alphabet, messageClass: (dataCoding & 3) as 0 | 1 | 2 | 3 };
}

/** UTF-16BE; a last half of a unit becomes U+FFFD. */
function decodeUcs2(octets: Buffer): string {
  const even = octets.length & ~1;
  const text = Buffer.from(octets.subarray(0, even)).swap16().toString('utf16le');
  return even === octets.length ? text : `${text}\ufffd`;
}
