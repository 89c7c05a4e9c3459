import { exportPosted } from '../../lib/api/export-csv.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { DateTimeInput } from '../../ui/form/date-time-input.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { PasswordInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Panel } from '../../ui/page/page.tsx';

interface Period {
  from: string | null;
  to: string | null;
  currentPassword: string;
}

/** One file of all that a regulator asks for, of a period. */
export function ReportForm({ customerId }: { customerId: string }) {
  const t = useText();
  const form = useForm<Period>({
    initial: { from: null, to: null, currentPassword: '' },
    validate: ({ from, to, currentPassword }) => ({
      ...(from === null && { from: t('ui.required.message', { label: t('ui.range.from') }) }),
      ...(to === null && { to: t('ui.required.message', { label: t('ui.range.to') }) }),
      ...(from !== null && to !== null && from >= to && { to: t('error.field.RANGE_BACKWARDS') }),
      ...(currentPassword === '' && {
        currentPassword: t('ui.required.message', { label: t('privacy.erase.password') }),
      }),
    }),
    submit: async ({ from, to, currentPassword }) => {
      const body = { from: from ?? '', to: to ?? '', currentPassword };
      await exportPosted('POST /privacy/:customerId/report', { params: { customerId }, body }, 'privacy-report.csv');
      form.set({ currentPassword: '' });
    },
    codeFields: { REAUTHENTICATE: 'currentPassword' },
  });
  const { values, set } = form;
  return (
    <Panel title={t('privacy.report')}>
      <Form {...form.formProps}>
        <p className="ink-2">{t('privacy.report.text')}</p>
        <Field label={t('ui.range.from')} required {...form.field('from')}>
          <DateTimeInput value={values.from} onChange={(from) => set({ from })} />
        </Field>
        <Field label={t('ui.range.to')} required {...form.field('to')}>
          <DateTimeInput value={values.to} onChange={(to) => set({ to })} />
        </Field>
        <Field label={t('privacy.erase.password')} required {...form.field('currentPassword')}>
          <PasswordInput autoComplete="current-password" {...form.bind('currentPassword')} />
        </Field>
        <FormProblem>{form.problem}</FormProblem>
        <div>
          <Button type="submit" loading={form.busy}>
            {t('privacy.download.csv')}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
