import type { TextareaHTMLAttributes } from 'react';
import { directionOfText } from '../../lib/i18n/text-direction.ts';
import { TextArea } from '../form/inputs.tsx';
import './marked-text.css';

/** A place in a text, UTF-16 offsets. */
export interface TextMark {
  from: number;
  to: number;
  tone: 'danger' | 'warning';
}

interface Piece {
  from: number;
  text: string;
  tone: TextMark['tone'] | null;
}

/** Splits a text at its marks; where several overlap, the danger is shown. */
export function cutAtMarks(text: string, marks: readonly TextMark[]): Piece[] {
  const cuts = [...new Set([0, text.length, ...marks.flatMap((mark) => [mark.from, mark.to])])]
    .filter((cut) => cut >= 0 && cut <= text.length)
    .sort((a, b) => a - b);
  return cuts.slice(0, -1).map((from, index) => {
    const over = marks.filter((mark) => mark.from <= from && mark.to > from);
    const tone = over.some((mark) => mark.tone === 'danger') ? 'danger' : over.length > 0 ? 'warning' : null;
    return { from, text: text.slice(from, cuts[index + 1]), tone };
  });
}

function Pieces({ text, marks }: { text: string; marks: readonly TextMark[] }) {
  return cutAtMarks(text, marks).map(({ from, text: piece, tone }) =>
    tone ? (
      <mark key={from} className={`is-${tone}`}>
        {piece}
      </mark>
    ) : (
      <span key={from}>{piece}</span>
    ),
  );
}

/** A text with places marked, to be read. */
export function MarkedText({ text, marks }: { text: string; marks: readonly TextMark[] }) {
  return (
    <p className="marked-text" dir="auto">
      <Pieces text={text} marks={marks} />
    </p>
  );
}

type MarkedTextAreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange'> & {
  value: string;
  onChange: (value: string) => void;
  marks: readonly TextMark[];
};

/** A text area that grows with its text, with places marked while one types: the marks lie under the letters. */
export function MarkedTextArea({ marks, value, ...rest }: MarkedTextAreaProps) {
  const dir = directionOfText(value);
  return (
    <div className="marked-area">
      <div className="marks" aria-hidden="true" dir={dir}>
        <Pieces text={value} marks={marks} />
        {'\u200B'}
      </div>
      <TextArea {...rest} value={value} dir={dir} spellCheck={false} />
    </div>
  );
}
