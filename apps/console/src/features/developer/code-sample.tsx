import { useText } from '../../lib/i18n/use-text.tsx';
import { CopyButton } from '../../ui/data/text.tsx';
import './developer.css';

/** A program to be copied. `label` says what it does. */
export function CodeSample({ label, text }: { label: string; text: string }) {
  const t = useText();
  return (
    <figure className="developer-code" aria-label={label}>
      <span className="developer-copy">
        <CopyButton text={text} label={t('developer.sample.copy')} />
      </span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre dir="ltr" tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
