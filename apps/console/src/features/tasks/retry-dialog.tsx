import type { TaskDetail } from '@pahatid/contract';
import { DealResult } from '@pahatid/domain';
import { useState } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Bdi } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Checkbox } from '../../ui/form/inputs.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Note } from '../../ui/page/page.tsx';

interface RetryDialogProps {
  task: TaskDetail;
  /** With the results that are repeated. */
  onRetry: (dealResults: string[]) => Promise<void>;
  onClose: () => void;
}

/** Selects the failures to retry: initially all that a retry may fix. */
export function RetryDialog({ task, onRetry, onClose }: RetryDialogProps) {
  const t = useText();
  const formats = useFormats();
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const { data, error, refetch } = useCall('GET /tasks/:taskId/breakdown', { params: { taskId: task.taskId } });
  const failures = (data?.reasons ?? []).filter(({ isRequest }) => isRequest);
  const retryable = failures.filter(({ mayRetry }) => mayRetry);
  const never = failures.filter(({ mayRetry, dealResult }) => !mayRetry && dealResult !== DealResult.Unconfirmed);
  const chosen = retryable.filter(({ dealResult }) => !excluded.has(dealResult));
  const count = chosen.reduce((sum, one) => sum + one.count, 0);
  const resultLabel = (code: string) => t.maybe(`deal.${code}`) ?? code;
  const choose = (dealResult: string, isChosen: boolean) => {
    const next = new Set(excluded);
    if (isChosen) next.delete(dealResult);
    else next.add(dealResult);
    setExcluded(next);
  };

  return (
    <ConfirmDialog
      title={t('taskFigures.retry.title', { name: task.taskName })}
      confirmLabel={t('taskFigures.retry.confirm', { count })}
      canConfirm={count > 0}
      onConfirm={() => onRetry(chosen.map(({ dealResult }) => dealResult))}
      onClose={onClose}
    >
      <div className="stack tasks-retry">
        {!data && (error ? <FailedState error={error} onRetry={() => void refetch()} /> : <SkeletonLines lines={3} />)}
        {data && retryable.length === 0 && <Note tone="warning">{t('taskFigures.retry.none')}</Note>}
        {retryable.length > 0 && (
          <>
            <p>{t('taskFigures.retry.text')}</p>
            <Field group label={t('taskFigures.retry.reasons')}>
              <span className="stack">
                {retryable.map(({ dealResult, count: each }) => (
                  <span className="row" key={dealResult}>
                    <span className="grow">
                      <Checkbox
                        checked={!excluded.has(dealResult)}
                        onChange={(isChosen) => choose(dealResult, isChosen)}
                      >
                        {resultLabel(dealResult)}
                      </Checkbox>
                    </span>
                    <Bdi>{formats.number(each)}</Bdi>
                  </span>
                ))}
              </span>
            </Field>
          </>
        )}
        {never.length > 0 && (
          <p className="small ink-3">
            {t('taskFigures.retry.never', {
              list: formats.list(
                never.map((one) => `${resultLabel(one.dealResult)}\u00A0(${formats.number(one.count)})`),
              ),
            })}
          </p>
        )}
      </div>
    </ConfirmDialog>
  );
}
