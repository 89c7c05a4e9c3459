import type { Waiting } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Count } from '../../ui/data/text.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { useWaitingContent, waitingKey, waitingLooks } from './waiting-content.tsx';

/** As many as fit next to the chart; more on demand. */
const shownFirst = 3;

/** What cannot go on without the reader. */
export function WaitingPanel({ waiting }: { waiting: readonly Waiting[] }) {
  const t = useText();
  const [all, setAll] = useState(false);
  // One more is sooner shown than announced.
  const folds = waiting.length > shownFirst + 1;
  const shown = folds && !all ? waiting.slice(0, shownFirst) : waiting;
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
          {shown.map((item) => (
            <WaitingRow key={waitingKey(item)} item={item} />
          ))}
        </ul>
      )}
      {folds && (
        <Button size="small" variant="quiet" block aria-expanded={all} onClick={() => setAll(!all)}>
          {t(all ? 'overview.waiting.fewer' : 'overview.waiting.more', { count: waiting.length - shownFirst })}
        </Button>
      )}
    </Panel>
  );
}

function WaitingRow({ item }: { item: Waiting }) {
  const { icon, tone } = waitingLooks[item.kind];
  const { title, note, link } = useWaitingContent()(item);
  return (
    <li>
      <span className={`overview-mark is-${tone}`}>
        <Icon of={icon} />
      </span>
      <div className="grow">
        <p className="overview-waiting-title">{title}</p>
        {note && (
          <p className="tiny ink-2 overview-waiting-note" dir="auto">
            {note}
          </p>
        )}
      </div>
      {link && (
        <Link className="overview-waiting-link" to={link.to} search={link.search} aria-label={link.name}>
          {link.verb}
        </Link>
      )}
    </li>
  );
}
