import type { TaskBreakdown as Breakdown, TaskDetail } from '@pahatid/contract';
import { DealResult } from '@pahatid/domain';
import { useState } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { Bar } from '../../ui/data/pictures.tsx';
import { Count } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Section } from '../../ui/page/page.tsx';
import { drawerParams } from './drawer-view.ts';
import { isBreakdownDue } from './task-counts.ts';

/** It takes a look at every message of the task, so it is not read as often as the counts. */
const rereadMs = 15_000;
/** Reasons shown before expanding the rest. */
const firstReasons = 5;

/** The recipients' results, by carrier and by reason; a reason links to its recipients. */
export function TaskBreakdown({ task }: { task: TaskDetail }) {
  const t = useText();
  const input = { params: { taskId: task.taskId } };
  const { data, dataUpdatedAt, error, refetch } = useCall('GET /tasks/:taskId/breakdown', input);
  const again = isBreakdownDue(task, data, dataUpdatedAt);
  // The same read once more, for its interval: it depends on what the read itself brings.
  useCall('GET /tasks/:taskId/breakdown', input, { enabled: again, refetchInterval: again && rereadMs });
  if (!data) return error ? <FailedState error={error} onRetry={() => void refetch()} /> : <SkeletonLines lines={4} />;
  return (
    <>
      {data.reasons.length > 0 && (
        <Section title={t('taskFigures.reasons')}>
          <Reasons reasons={data.reasons} />
        </Section>
      )}
      {data.carriers.length > 0 && (
        <Section title={t('taskFigures.byCarrier')}>
          <Carriers carriers={data.carriers} />
        </Section>
      )}
    </>
  );
}

function Reasons({ reasons }: { reasons: Breakdown['reasons'] }) {
  const t = useText();
  const [, setView] = useSearchParams(drawerParams);
  const [isOpen, setOpen] = useState(false);
  const most = Math.max(...reasons.map(({ count }) => count));
  const shown = isOpen ? reasons : reasons.slice(0, firstReasons);
  const hidden = reasons.length - shown.length;
  /** Stage at which it ended, as labelled in the funnel; unknown for unanswered messages. */
  const stageOf = (dealResult: string, isRequest: boolean): string | null => {
    if (dealResult === DealResult.Unconfirmed) return null;
    if (dealResult === DealResult.Unknown) return t('tasks.legend.unknown');
    return t(isRequest ? 'taskFigures.reasons.request' : 'taskFigures.reasons.receipt');
  };
  return (
    <div className="stack tasks-reasons">
      <ul>
        {shown.map(({ dealResult, count, isRequest }) => {
          const label = t.maybe(`deal.${dealResult}`) ?? dealResult;
          return (
            <li key={`${dealResult}${isRequest}`}>
              <button
                type="button"
                className="tasks-reason"
                title={t('taskFigures.reasons.show', { reason: label })}
                onClick={() => setView({ tab: 'detail', dealResult, sendStatus: undefined, at: undefined })}
              >
                <span className="tasks-reason-text">{label}</span>
                <span className="tiny ink-3">{stageOf(dealResult, isRequest)}</span>
                <Bar parts={[{ kind: dealResult === DealResult.Unknown ? 'grey' : 'bad', share: count / most }]} />
                <span className="strong num">
                  <Count value={count} />
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {hidden > 0 && (
        <Button variant="link" size="small" onClick={() => setOpen(true)}>
          {t('taskFigures.reasons.more', { count: hidden })}
        </Button>
      )}
    </div>
  );
}

function Carriers({ carriers }: { carriers: Breakdown['carriers'] }) {
  const t = useText();
  const columns = [
    { key: 'recipients', label: t('tasks.recipients') },
    { key: 'acceptedCount', label: t('taskFigures.accepted') },
    { key: 'deliveredCount', label: t('taskFigures.delivered') },
    { key: 'undeliveredCount', label: t('taskFigures.undelivered') },
    { key: 'failedCount', label: t('taskFigures.failed') },
    { key: 'waitingCount', label: t('taskFigures.waiting') },
  ] as const;
  return (
    <table className="plain-table is-stacked tasks-by-carrier">
      <caption className="visually-hidden">{t('taskFigures.byCarrier')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('taskFigures.carrier')}</th>
          {columns.map(({ key, label }) => (
            <th scope="col" className="is-end" key={key}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {carriers.map((one) => (
          <tr key={one.carrier}>
            <td>
              <bdi className="strong">{one.carrier ?? t('taskFigures.carrier.none')}</bdi>
            </td>
            {columns.map(({ key, label }) => (
              <td className="is-end" data-label={label} key={key}>
                <Count value={one[key]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
