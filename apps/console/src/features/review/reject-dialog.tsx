import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextArea } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';

const quickReasons = [1, 2, 3, 4, 5] as const;

interface RejectDialogProps {
  name: string;
  onReject: (reason: string) => Promise<void>;
  onClose: () => void;
}

/** A rejection needs a reason, because the customer has to know what to change. */
export function RejectDialog({ name, onReject, onClose }: RejectDialogProps) {
  const t = useText();
  const form = useForm({
    initial: { reason: '' },
    validate: ({ reason }) => (reason.trim() === '' ? { reason: t('error.REASON_REQUIRED') } : {}),
    submit: ({ reason }) => onReject(reason.trim()),
  });
  return (
    <Dialog
      title={t('review.reject.title', { name })}
      closeOnMask={false}
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
      <Form {...form.formProps}>
        <Field
          label={t('review.reject.reason')}
          required
          hint={t('review.reject.reason.hint')}
          {...form.field('reason')}
        >
          <TextArea {...form.bind('reason')} rows={4} maxLength={500} />
        </Field>
        <Field group label={t('review.quick')}>
          <div className="review-quick">
            {quickReasons.map((n) => (
              <Button key={n} variant="link" size="small" onClick={() => form.set({ reason: t(`review.quick.${n}`) })}>
                {t(`review.quick.${n}`)}
              </Button>
            ))}
          </div>
        </Field>
        <FormProblem>{form.problem}</FormProblem>
      </Form>
    </Dialog>
  );
}
