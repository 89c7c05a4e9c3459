import { useText } from '../../lib/i18n/use-text.tsx';

const keys = [
  { press: ['J', 'K'], does: 'move' },
  { press: ['Enter'], does: 'open' },
  { press: ['A'], does: 'approve' },
  { press: ['R'], does: 'reject' },
  { press: ['Esc'], does: 'close' },
] as const;

/** What the keyboard does here. */
export function ReviewKeys() {
  const t = useText();
  return (
    <ul className="review-keys" aria-label={t('review.keys')}>
      {keys.map(({ press, does }) => (
        <li key={does}>
          {press.map((key) => (
            <kbd key={key} dir="ltr">
              {key}
            </kbd>
          ))}
          {t(`review.keys.${does}`)}
        </li>
      ))}
    </ul>
  );
}
