import { type TaskDetail, TaskStatus } from '@pahatid/contract';
import { Fragment, type ReactNode } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Explained } from '../../ui/data/explain.tsx';
import { FunnelBars, type FunnelStage } from '../../ui/data/pictures.tsx';
import { countTask, hasRun } from './task-counts.ts';

type Loss =
  | 'rejected'
  | 'duplicate'
  | 'optedOut'
  | 'noConsent'
  | 'leftOut'
  | 'dropped'
  | 'waiting'
  | 'refused'
  | 'notSent'
  | 'unconfirmed'
  | 'undelivered'
  | 'unknown'
  | 'awaiting';
const bad: readonly Loss[] = ['refused', 'notSent', 'undelivered'];

/** From the rows of the file to the recipients with a receipt, each stage with its losses. */
export function TaskFunnel({ task }: { task: TaskDetail }) {
  const t = useText();
  const formats = useFormats();
  const source = sourceOf(task);
  if (!source) return null;
  const counts = countTask(task);
  const terminated = task.taskStatus === TaskStatus.Terminated;

  const losses = (...list: readonly [Loss, number][]): ReactNode =>
    list
      .filter(([, count]) => count > 0)
      .map(([loss, count], index) => (
        <Fragment key={loss}>
          {index > 0 && ' · '}
          {t.rich(`tasks.loss.${loss}`, {
            count: (
              <bdi dir="ltr" className={bad.includes(loss) ? 'strong num is-danger' : 'strong num'} key="count">
                {formats.number(count)}
              </bdi>
            ),
          })}
        </Fragment>
      ));

  const checked = task.totalCount > 0 || hasRun(task.taskStatus);
  const recipients = checked ? task.totalCount : source.validCount;
  const stages: FunnelStage[] = [
    {
      key: 'check',
      title: t('tasks.funnel.check'),
      rows: [
        {
          key: 'rows',
          label: t(task.audience === null ? 'tasks.funnel.rows' : 'taskGroups.rows'),
          value: source.totalRows,
          kind: 'grey',
        },
        {
          key: 'recipients',
          label: t('tasks.recipients'),
          value: recipients,
          kind: 'grey',
          losses: losses(
            ['rejected', source.rejectedCount],
            ['duplicate', source.duplicateCount],
            [
              'optedOut',
              Math.max(0, source.validCount - recipients - task.droppedCount - task.noConsentCount - task.leftOutCount),
            ],
            ['noConsent', task.noConsentCount],
            ['leftOut', task.leftOutCount],
            ['dropped', task.droppedCount],
          ),
        },
      ],
    },
  ];
  if (hasRun(task.taskStatus)) {
    stages.push(
      {
        key: 'request',
        title: t('tasks.funnel.request'),
        rows: [
          {
            key: 'handedOver',
            label: t(terminated ? 'tasks.funnel.settled' : 'tasks.funnel.handedOver'),
            value: counts.settled,
            kind: 'half',
            losses: losses(['waiting', counts.remaining]),
          },
          {
            key: 'accepted',
            label: <Explained term={t('tasks.funnel.accepted')} text={t('shell.explain.accepted')} />,
            value: task.successCount,
            kind: 'half',
            losses: losses([terminated ? 'notSent' : 'refused', counts.refused], ['unconfirmed', counts.unconfirmed]),
          },
        ],
      },
      {
        key: 'receipt',
        title: t('tasks.funnel.receipt'),
        rows: [
          {
            key: 'delivered',
            label: t('tasks.funnel.delivered'),
            value: counts.delivered,
            kind: 'done',
            losses: losses(
              ['undelivered', counts.undelivered],
              ['unknown', counts.unknown],
              ['awaiting', counts.awaiting],
            ),
          },
        ],
      },
    );
  }
  return <FunnelBars stages={stages} total={source.totalRows} />;
}

/**
 * Returns rows of the file and members of the groups together; null if the task has neither, or has not been checked
 * yet.
 */
function sourceOf({ file, audience }: TaskDetail): TaskDetail['file'] {
  if (audience === null) return file;
  const { fileCount, memberCount, duplicateCount } = audience;
  return {
    totalRows: (file?.totalRows ?? 0) + memberCount,
    validCount: fileCount + memberCount - duplicateCount,
    duplicateCount: (file?.duplicateCount ?? 0) + duplicateCount,
    rejectedCount: file?.rejectedCount ?? 0,
    optedOutCount: file?.optedOutCount ?? 0,
  };
}
