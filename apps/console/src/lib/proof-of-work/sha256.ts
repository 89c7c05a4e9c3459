/**
 * SHA-256 (FIPS 180-4) of short texts, for the proof of work: the browser's own returns promises, which for each of a
 * hundred thousand texts costs more than the hash. Texts of one block only: at most 55 bytes, ASCII.
 */
const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
/** The first 32 bits behind the point of a root. */
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;
const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const initial = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const words = new Int32Array(64);

/** The first 32 bits of the hash. */
export function sha256Head(text: string): number {
  const { length } = text;
  if (length > 55) throw new RangeError('one block only');
  words.fill(0, 0, 16);
  for (let n = 0; n < length; n++) words[n >> 2]! |= text.charCodeAt(n) << (24 - (n & 3) * 8);
  words[length >> 2]! |= 0x80 << (24 - (length & 3) * 8);
  words[15] = length * 8;
  for (let n = 16; n < 64; n++) {
    const x = words[n - 15]!;
    const y = words[n - 2]!;
    const small = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const large = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[n] = (words[n - 16]! + small + words[n - 7]! + large) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = initial;
  for (let n = 0; n < 64; n++) {
    const ofE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + ofE + ((e & f) ^ (~e & g)) + constants[n]! + words[n]!) | 0;
    const ofA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (ofA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  return (initial[0]! + a) >>> 0;
}
