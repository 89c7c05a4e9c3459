import type { ReactNode } from 'react';

/**
 * The pane in its states, 14 px: a shape for every state, so that the state never depends on colour alone. `line`
 * nothing yet, `dashed` a draft, `tick` passed, `clock` planned, `low` started, `half` in progress, `done` reached,
 * `bar` cancelled, `failed` broken, `stopped` ended by a user, `dots` waiting, `cross` refused.
 */
export type GlyphName =
  | 'line'
  | 'dashed'
  | 'tick'
  | 'clock'
  | 'low'
  | 'half'
  | 'done'
  | 'bar'
  | 'failed'
  | 'stopped'
  | 'dots'
  | 'cross';

const stroke = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;
const cutOut = { ...stroke, stroke: 'var(--surface)', strokeWidth: 1.6 } as const;

const frame = <rect x="1.25" y="1.25" width="11.5" height="11.5" rx="3.25" {...stroke} />;
const solid = <rect x=".5" y=".5" width="13" height="13" rx="4" fill="currentColor" />;

const shapes: Record<GlyphName, ReactNode> = {
  line: (
    <>
      {frame}
      <path d="M4 7h6" {...stroke} strokeDasharray="1 2" />
    </>
  ),
  dashed: <rect x="1.25" y="1.25" width="11.5" height="11.5" rx="3.25" {...stroke} strokeDasharray="2.6 2.2" />,
  tick: (
    <>
      {frame}
      <path d="m4.5 7.2 1.8 1.7 3.2-3.6" {...stroke} />
    </>
  ),
  clock: (
    <>
      {frame}
      <path d="M7 4.3V7l1.9 1.3" {...stroke} />
    </>
  ),
  low: (
    <>
      {frame}
      <path d="M3.2 8.8h7.6v.7a1.5 1.5 0 0 1-1.5 1.5H4.7a1.5 1.5 0 0 1-1.5-1.5z" fill="currentColor" />
    </>
  ),
  half: (
    <>
      {frame}
      <rect x="3.2" y="3.2" width="5" height="7.6" rx="1.5" fill="currentColor" />
    </>
  ),
  done: (
    <>
      {solid}
      <path d="m4.3 7.2 2 1.9 3.5-4" {...cutOut} />
    </>
  ),
  bar: (
    <>
      {frame}
      <path d="M4.6 7h4.8" {...stroke} />
    </>
  ),
  failed: (
    <>
      {solid}
      <path d="m5 5 4 4m0-4-4 4" {...cutOut} />
    </>
  ),
  stopped: (
    <>
      {solid}
      <rect x="4.7" y="4.7" width="4.6" height="4.6" rx="1" fill="var(--surface)" />
    </>
  ),
  dots: (
    <>
      {frame}
      <g fill="currentColor">
        <circle cx="4.6" cy="7" r=".9" />
        <circle cx="7" cy="7" r=".9" />
        <circle cx="9.4" cy="7" r=".9" />
      </g>
    </>
  ),
  cross: (
    <>
      {frame}
      <path d="m5 5 4 4m0-4-4 4" {...stroke} />
    </>
  ),
};

/** A state's shape, in the colour of the text around it. */
export function Glyph({ name }: { name: GlyphName }) {
  return (
    <svg className="glyph" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
      {shapes[name]}
    </svg>
  );
}
