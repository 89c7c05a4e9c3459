import { ArrowRight, CloudCheck, LoaderCircle } from 'lucide-react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Count, Money } from '../../ui/data/text.tsx';
import type { Estimate } from './use-estimate.ts';
import type { TaskDraft } from './use-task-draft.ts';

interface EditorFooterProps {
  draft: TaskDraft;
  isDirty: boolean;
  /** How far the check is; null while none runs. */
  checkText: string | null;
  busy: boolean;
  cost: Estimate;
  onPreview: () => void;
  onDelete: () => void;
  onSave: () => void;
  onCheck: () => void;
}

/** Always in sight: whether the draft is stored, and the next step; on a phone also the cost, with the preview behind it. */
export function EditorFooter(props: EditorFooterProps) {
  const { draft, checkText, busy, cost, onPreview, onDelete, onSave, onCheck } = props;
  const checking = checkText !== null;
  const t = useText();
  return (
    <footer className="tasks-editor-footer">
      <div className="tasks-cost-bar">
        <span className="grow">
          <span className="tiny ink-3">
            {cost.recipients === null
              ? t('tasks.estimatedCost')
              : t.rich('tasks.costBar', { recipients: <Count key="recipients" value={cost.recipients} /> })}
          </span>
          {cost.cost === null ? (
            <span className="small ink-2">{t('tasks.cost.afterCheck')}</span>
          ) : (
            <span className="strong">
              <Money value={cost.cost} />
            </span>
          )}
        </span>
        <Button size="small" onClick={onPreview}>
          {t('tasks.preview')}
        </Button>
      </div>
      <div className="tasks-editor-buttons">
        <span className="grow" role="status">
          <DraftState {...props} />
        </span>
        {draft.isStored && !checking && (
          <Button variant="quiet" onClick={onDelete}>
            {t('tasks.act.delete')}
          </Button>
        )}
        <Button variant="quiet" loading={draft.busy && !checking} disabled={checking} onClick={onSave}>
          {t('tasks.saveDraft')}
        </Button>
        <Button
          variant="primary"
          trailingIcon={ArrowRight}
          mirrorIcon
          loading={checking || (busy && !draft.busy)}
          disabled={checking}
          onClick={onCheck}
        >
          {t('tasks.check')}
        </Button>
      </div>
    </footer>
  );
}

function DraftState({ draft, isDirty, checkText, busy }: EditorFooterProps) {
  const t = useText();
  const formats = useFormats();
  if (checkText !== null) {
    return (
      <span className="row">
        <Icon of={LoaderCircle} size="small" className="tasks-spinner" />
        {checkText}
      </span>
    );
  }
  if (busy) return t('tasks.saving');
  if (isDirty) return t('tasks.unsaved');
  if (!draft.isStored) return t('tasks.nothingSaved');
  if (draft.savedAt === null) return t('tasks.savedBefore');
  return (
    <span className="row">
      <Icon of={CloudCheck} size="small" />
      {t('tasks.savedAt', { time: formats.date(draft.savedAt, 'minute') })}
    </span>
  );
}
