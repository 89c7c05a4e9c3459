/**
 * Draws the picture with its holes and the piece that fits one of them. Takes some 100 ms: run it in the drawing
 * thread.
 */
import { randomInt } from 'node:crypto';
import { encodePng } from './png.ts';
import { boxDistance, makeNoise, makeScene, palettes, type Rgb, type Theme } from './scene.ts';

/** In units; pictures have two pixels a unit. */
export const pictureWidth = 360;
export const pictureHeight = 132;
export const pieceSize = 60;
/** How far the piece can go. */
export const travel = pictureWidth - pieceSize;

const scale = 2;
const half = 21.5;
const corner = 7;
const knob = 6.8;
/** The piece begins at the start, and a hole there would be no puzzle. */
const nearest = pieceSize + 8;
const colourStep = 6;
const grainStep = 6;

export interface Puzzle {
  readonly background: Buffer;
  readonly piece: Buffer;
  /** Where the piece fits, from the start; the solution. */
  readonly position: number;
  readonly top: number;
}

interface Hole {
  readonly x: number;
  readonly y: number;
  readonly inside: Shape;
}
/** Signed distance from the edge, from the middle of the piece; below 0 is inside. */
type Shape = (x: number, y: number) => number;

const sides = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** A pane with a knob on one side and a bite out of another: twelve shapes. */
function makeShape(form: number): Shape {
  const out = sides[form % 4]!;
  const into = sides[(form + 1 + (Math.floor(form / 4) % 3)) % 4]!;
  const reach = half + 1;
  return (x, y) => {
    const box = boxDistance(x, y, half, corner);
    const bump = round(x - out[0] * reach, y - out[1] * reach);
    const bite = round(x - into[0] * reach, y - into[1] * reach);
    return Math.max(Math.min(box, bump), -bite);
  };
}

const round = (x: number, y: number): number => Math.sqrt(x * x + y * y) - knob;

const isApart = (a: Pick<Hole, 'x' | 'y'>, b: Pick<Hole, 'x' | 'y'>): boolean =>
  Math.abs(a.x - b.x) >= pieceSize - 2 || Math.abs(a.y - b.y) >= pieceSize - 2;

/** Places the correct hole, one of another shape next to it, and others where there is room. */
function placeHoles(): readonly [Hole, ...Hole[]] {
  const form = randomInt(12);
  const place = (): { x: number; y: number } => ({
    x: randomInt(nearest, travel + 1),
    y: randomInt(0, pictureHeight - pieceSize + 1),
  });
  const meant = { ...place(), inside: makeShape(form) };
  const holes: [Hole, ...Hole[]] = [meant];
  for (let attempt = 0; attempt < 40 && holes.length < 4; attempt++) {
    const { x, y } = place();
    // The first decoy is at the same height: height alone reveals nothing.
    const spot = { x, y: holes.length === 1 ? meant.y : y };
    if (!holes.every((hole) => isApart(hole, spot))) continue;
    holes.push({ ...spot, inside: makeShape((form + 1 + randomInt(11)) % 12) });
  }
  return holes;
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

/** Moves a colour towards another by a share. */
function blend(colour: Float64Array, to: Rgb, share: number): void {
  for (let of = 0; of < 3; of++) colour[of] = colour[of]! + (to[of]! - colour[of]!) * share;
}

export async function drawPuzzle(theme: Theme): Promise<Puzzle> {
  const palette = palettes[theme];
  const scene = makeScene(theme, randomInt(2 ** 32));
  const holes = placeHoles().map((hole) => ({
    ...hole,
    depth: (theme === 'light' ? 0.5 : 0.36) + randomInt(14) / 100,
  }));
  const meant = holes[0]!;

  const background = await paint(pictureWidth, pictureHeight, 3, (x, y, colour) => {
    scene(x, y, colour);
    for (const { x: left, y: top, inside, depth } of holes) {
      const dx = x - left - pieceSize / 2;
      const dy = y - top - pieceSize / 2;
      if (dx < -pieceSize / 2 || dx > pieceSize / 2 || dy < -pieceSize / 2 || dy > pieceSize / 2) continue;
      const far = inside(dx, dy);
      blend(colour, palette.hole, clamp(0.5 - far) * depth);
      blend(colour, palette.edge, clamp(1.1 - Math.abs(far)) * 0.75);
    }
    return 1;
  });
  // Paler or darker than its original place, by a different amount each time.
  const tone = 0.94 + randomInt(12) / 100;
  const piece = await paint(pieceSize, pieceSize, 4, (x, y, colour) => {
    const far = meant.inside(x - pieceSize / 2, y - pieceSize / 2);
    scene(x + meant.x, y + meant.y, colour);
    for (let of = 0; of < 3; of++) colour[of] = colour[of]! * tone;
    blend(colour, palette.rim, clamp(1.4 - Math.abs(far + 0.6)) * 0.9);
    return clamp(0.5 - far);
  });
  return { background, piece, position: meant.x, top: meant.y };
}

/** Grain is one unit large and has few steps, so that it adds little to the file. */
function paint(
  width: number,
  height: number,
  channels: 3 | 4,
  paintPoint: (x: number, y: number, colour: Float64Array) => number,
): Promise<Buffer> {
  const random = makeNoise(randomInt(2 ** 32));
  const pixels = new Uint8ClampedArray(width * scale * height * scale * channels);
  const grain = new Int8Array(width);
  const colour = new Float64Array(3);
  let at = 0;
  for (let line = 0; line < height * scale; line++) {
    if (line % scale === 0) for (let n = 0; n < width; n++) grain[n] = Math.floor(random() * 3 - 1) * grainStep;
    for (let n = 0; n < width * scale; n++) {
      const alpha = paintPoint((n + 0.5) / scale, (line + 0.5) / scale, colour);
      const lighter = grain[n >> 1]!;
      for (let of = 0; of < 3; of++) pixels[at++] = Math.round(colour[of]! / colourStep) * colourStep + lighter;
      if (channels === 4) pixels[at++] = alpha * 255;
    }
  }
  return encodePng(width * scale, height * scale, pixels);
}
