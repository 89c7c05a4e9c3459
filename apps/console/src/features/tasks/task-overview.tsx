import { type TaskDetail, TaskStatus } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../lib/api/session.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { rejectionText } from '../../lib/i18n/rejection-text.ts';
import { joinSentences, spaceAfter } from '../../lib/i18n/sentences.ts';
import { ensureTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { fillPreview, PhonePreview } from '../../ui/data/pictures.tsx';
import { Bdi, Dash, DateTime } from '../../ui/data/text.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { PartBoundary } from '../../ui/feedback/part-boundary.tsx';
import { Facts, Note, Section } from '../../ui/page/page.tsx';
import { StartGrace } from './start-grace.tsx';
import { TaskBreakdown } from './task-breakdown.tsx';
import { TaskCost } from './task-cost.tsx';
import { hasRun } from './task-counts.ts';
import { TaskFigure } from './task-figure.tsx';
import { TaskFunnel } from './task-funnel.tsx';
import { useReasonText } from './task-status.tsx';
import { TaskTimeline } from './task-timeline.tsx';

const AbResults = lazyPart(async () => {
  const [part] = await Promise.all([import('./ab-results.tsx'), ensureTexts('abTests')]);
  return part;
});

/** A task's progress, the result of its file, its history and its cost. */
export function TaskOverview({ task }: { task: TaskDetail }) {
  const t = useText();
  const ran = hasRun(task.taskStatus);
  return (
    <div className="tasks-overview">
      {task.graceEndTime !== null && <StartGrace task={task} until={task.graceEndTime} />}
      <TaskReason task={task} />
      {task.abVariant && (
        <Note tone="info">
          <Link to="/bulkMessage" search={{ open: task.abVariant.taskId }}>
            {t('tasks.abTest.open')}
          </Link>
        </Note>
      )}
      {task.abTest && (
        <PartBoundary>
          <AbResults task={task} />
        </PartBoundary>
      )}
      {ran && (
        <>
          <TaskFigure task={task} />
          <TimelineAndCost task={task} />
        </>
      )}
      {!ran && <TaskPlan task={task} />}
      {(task.file ?? task.audience) && (
        <Section title={t(task.audience === null ? 'tasks.funnel' : 'taskGroups.funnel')}>
          <TaskFunnel task={task} />
        </Section>
      )}
      {ran && (
        <>
          <TaskBreakdown task={task} />
          <TaskPlan task={task} />
        </>
      )}
      {!ran && (task.content ? <TimelineSection task={task} /> : <TimelineAndCost task={task} />)}
    </div>
  );
}

function TimelineAndCost({ task }: { task: TaskDetail }) {
  return (
    <div className="tasks-columns">
      <TimelineSection task={task} />
      <CostSection task={task} />
    </div>
  );
}

function TimelineSection({ task }: { task: TaskDetail }) {
  const t = useText();
  return (
    <Section title={t('tasks.timeline')}>
      <TaskTimeline task={task} />
    </Section>
  );
}

function CostSection({ task }: { task: TaskDetail }) {
  const t = useText();
  return (
    <Section title={t('tasks.cost')}>
      <TaskCost task={task} />
    </Section>
  );
}

/** Why it failed, was rejected, is held or paused. */
function TaskReason({ task }: { task: TaskDetail }) {
  const t = useText();
  const reasonText = useReasonText();
  const reason = reasonText(task.statusReason, task.quietHours);
  const mayWrite = useMay('owner', 'member');
  if (task.taskStatus === TaskStatus.Rejected)
    return (
      <Note tone="danger">
        <strong>{t('tasks.rejectedBecause')}</strong>
        {spaceAfter(t('tasks.rejectedBecause'))}
        <bdi>{rejectionText(task.auditCode, task.statusNote, t) ?? reason}</bdi>
      </Note>
    );
  if (task.taskStatus === TaskStatus.Failed)
    return (
      <Note tone="danger">
        <strong>{t('tasks.failedBecause')}</strong>
        {spaceAfter(t('tasks.failedBecause'))}
        {joinSentences([reason, task.statusNote, mayWrite ? t('tasks.failedNext') : null])}
      </Note>
    );
  if (task.taskStatus === TaskStatus.ValidationPassed)
    return mayWrite ? <Note tone="info">{t('tasks.nothingSent')}</Note> : null;
  // Said by its A/B test.
  if (!reason || task.statusReason === 'AB_TESTING') return null;
  return <Note tone="warning">{joinSentences([reason, task.statusNote])}</Note>;
}

/**
 * The task's sender, text, recipients and time, and the text as a phone shows it; until it has run also its cost. After
 * that its figure shows the number of recipients.
 */
function TaskPlan({ task }: { task: TaskDetail }) {
  const t = useText();
  const formats = useFormats();
  const zone = t('ui.zoned', { zone: formats.zoneName, offset: formats.zoneOffset() });
  const ran = hasRun(task.taskStatus);
  const at = task.startTime ?? task.planTime;
  const facts = (
    <Facts
      items={[
        { key: 'template', label: t('tasks.template'), value: task.templateName ?? <Dash /> },
        {
          key: 'file',
          label: t('tasks.file'),
          value: task.mobileFile ? <bdi>{task.mobileFile.fileName}</bdi> : <Dash />,
        },
        ...(task.groups.length > 0
          ? [
              {
                key: 'groups',
                label: t('taskGroups.label'),
                value: formats.list(task.groups.map(({ groupName }) => groupName)),
              },
            ]
          : []),
        ...(ran
          ? []
          : [
              {
                key: 'recipients',
                label: t('tasks.recipients'),
                value: task.totalCount > 0 ? <Bdi>{formats.number(task.totalCount)}</Bdi> : <Dash />,
              },
            ]),
        {
          key: 'plan',
          label: t('tasks.scheduled'),
          value:
            task.planFlag === 1 ? (
              <>
                <DateTime value={task.planTime} />{' '}
                <span className="ink-3" style={{ whiteSpace: 'nowrap' }}>
                  {zone}
                </span>
              </>
            ) : (
              t('tasks.when.now')
            ),
        },
        ...(task.latestStartTime === null
          ? []
          : [{ key: 'latest', label: t('tasks.latestStart'), value: <DateTime value={task.latestStartTime} /> }]),
        ...(ran
          ? [{ key: 'retries', label: t('tasks.retryCount'), value: <Bdi>{formats.number(task.retryCount)}</Bdi> }]
          : []),
      ]}
    />
  );
  if (!task.content) return facts;
  return (
    <div className="tasks-plan">
      <div className="tasks-overview">
        {facts}
        {!ran && <CostSection task={task} />}
      </div>
      <section aria-label={t('tasks.content')}>
        <PhonePreview
          sender={task.senderId ?? t('tasks.senderId')}
          parts={fillPreview(task.content)}
          {...(at && { at })}
        />
      </section>
    </div>
  );
}
