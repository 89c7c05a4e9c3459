import { type TaskDetail, TaskStatus } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { CostReceipt } from '../../ui/data/pictures.tsx';
import { Count, Money } from '../../ui/data/text.tsx';
import { hasRun, isMoving } from './task-counts.ts';

const ended: readonly TaskStatus[] = [TaskStatus.Completed, TaskStatus.Terminated];

/** The charge of a task, or its estimated cost. */
export function TaskCost({ task }: { task: TaskDetail }) {
  const t = useText();
  const formats = useFormats();
  const price = { key: 'price', label: t('tasks.price'), value: <Money value={task.price} /> };
  if (hasRun(task.taskStatus)) {
    // The cost moves with every event, the segments only with every read: with one price they follow from it.
    const chargedSegments = task.price ? Math.round(task.chargedCost / task.price) : task.chargedSegments;
    const note = isMoving(task.taskStatus) ? 'tasks.reserved' : 'tasks.reserved.receipts';
    return (
      <CostReceipt
        lines={[
          { key: 'segments', label: t('tasks.chargedSegments'), value: <Count value={chargedSegments} /> },
          price,
        ]}
        totalLabel={t(ended.includes(task.taskStatus) ? 'tasks.charged' : 'tasks.chargedSoFar')}
        total={<Money value={task.chargedCost} />}
        {...(task.reservedCost > 0 && { note: t(note, { amount: formats.money(task.reservedCost) }) })}
      />
    );
  }
  return (
    <CostReceipt
      lines={[
        { key: 'recipients', label: t('tasks.recipients'), value: <Count value={task.totalCount || null} /> },
        { key: 'segments', label: t('tasks.segments'), value: <Count value={task.estimatedSegments} /> },
        price,
      ]}
      totalLabel={t('tasks.estimatedCost')}
      total={<Money value={task.estimatedCost} />}
      note={
        task.estimatedCost === null
          ? // A cancelled task is never checked again.
            task.taskStatus === TaskStatus.Cancelled
            ? undefined
            : t('tasks.cost.afterCheck')
          : task.reservedCost > 0
            ? t('tasks.reserved', { amount: formats.money(task.reservedCost) })
            : undefined
      }
    />
  );
}
