import { type ReviewItem, ReviewReason, type Span } from '@pahatid/contract';
import { isSpanOf, reviewReasons, suggestSpan } from '@pahatid/domain';
import { type KeyboardEvent, useId, useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextArea } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';

export interface Rejection {
  reasonCode: ReviewReason;
  reason: string;
  span?: Span;
}

interface RejectDialogProps {
  item: ReviewItem;
  onReject: (rejection: Rejection) => Promise<void>;
  onClose: () => void;
}

/** A rejection needs a reason, because the customer must know what to change, and may state where. */
export function RejectDialog({ item, onReject, onClose }: RejectDialogProps) {
  const t = useText();
  const radios = useId();
  const reasons = reviewReasons[item.kind];
  // The remarks of a sender ID are no text of a message: nothing in them is marked.
  const content = item.kind === 'sender' ? null : item.content;
  const [span, setSpan] = useState<Span | null>(null);
  const [isOwnSpan, setOwnSpan] = useState(false);
  const form = useForm<{ reasonCode: ReviewReason; reason: string }>({
    initial: { reasonCode: ReviewReason.Other, reason: '' },
    validate: ({ reasonCode, reason }) =>
      reasonCode === ReviewReason.Other && reason.trim() === '' ? { reason: t('error.REASON_REQUIRED') } : {},
    submit: ({ reasonCode, reason }) => onReject({ reasonCode, reason: reason.trim(), ...(span && { span }) }),
  });
  const choose = (reasonCode: ReviewReason) => {
    form.set({ reasonCode });
    if (!isOwnSpan && content !== null) setSpan(suggestSpan(reasonCode, item.findings));
  };
  const press = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLTextAreaElement;
    if (event.key === 'Enter' && (!isTyping || event.ctrlKey || event.metaKey)) {
      if (event.target instanceof HTMLButtonElement) return;
      event.preventDefault();
      void form.send();
    }
    const reason = /^[1-9]$/.test(event.key) && !isTyping ? reasons[Number(event.key) - 1] : undefined;
    if (reason === undefined) return;
    choose(reason);
    event.currentTarget.querySelectorAll<HTMLElement>('input[type=radio]')[reasons.indexOf(reason)]?.focus();
  };
  return (
    <Dialog
      title={t('review.reject.title', { name: item.title })}
      closeOnMask={false}
      width="wide"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="danger" filled loading={form.busy} onClick={() => void form.send()}>
            {t('review.reject.confirm')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps} onKeyDown={press}>
        <Field
          group
          label={t('review.reject.code')}
          hint={<Hint keys={t('review.reject.code.hint', { last: reasons.length })} />}
        >
          <div className="review-reasons">
            {reasons.map((reason, index) => (
              <label key={reason}>
                <input
                  type="radio"
                  name={radios}
                  checked={form.values.reasonCode === reason}
                  onChange={() => choose(reason)}
                  {...(index === 0 && { 'data-autofocus': true })}
                />
                <span className="review-key">{index + 1}</span>
                <span>{t(`reason.${reason}`)}</span>
              </label>
            ))}
          </div>
        </Field>
        {content !== null && (
          <Field
            label={t('review.reject.place')}
            optional
            hint={<Hint keys={t('review.reject.place.hint')} touch={t('review.reject.place.touch')} />}
          >
            <TextArea
              className="review-place"
              value={content}
              // Nothing typed stays. `readonly` of the browser's own would take the caret away, and with it the keyboard.
              onChange={() => undefined}
              aria-readonly
              rows={4}
              dir="auto"
              onSelect={({ currentTarget: { selectionStart: from, selectionEnd: to } }) => {
                if (!isSpanOf(content, { from, to })) return;
                setSpan({ from, to });
                setOwnSpan(true);
              }}
            />
          </Field>
        )}
        {content !== null && span && (
          <p className="review-marked small" role="status">
            <mark>{t('review.reject.marked', { text: content.slice(span.from, span.to) })}</mark>
            <Button
              variant="link"
              size="small"
              onClick={() => {
                setSpan(null);
                setOwnSpan(true);
              }}
            >
              {t('review.reject.unmark')}
            </Button>
          </p>
        )}
        <Field
          label={t('review.reject.reason')}
          {...(form.values.reasonCode === ReviewReason.Other ? { required: true } : { optional: true })}
          hint={<Hint keys={t('review.reject.reason.hint')} touch={t('review.reject.reason.touch')} />}
          {...form.field('reason')}
        >
          <TextArea {...form.bind('reason')} rows={3} maxLength={500} />
        </Field>
        <FormProblem>{form.problem}</FormProblem>
      </Form>
    </Dialog>
  );
}

/** Key hints are hidden if there is no keyboard. */
function Hint({ keys, touch }: { keys: string; touch?: string }) {
  return (
    <>
      <span className="review-keys-hint">{keys}</span>
      {touch !== undefined && <span className="review-touch-hint">{touch}</span>}
    </>
  );
}
