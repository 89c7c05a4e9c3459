import { type AbTestDetail, type TaskDetail, TaskStatus } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, Count } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Note, Section } from '../../ui/page/page.tsx';
import { VariantMark } from './ab-parts.tsx';
import { nameOfVariant } from './ab-values.ts';
import './ab-tests.css';

const rereadMs = 5_000;

/** The variants of an A/B test with their results, what these say, and the decision. */
export default function AbResults({ task }: { task: TaskDetail }) {
  const t = useText();
  const isOpen = task.abTest !== null && task.abTest.decidedTime === null;
  const input = { params: { taskId: task.taskId } };
  const { data, error, refetch } = useCall('GET /tasks/:taskId/ab-test', input, {
    refetchInterval: isOpen && task.abTest?.startTime !== null && rereadMs,
  });
  const [asked, setAsked] = useState<number | null>(null);
  const mayDecide =
    useMay('owner', 'member') && task.taskStatus === TaskStatus.Confirmed && isOpen && task.abTest?.startTime !== null;
  if (!data)
    return error ? (
      <FailedState error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton width="100%" height={180} />
    );
  return (
    <Section title={t('tasks.abTest')}>
      <div className="stack">
        <Judgement test={data} />
        <ul className="ab-results">
          {data.variants.map((variant, index) => (
            <VariantResult
              key={nameOfVariant(index)}
              index={index}
              test={data}
              variant={variant}
              {...(mayDecide && { onSend: () => setAsked(index) })}
            />
          ))}
        </ul>
        <Outcome test={data} />
      </div>
      {asked !== null && <Decide task={task} winner={asked} onClose={() => setAsked(null)} />}
    </Section>
  );
}

/** "B leads by 2.1 points (95% interval −0.3 to 4.5): within chance." */
function Judgement({ test }: { test: AbTestDetail }) {
  const t = useText();
  const formats = useFormats();
  const { judgement } = test;
  if (judgement === null) return null;
  const { leader, difference, isWithinChance } = judgement;
  if (leader === null || difference === null) return null;
  const points = (value: number): string => formats.number(value * 100, { maximumFractionDigits: 1 });
  return (
    <Note tone={isWithinChance ? 'info' : 'success'}>
      {t('abTests.leads', {
        name: nameOfVariant(leader),
        points: points(difference.value),
        low: points(difference.low),
        high: points(difference.high),
      })}{' '}
      <strong>{t(isWithinChance ? 'abTests.chance' : 'abTests.clear')}</strong>
    </Note>
  );
}

interface VariantProps {
  index: number;
  test: AbTestDetail;
  variant: AbTestDetail['variants'][number];
  onSend?: () => void;
}

function VariantResult({ index, test, variant, onSend }: VariantProps) {
  const t = useText();
  const formats = useFormats();
  const { result } = variant;
  const name = nameOfVariant(index);
  const isClicks = test.rule === 'clicks';
  const of = (isClicks ? result?.deliveredCount : result?.acceptedCount) ?? 0;
  const share = of === 0 ? null : ((isClicks ? result?.clickedCount : result?.deliveredCount) ?? 0) / of;
  const interval = result?.interval;
  return (
    <li className="ab-result">
      <VariantMark index={index} />
      <div className="grow">
        <p className="strong">{variant.templateName ?? name}</p>
        {variant.content && (
          <p className="tiny ink-3 ab-excerpt" dir="auto">
            {variant.content}
          </p>
        )}
        <dl className="ab-figures">
          <Figure label={t('tasks.recipients')} value={variant.recipientCount} />
          <Figure label={t('tasks.successCount')} value={result?.acceptedCount ?? null} />
          <Figure label={t('tasks.legend.delivered')} value={result?.deliveredCount ?? null} />
          <Figure label={t('abTests.clicked')} value={result?.clickedCount ?? null} />
        </dl>
      </div>
      <div className="ab-share-of">
        {share !== null && interval && (
          <>
            <strong>
              <Bdi>{formats.percent(share)}</Bdi>
            </strong>
            <Interval index={index} share={share} low={interval.low} high={interval.high} />
            <span className="tiny ink-3">
              <Bdi>{`${formats.percent(interval.low)} – ${formats.percent(interval.high)}`}</Bdi>
            </span>
          </>
        )}
        {test.winner === index && <span className="tag">{t('abTests.winner')}</span>}
        {variant.taskId !== null && (
          <Link className="small" to="/bulkMessage" search={{ open: variant.taskId }}>
            {t('tasks.create.openTask')}
          </Link>
        )}
        {onSend && (
          <Button size="small" onClick={onSend}>
            {t('abTests.send', { name })}
          </Button>
        )}
      </div>
    </li>
  );
}

const Figure = ({ label, value }: { label: string; value: number | null }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <Count value={value} />
    </dd>
  </div>
);

/** The share as a point on its interval. */
const Interval = ({ index, share, low, high }: { index: number; share: number; low: number; high: number }) => (
  <span className={`ab-interval ab-${index}`} aria-hidden="true">
    <i style={{ insetInlineStart: `${low * 100}%`, width: `${(high - low) * 100}%` }} />
    <b style={{ insetInlineStart: `${share * 100}%` }} />
  </span>
);

function Outcome({ test }: { test: AbTestDetail }) {
  const t = useText();
  const formats = useFormats();
  const { winner, decidedTime, decideTime, askTime, startTime, restCount, deciderName } = test;
  if (winner !== null)
    return (
      <p className="small">
        <strong>{formats.pair(t('abTests.winner'), nameOfVariant(winner))}</strong>
        {' · '}
        {formats.pair(t('tasks.recipients'), formats.number(restCount))}{' '}
        <span className="ink-3">
          {deciderName !== null && <bdi>{deciderName} · </bdi>}
          {decidedTime && formats.date(decidedTime, 'short')}
        </span>
      </p>
    );
  if (startTime === null) return null;
  return (
    <p className="small ink-2">
      {t('abTests.rest', { count: restCount })}
      {' · '}
      {askTime !== null
        ? t('tasks.reason.AB_UNDECIDED')
        : decideTime === null
          ? t('abTests.wait.hint')
          : t('abTests.decides', { time: formats.date(decideTime, 'short') })}
    </p>
  );
}

interface DecideProps {
  task: TaskDetail;
  winner: number;
  onClose: () => void;
}

function Decide({ task, winner, onClose }: DecideProps) {
  const t = useText();
  const refresh = useRefresh();
  const name = nameOfVariant(winner);
  const decide = async () => {
    await call('POST /tasks/:taskId/ab-test/decide', { params: { taskId: task.taskId }, body: { winner } });
    await refresh('/tasks', '/overview');
  };
  return (
    <ConfirmDialog
      title={t('abTests.send', { name })}
      confirmLabel={t('abTests.send', { name })}
      onConfirm={decide}
      onClose={onClose}
    >
      {t('abTests.decide.text')}
    </ConfirmDialog>
  );
}
