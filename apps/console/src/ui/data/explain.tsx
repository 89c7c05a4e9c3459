import { useText } from '../../lib/i18n/use-text.tsx';
import { Popover } from '../layers/popover.tsx';
import './explain.css';

/** A term, followed by a question mark that opens its explanation. */
export function Explained({ term, text }: { term: string; text: string }) {
  const t = useText();
  const label = t('overview.act.name', { word: t('shell.help'), name: term });
  return (
    <>
      {term}
      <Popover label={label} button={{ variant: 'quiet', className: 'explain', label: '?', 'aria-label': label }}>
        {() => <p className="explain-text">{text}</p>}
      </Popover>
    </>
  );
}
