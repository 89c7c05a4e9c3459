import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { DateTimeInput } from '../../ui/form/date-time-input.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { OptionCards } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';

const which = ['undelivered', 'all'] as const;
const dayMs = 86_400_000;

/** Sends again what happened since a time. */
export function ReplayDialog({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm<{ from: string | null; which: (typeof which)[number] }>({
    initial: { from: new Date(Math.floor((Date.now() - dayMs) / 60_000) * 60_000).toISOString(), which: 'undelivered' },
    validate: ({ from }) =>
      from === null ? { from: t('ui.required.choice', { label: t('callbacks.replay.from') }) } : {},
    submit: async ({ from, which: chosen }) => {
      const { count } = await call('POST /callback-endpoints/:endpointId/replay', {
        params: { endpointId },
        body: { from: from ?? '', which: chosen },
      });
      toast(t('callbacks.replay.done', { count }));
      await refresh('/callbacks', '/callback-endpoints', '/applications');
      onClose();
    },
  });
  return (
    <FormDialog title={t('callbacks.replay')} form={form} saveLabel={t('callbacks.replay')} onClose={onClose}>
      <p>{t('callbacks.replay.text')}</p>
      <Field label={t('callbacks.replay.from')} required {...form.field('from')}>
        <DateTimeInput {...form.bind('from')} />
      </Field>
      <Field group label={t('callbacks.replay.which')} {...form.field('which')}>
        <OptionCards
          {...form.bind('which')}
          options={which.map((value) => ({ value, title: t(`callbacks.replay.${value}`) }))}
        />
      </Field>
    </FormDialog>
  );
}
