import type { Threshold, ThresholdEvent } from '@pahatid/contract';
import { useState } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { DateTime } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { useRuleText } from './rule-text.ts';

const shownAtFirst = 10;
const shownAtMost = 100;

/** A rule's actions, newest first. */
export function RuleEvents({ rule }: { rule: Threshold }) {
  const t = useText();
  const ruleText = useRuleText();
  const [limit, setLimit] = useState(shownAtFirst);
  const { thresholdId } = rule;
  const list = useCall(
    'GET /thresholds/:thresholdId/events',
    { params: { thresholdId }, query: { limit: String(limit) } },
    { keepPrevious: true, refetchInterval: 10_000 },
  );
  if (list.error) return <FailedState error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <SkeletonLines lines={4} />;
  if (list.data.items.length === 0) return <p className="ink-3">{t('thresholds.history.empty')}</p>;

  const describe = (of: ThresholdEvent): string => {
    const { event, value, bound, amount } = of;
    if (of.pumping !== null) return ruleText.measured(rule, of);
    if (event === 'resume') return t('thresholds.event.tasks', { count: amount ?? 0 });
    if (value === null) return '';
    if (event === 'refused') return t('thresholds.event.refused.value', { count: value });
    const measure = rule.unit ?? rule.metric;
    return t('thresholds.event.value', {
      value: ruleText.measured(rule, of),
      bound: bound === null ? '' : ruleText.value(measure, bound),
    });
  };
  const isLoud = (event: ThresholdEvent): boolean => event.event !== 'over' && event.event !== 'resume';

  return (
    <>
      <ul className="threshold-events">
        {list.data.items.map((event) => (
          <li key={event.eventId}>
            <span className="strong">{t(`thresholds.event.${event.event}`)}</span>
            <span className="small ink-3">
              <DateTime value={event.time} />
            </span>
            <span className="small ink-2">{describe(event)}</span>
            <span className="tiny ink-3">
              {event.userName ??
                (isLoud(event) ? t(event.notified ? 'thresholds.event.notified' : 'thresholds.event.quiet') : '')}
            </span>
          </li>
        ))}
      </ul>
      {list.data.nextCursor !== null && limit < shownAtMost && (
        <Button size="small" variant="quiet" onClick={() => setLimit(shownAtMost)}>
          {t('thresholds.history.more')}
        </Button>
      )}
    </>
  );
}
