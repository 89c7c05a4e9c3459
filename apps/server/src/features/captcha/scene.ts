/**
 * The content of the puzzle's picture: a window of shell panes, a little bent, pearly, with grain. Returned as the
 * colour of any point, so that the picture and the piece are drawn from the same window with different grain.
 */
export type Rgb = readonly [number, number, number];
export type Theme = 'light' | 'dark';

interface Palette {
  /** Between the panes. */
  readonly frame: Rgb;
  /** Empty, half lit, lit. */
  readonly panes: readonly [Rgb, Rgb, Rgb];
  readonly mango: Rgb;
  /** What holes are sunk in. */
  readonly hole: Rgb;
  readonly edge: Rgb;
  /** Around the piece. */
  readonly rim: Rgb;
}

const rgb = (hex: number): Rgb => [hex >> 16, (hex >> 8) & 255, hex & 255];

export const palettes: Readonly<Record<Theme, Palette>> = {
  light: {
    frame: rgb(0xfbfdfd),
    panes: [rgb(0xe9eff0), rgb(0xb4dce5), rgb(0x7fbfcd)],
    mango: rgb(0xf7c56a),
    hole: rgb(0x0e1f26),
    edge: rgb(0xffffff),
    rim: rgb(0x00667d),
  },
  dark: {
    frame: rgb(0x0a1216),
    panes: [rgb(0x18262c), rgb(0x1c5260), rgb(0x2b7f94)],
    mango: rgb(0xc99639),
    hole: rgb(0xe9f1f3),
    edge: rgb(0xa9bac0),
    rim: rgb(0xe9f1f3),
  },
};

/** Small and quick (mulberry32): of looks alone. What must not be guessed comes from `node:crypto`. */
export function makeNoise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Writes the colour of a point, given in units, into `out`. */
export type Scene = (x: number, y: number, out: Float64Array) => void;

/** Steps of brightness: fewer cost less in the file. */
const brightness = 12;

export function makeScene(theme: Theme, seed: number): Scene {
  const { frame, panes, mango } = palettes[theme];
  const random = makeNoise(seed);
  const size = 21 + random() * 7;
  const half = (size - 2.6) / 2;
  const radius = size * 0.17;
  const [fromX, fromY] = [size * (4 + random()), size * (4 + random())];
  const bend = { high: 1.5 + random() * 3, long: 30 + random() * 40, at: random() * 6.3 };
  const tilt = (random() - 0.5) * 0.16;
  const columns = 40;
  const cells = Array.from({ length: columns * columns }, () => {
    const draw = random();
    const base = draw < 0.05 ? mango : panes[draw < 0.5 ? 0 : draw < 0.8 ? 1 : 2];
    const lean = random() * 6.3;
    return { base, shade: 0.9 + random() * 0.16, leanX: Math.cos(lean) * 0.1, leanY: Math.sin(lean) * 0.1 };
  });

  return (x, y, out) => {
    const u = x + bend.high * Math.sin(y / bend.long + bend.at) + tilt * y + fromX;
    const v = y + bend.high * Math.sin(x / bend.long + bend.at * 2) - tilt * x + fromY + size * 2;
    const column = Math.floor(u / size);
    const line = Math.floor(v / size);
    const cell = cells[(line % columns) * columns + (column % columns)]!;
    const inX = u - (column + 0.5) * size;
    const inY = v - (line + 0.5) * size;
    const cover = Math.min(1, Math.max(0, 0.5 - boxDistance(inX, inY, half, radius)));
    // Shell: one side of each pane catches the light.
    const light = cell.shade + (inX * cell.leanX + inY * cell.leanY) / half;
    const step = Math.round(light * brightness) / brightness;
    for (let of = 0; of < 3; of++) out[of] = frame[of]! + (Math.min(255, cell.base[of]! * step) - frame[of]!) * cover;
  };
}

/** Signed distance to a square with round corners; below 0 is inside. */
export function boxDistance(x: number, y: number, half: number, radius: number): number {
  const dx = Math.abs(x) - half + radius;
  const dy = Math.abs(y) - half + radius;
  return dx > 0 && dy > 0 ? Math.sqrt(dx * dx + dy * dy) - radius : Math.max(dx, dy) - radius;
}
