import type { Waiting } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Count } from '../../ui/data/text.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { useWaitingWords, waitingKey, waitingLooks } from './waiting-words.tsx';

/** What cannot go on without the reader. */
export function WaitingPanel({ waiting }: { waiting: readonly Waiting[] }) {
  const t = useText();
  const words = useWaitingWords();
  return (
    <Panel
      title={t('overview.waiting')}
      aside={
        waiting.length > 0 && (
          <span className="tag is-mango">
            <Count value={waiting.length} />
          </span>
        )
      }
    >
      {waiting.length === 0 ? (
        <p className="small ink-2">{t('overview.waiting.none')}</p>
      ) : (
        <ul className="overview-waiting">
          {waiting.map((item) => {
            const { icon, tone } = waitingLooks[item.kind];
            const { title, note, link } = words(item);
            return (
              <li key={waitingKey(item)}>
                <span className={`overview-mark is-${tone}`}>
                  <Icon of={icon} />
                </span>
                <div className="grow">
                  <p className="overview-waiting-title">{title}</p>
                  {note && <p className="tiny ink-2 overview-waiting-note">{note}</p>}
                </div>
                {link && (
                  <Link className="overview-waiting-link" to={link.to} {...link.place} aria-label={link.name}>
                    {link.word}
                  </Link>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
