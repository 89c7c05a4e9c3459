import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { inflateSync } from 'node:zlib';
import { drawPuzzle, type Puzzle, pictureHeight, pictureWidth, pieceSize, travel } from './draw-puzzle.ts';
import { makeDrawingThread } from './drawing-thread.ts';
import { makePicturePool } from './picture-pool.ts';

/** Undoes what the encoder does, as any reader of PNG must: chunks, deflate, filter 2. */
function decode(png: Buffer): { width: number; height: number; channels: number; pixels: Uint8Array } {
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 2 ? 3 : 4;
  const length = png.readUInt32BE(33);
  assert.equal(png.subarray(37, 41).toString(), 'IDAT');
  const lines = inflateSync(png.subarray(41, 41 + length));
  const stride = width * channels;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < stride; x++)
      pixels[y * stride + x] = lines[y * (stride + 1) + 1 + x]! + (y === 0 ? 0 : pixels[(y - 1) * stride + x]!);
  return { width, height, channels, pixels };
}

test('the images are PNG at double size, and the hole is at the solved position', async () => {
  for (const theme of ['light', 'dark'] as const) {
    const { background, piece, position, top } = await drawPuzzle(theme);
    assert.ok(position >= pieceSize && position <= travel && top >= 0 && top <= pictureHeight - pieceSize);
    const [whole, part] = [decode(background), decode(piece)];
    assert.deepEqual([whole.width, whole.height, whole.channels], [pictureWidth * 2, pictureHeight * 2, 3]);
    assert.deepEqual([part.width, part.height, part.channels], [pieceSize * 2, pieceSize * 2, 4]);
    // The piece is opaque in its middle and clear in its corner; under its middle the picture is darker than the piece, in the dark look lighter.
    const middle = pieceSize * pieceSize * 2 + pieceSize;
    assert.equal(part.pixels[middle * 4 + 3], 255);
    assert.equal(part.pixels[3], 0);
    let [lightOfPiece, lightOfHole] = [0, 0];
    for (let dy = -20; dy < 20; dy++)
      for (let dx = -20; dx < 20; dx++) {
        lightOfPiece += part.pixels[((pieceSize + dy) * pieceSize * 2 + pieceSize + dx) * 4 + 1]!;
        const at = ((top * 2 + pieceSize + dy) * whole.width + position * 2 + pieceSize + dx) * 3 + 1;
        lightOfHole += whole.pixels[at]!;
      }
    const [less, more] = theme === 'light' ? [lightOfHole, lightOfPiece] : [lightOfPiece, lightOfHole];
    assert.ok(less < more * 0.8, `${theme}: ${lightOfHole} against ${lightOfPiece}`);
  }
});

test('S15 the grain of the piece is not that of its place: no light and shade makes the one the other', async () => {
  const { background, piece, position, top } = await drawPuzzle('light');
  const [whole, part] = [decode(background), decode(piece)];
  const pairs: [number, number][] = [];
  for (let y = 36; y < 84; y++)
    for (let x = 36; x < 84; x++)
      pairs.push([
        whole.pixels[((top * 2 + y) * whole.width + position * 2 + x) * 3] ?? 0,
        part.pixels[(y * part.width + x) * 4] ?? 0,
      ]);
  const mean = (of: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[of], 0) / pairs.length;
  const [meanOfPlace, meanOfPiece] = [mean(0), mean(1)];
  const product = (a: 0 | 1, b: 0 | 1): number =>
    pairs.reduce(
      (sum, pair) =>
        sum + (pair[a] - (a === 0 ? meanOfPlace : meanOfPiece)) * (pair[b] - (b === 0 ? meanOfPlace : meanOfPiece)),
      0,
    ) / pairs.length;
  // What remains of the piece after the best linear fit through its place. Grain alone: 4.9 levels of 255.
  const left = Math.sqrt(product(1, 1) - product(0, 1) ** 2 / product(0, 0));
  assert.ok(left > 4, `${left} levels`);
});

test('S15 a picture is given out once, and a crowd waits in a line that has an end', async () => {
  let drawn = 0;
  const ending = new AbortController();
  const pool = makePicturePool(ending.signal, async () => ({
    background: Buffer.alloc(0),
    piece: Buffer.alloc(0),
    position: ++drawn,
    top: 0,
  }));
  const asked = await Promise.all(Array.from({ length: 130 }, () => pool.take('light', false)));
  const given = asked.filter((puzzle) => puzzle !== null);
  assert.equal(new Set(given.map(({ position }) => position)).size, given.length);
  assert.equal(asked.length - given.length, 30);
  ending.abort();
});

test('S71 a process gives out two pictures a second, and keeps some for known browsers', async () => {
  const picture = { background: Buffer.alloc(0), piece: Buffer.alloc(0), position: 100, top: 0 };
  let now = 0;
  const ending = new AbortController();
  const pool = makePicturePool(
    ending.signal,
    async () => picture,
    () => now,
  );
  const takeAll = async (isKnown: boolean): Promise<number> => {
    let count = 0;
    while ((await pool.take('light', isKnown)) !== null) count += 1;
    return count;
  };
  assert.equal(await takeAll(false), 100);
  assert.equal(await takeAll(true), 20);
  now += 30_000;
  assert.equal(await takeAll(false), 40);
  ending.abort();
});

test('S71 images are drawn while the event loop is blocked, sequentially, and after the thread has died', async () => {
  const thread = new Worker(new URL('./draw-worker.ts', import.meta.url), { execArgv: [] });
  const { port1, port2 } = new MessageChannel();
  thread.postMessage({ answerTo: port2, theme: 'light' }, [port2]);
  let drawn: unknown;
  // No turn of the loop until the picture is there.
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let n = 0; n < 3_000 && drawn === undefined; n += 1) {
    drawn = receiveMessageOnPort(port1)?.message;
    if (drawn === undefined) Atomics.wait(pause, 0, 0, 10);
  }
  port1.close();
  await thread.terminate();
  assert.ok((drawn as Puzzle | undefined)?.background.length);

  const ending = new AbortController();
  const draw = makeDrawingThread(ending.signal);
  const [light, dark] = await Promise.all([draw('light'), draw('dark')]);
  assert.ok(light.background.length > 1_000 && dark.piece.length > 100);
  await assert.rejects(draw('no such theme' as 'light'));
  assert.ok((await draw('light')).background.length > 1_000);
  const last = draw('light');
  ending.abort();
  await assert.rejects(last);
  await assert.rejects(draw('light'));
});
