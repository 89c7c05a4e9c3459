import type { ReactNode } from 'react';
import { classNames } from '../base/class-names.ts';
import { Glyph, type GlyphName } from './glyphs.tsx';
import './status-tag.css';

export type Tone = 'neutral' | 'primary' | 'planned' | 'success' | 'warning' | 'danger';

/** The look of a state; the text comes from the caller's catalogue. */
export interface StatusLook {
  glyph: GlyphName;
  tone: Tone;
}

interface StatusTagProps extends StatusLook {
  /** The state as text. */
  children: ReactNode;
  /** On a soft ground, for the head of a drawer; without it for table cells. */
  pill?: boolean;
  /** A gentler or more detailed text on a second line: "ready to confirm", the carrier's code. */
  note?: ReactNode;
}

/** A state: shape, colour and text together. */
export function StatusTag({ glyph, tone, children, pill = false, note }: StatusTagProps) {
  const tag = (
    <span className={classNames('status', `tone-${tone}`, pill && 'is-pill')}>
      <Glyph name={glyph} />
      <span>{children}</span>
    </span>
  );
  if (!note) return tag;
  return (
    <span className="status-block">
      {tag}
      <span className="status-note">{note}</span>
    </span>
  );
}
