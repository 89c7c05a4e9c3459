import type { Alert } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Count, DateTime } from '../../ui/data/text.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { alertIcons, alertKey, useAlertContent } from './alert-content.tsx';

interface AlertsPanelProps {
  alerts: readonly Alert[];
  /** When they were looked for. */
  time: string;
  /** The last look failed: these are the ones of before. */
  isStale: boolean;
}

/** Problems to fix: what happened, since when, and a link to the screen that fixes it. */
export function AlertsPanel({ alerts, time, isStale }: AlertsPanelProps) {
  const t = useText();
  const checked = (
    <span className="tiny ink-3">
      {t.rich(isStale ? 'overview.alerts.stale' : 'overview.alerts.checked', {
        time: <DateTime value={time} style="time" />,
      })}
    </span>
  );
  if (alerts.length === 0)
    return (
      <p className="overview-fine">
        <Icon of={CircleCheck} />
        {t('overview.alerts.none')} {checked}
      </p>
    );
  return (
    <Panel
      title={t('overview.alerts')}
      aside={
        <span className="row">
          {checked}
          <span className="tag is-mango">
            <Count value={alerts.length} />
          </span>
        </span>
      }
    >
      <ul className="overview-waiting" aria-live="polite">
        {alerts.map((alert) => (
          <AlertRow key={alertKey(alert)} alert={alert} />
        ))}
      </ul>
    </Panel>
  );
}

function AlertRow({ alert }: { alert: Alert }) {
  const { title, note, since, link } = useAlertContent()(alert);
  return (
    <li>
      <span className={`overview-mark is-${alert.severity}`}>
        <Icon of={alertIcons[alert.kind]} />
      </span>
      <div className="grow">
        <p className="overview-waiting-title">{title}</p>
        {note && <p className="tiny ink-2">{note}</p>}
        {since && <p className="tiny ink-3">{since}</p>}
      </div>
      {link && (
        <Link className="overview-waiting-link" to={link.to} search={link.search} aria-label={link.name}>
          {link.verb}
        </Link>
      )}
    </li>
  );
}
