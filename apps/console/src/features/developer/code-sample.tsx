import { useText } from '../../lib/i18n/use-text.tsx';
import { CopyButton } from '../../ui/data/text.tsx';
import './developer.css';

interface CodeSampleProps {
  /** Label of the action. */
  label: string;
  /** Programming language. */
  language: string;
  text: string;
}

/** A program to be copied. */
export function CodeSample({ label, language, text }: CodeSampleProps) {
  const t = useText();
  return (
    <figure className="developer-code" dir="ltr" aria-label={label}>
      <div className="developer-code-head">
        <span>{language}</span>
        <CopyButton text={text} label={t('developer.sample.copy')} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
