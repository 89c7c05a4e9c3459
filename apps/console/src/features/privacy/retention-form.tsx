import { type Privacy, recordDaysRange, uploadDaysRange } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { NumberInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Panel } from '../../ui/page/page.tsx';

interface Days {
  recordDays: number | null;
  uploadDays: number | null;
}

/** Days of both kinds. A shorter retention deletes immediately, so it asks first. */
export function RetentionForm({ privacy }: { privacy: Privacy }) {
  const t = useText();
  const { date } = useFormats();
  const refresh = useRefresh();
  const [asking, setAsking] = useState<{ recordDays: number; uploadDays: number } | null>(null);
  const { customerId } = privacy;

  const save = async (days: { recordDays: number; uploadDays: number }) => {
    await call('PUT /privacy/:customerId', { params: { customerId }, body: days });
    toast(t('privacy.retention.saved'));
    await refresh('/privacy');
  };
  const outside = (value: number | null, { least, most }: { least: number; most: number }) =>
    value === null || value < least || value > most ? t('privacy.days.range', { least, most }) : null;
  const form = useForm<Days>({
    initial: { recordDays: privacy.recordDays, uploadDays: privacy.uploadDays },
    validate: (values) => {
      const record = outside(values.recordDays, recordDaysRange);
      const upload = outside(values.uploadDays, uploadDaysRange);
      return { ...(record && { recordDays: record }), ...(upload && { uploadDays: upload }) };
    },
    submit: async ({ recordDays, uploadDays }) => {
      if (recordDays === null || uploadDays === null) return;
      const days = { recordDays, uploadDays };
      if (recordDays < privacy.recordDays || uploadDays < privacy.uploadDays) setAsking(days);
      else await save(days);
    },
  });
  const changed = form.values.recordDays !== privacy.recordDays || form.values.uploadDays !== privacy.uploadDays;

  return (
    <Panel title={t('privacy.retention')}>
      <Form {...form.formProps}>
        <div className="privacy-days">
          <Field
            label={t('privacy.recordDays')}
            hint={t('privacy.recordDays.hint', { ...recordDaysRange })}
            {...form.field('recordDays')}
          >
            <NumberInput {...form.bind('recordDays')} min={recordDaysRange.least} max={recordDaysRange.most} />
          </Field>
          <Field
            label={t('privacy.uploadDays')}
            hint={t('privacy.uploadDays.hint', { ...uploadDaysRange })}
            {...form.field('uploadDays')}
          >
            <NumberInput {...form.bind('uploadDays')} min={uploadDaysRange.least} max={uploadDaysRange.most} />
          </Field>
        </div>
        <FormProblem>{form.problem}</FormProblem>
        <div className="row">
          <Button type="submit" loading={form.busy} disabled={!changed}>
            {t('privacy.retention.save')}
          </Button>
          <span className="small ink-3">
            {privacy.recordsBefore
              ? t('privacy.recordsBefore', { date: date(privacy.recordsBefore, 'date') })
              : t('privacy.recordsBefore.none')}
          </span>
        </div>
      </Form>
      {asking && (
        <ConfirmDialog
          danger
          title={t('privacy.shorten.title')}
          confirmLabel={t('privacy.shorten.confirm')}
          onConfirm={() => save(asking)}
          onClose={() => setAsking(null)}
        >
          {t('privacy.shorten.text', { ...asking })}
        </ConfirmDialog>
      )}
    </Panel>
  );
}
