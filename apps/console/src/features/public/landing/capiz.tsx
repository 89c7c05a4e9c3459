import { Fragment } from 'react';

/**
 * A window of small shell panes, as old Philippine houses have them. Each row is a phone, each trail a message in
 * transit: it ends answered, undelivered, or still moving.
 */
export interface Trail {
  column: number;
  row: number;
  length: number;
  end: 'answered' | 'moving' | 'failed';
}

const columns = 16;
const landingRows = 13;
const cell = 52;
const pitch = 58;
const radius = cell * 0.17;

const landingTrails: readonly Trail[] = [
  { column: 4, row: 3, length: 5, end: 'moving' },
  { column: 2, row: 4, length: 3, end: 'failed' },
  { column: 5, row: 5, length: 7, end: 'answered' },
  { column: 3, row: 6, length: 4, end: 'answered' },
  { column: 12, row: 3, length: 2, end: 'answered' },
  { column: 13, row: 6, length: 3, end: 'answered' },
  { column: 12, row: 8, length: 2, end: 'answered' },
  { column: 5, row: 10, length: 6, end: 'answered' },
];

const sheens = [
  { from: [0, 0], to: [1, 1], colours: ['a', 'b'] },
  { from: [1, 0], to: [0, 1], colours: ['c', 'a'] },
  { from: [0, 1], to: [1, 0], colours: ['a', 'd'] },
  { from: [1, 1], to: [0, 0], colours: ['b', 'a'] },
] as const;

/** The same window at every visit: a small seeded generator instead of chance. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (state >>> 0) / 4_294_967_296;
  };
}

interface Pane {
  place: string;
  x: number;
  y: number;
  sheen: number;
  opacity: number;
  trail: Trail | undefined;
  /** How many panes behind the head of its trail. */
  behind: number;
}

function makePanes(rows: number, trails: readonly Trail[]): Pane[] {
  const random = makeRandom(11);
  const panes: Pane[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const trail = trails.find((one) => one.row === row && column <= one.column && column > one.column - one.length);
      panes.push({
        place: `${column} ${row}`,
        x: column * pitch,
        y: row * pitch,
        sheen: 1 + Math.floor(random() * sheens.length),
        opacity: 0.45 + random() * 0.55,
        trail,
        behind: trail ? trail.column - column : 0,
      });
    }
  }
  return panes;
}

const round = (value: number) => Number(value.toFixed(2));

function ShellPane({ x, y, sheen, opacity }: Pane) {
  return (
    <>
      <rect x={x} y={y} width={cell} height={cell} rx={radius} fill={`url(#capiz-${sheen})`} opacity={round(opacity)} />
      <rect
        x={x + 0.5}
        y={y + 0.5}
        width={cell - 1}
        height={cell - 1}
        rx={radius}
        fill="none"
        stroke="var(--shell-line)"
      />
    </>
  );
}

function TrailPane({ x, y, trail, behind }: Pane & { trail: Trail }) {
  const head = behind === 0;
  const failed = head && trail.end === 'failed';
  const opacity = head ? 1 : Math.max(0.05, 0.62 * (1 - behind / trail.length) ** 1.5);
  const fill = failed ? 'var(--surface)' : head && trail.end === 'moving' ? 'var(--mango)' : 'var(--primary)';
  const middle = { x: x + cell / 2, y: y + cell / 2 };
  return (
    <>
      <rect
        className={head && trail.end === 'moving' ? 'capiz-moving' : undefined}
        x={x}
        y={y}
        width={cell}
        height={cell}
        rx={radius}
        fill={fill}
        fillOpacity={round(opacity)}
        stroke={failed ? 'var(--danger-fill)' : undefined}
        strokeWidth={failed ? 2 : undefined}
      />
      {head && trail.end === 'answered' && (
        <path className="capiz-tick" d={`M${middle.x - 8} ${middle.y + 1}l6 6 11-13`} />
      )}
      {failed && <path className="capiz-cross" d={`M${middle.x - 6} ${middle.y - 6}l12 12m0-12l-12 12`} />}
    </>
  );
}

interface CapizProps {
  rows?: number;
  trails?: readonly Trail[];
}

export function Capiz({ rows = landingRows, trails = landingTrails }: CapizProps) {
  const panes = makePanes(rows, trails);
  const width = columns * pitch - (pitch - cell);
  const height = rows * pitch - (pitch - cell);
  return (
    <svg className="capiz" viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      <defs>
        {sheens.map(({ from, to, colours }, index) => (
          <linearGradient
            key={colours.join()}
            id={`capiz-${index + 1}`}
            x1={from[0]}
            y1={from[1]}
            x2={to[0]}
            y2={to[1]}
          >
            <stop offset="0" stopColor={`var(--shell-${colours[0]})`} />
            <stop offset="1" stopColor={`var(--shell-${colours[1]})`} />
          </linearGradient>
        ))}
      </defs>
      {panes.map((pane) => (
        <Fragment key={pane.place}>
          {pane.trail ? <TrailPane {...pane} trail={pane.trail} /> : <ShellPane {...pane} />}
        </Fragment>
      ))}
    </svg>
  );
}
