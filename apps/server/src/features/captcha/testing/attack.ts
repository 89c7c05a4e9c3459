/**
 * What an attacker would write in an afternoon, without libraries: the work, the slider and the question by program. It
 * uses what this repository discloses about the puzzles, and none of their solutions.
 */
import { inflateSync } from 'node:zlib';
import type { CaptchaQuestion } from '@pahatid/contract';

const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;
const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const initial = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

/** Digits of the counter at the end of the block; written in place, so that hashing allocates no strings. */
const digits = 10;

/** Searches `count` numbers for one whose SHA-256, after `prefix`, begins with so many zero bits; -1: none. */
export function search(prefix: string, bits: number, from: number, count: number): number {
  const w = new Int32Array(64);
  const length = prefix.length + digits;
  const bytes = new Uint8Array(64);
  bytes.set(Buffer.from(prefix, 'latin1'));
  bytes[length] = 0x80;
  const view = new DataView(bytes.buffer);
  for (let n = from; n < from + count; n++) {
    for (let at = length - 1, rest = n; at >= prefix.length; at--, rest = (rest / 10) | 0) bytes[at] = 48 + (rest % 10);
    for (let i = 0; i < 15; i++) w[i] = view.getInt32(i * 4);
    w[15] = length * 8;
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15]!;
      const y = w[i - 2]!;
      const small = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const large = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = (w[i - 16]! + small + w[i - 7]! + large) | 0;
    }
    let [a, b, c, d] = [initial[0]!, initial[1]!, initial[2]!, initial[3]!];
    let [e, f, g, h] = [initial[4]!, initial[5]!, initial[6]!, initial[7]!];
    for (let i = 0; i < 64; i++) {
      const ofE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const one = (h + ofE + ((e & f) ^ (~e & g)) + constants[i]! + w[i]!) | 0;
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
    if (Math.clz32(initial[0]! + a) >= bits) return n;
  }
  return -1;
}

interface Picture {
  readonly width: number;
  readonly channels: number;
  readonly pixels: Uint8Array;
}

/** A PNG as the server writes them: one chunk of data, each line as its difference to the one above. */
function decode(png: Buffer): Picture {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 2 ? 3 : 4;
  const lines = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  const stride = width * channels;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < stride; x++)
      pixels[y * stride + x] = lines[y * (stride + 1) + 1 + x]! + (y === 0 ? 0 : pixels[(y - 1) * stride + x]!);
  return { width, channels, pixels };
}

/** Returns where the piece fits: where the outline of its shape is bright and its inside dark. Units of the slider. */
export function solveSlider(background: Buffer, piece: Buffer, top: number, travel: number): number {
  const whole = decode(background);
  const part = decode(piece);
  const size = part.width;
  const alphaAt = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= size || y >= size ? 0 : part.pixels[(y * size + x) * 4 + 3]!;
  const edge: number[] = [];
  const inside: number[] = [];
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const around = [alphaAt(x - 2, y), alphaAt(x + 2, y), alphaAt(x, y - 2), alphaAt(x, y + 2)];
      const at = (y * whole.width + x) * whole.channels + 1;
      if (alphaAt(x, y) > 128 && around.every((alpha) => alpha > 128)) inside.push(at);
      else if (alphaAt(x, y) > 128 || around.some((alpha) => alpha > 128)) edge.push(at);
    }
  let [best, bestScore] = [0, Number.NEGATIVE_INFINITY];
  for (let position = size / 2; position <= travel; position++) {
    const from = (top * 2 * whole.width + position * 2) * whole.channels;
    let [bright, dark] = [0, 0];
    for (const at of edge) bright += whole.pixels[from + at]!;
    for (const at of inside) dark += whole.pixels[from + at]!;
    const score = bright / edge.length - dark / inside.length;
    if (score > bestScore) [best, bestScore] = [position, score];
  }
  return best;
}

export const solveQuestion = (question: CaptchaQuestion): number =>
  question.ask === 'place'
    ? question.words.indexOf(question.word) + 1
    : question.numbers[0]! + (question.ask === 'sum' ? 1 : -1) * question.numbers[1]!;
