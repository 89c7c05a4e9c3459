import { legalQuietHours, type QuietHours } from '@pahatid/domain';
import { MoonStar } from 'lucide-react';
import { useMemo, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Note } from '../../ui/page/page.tsx';

/**
 * Quiet hours of marketing: one line, and for owners a button to extend them. A load failure does not affect the rules.
 */
export function QuietHoursNote() {
  const t = useText();
  const isOwner = useMay('owner');
  const [changing, setChanging] = useState(false);
  const clock = useClockText();
  const { data } = useCall('GET /quiet-hours');
  if (data === undefined) return null;
  const change = isOwner && !data.isExempt && (
    <Button size="small" onClick={() => setChanging(true)}>
      {t('thresholds.quiet.change')}
    </Button>
  );
  return (
    <>
      <Note icon={MoonStar} action={change}>
        <p className="strong">{t('thresholds.quiet')}</p>
        <p>{data.isExempt ? t('thresholds.quiet.exempt') : t('thresholds.quiet.line', clock(data))}</p>
      </Note>
      {changing && <QuietHoursDialog hours={data} onClose={() => setChanging(false)} />}
    </>
  );
}

function QuietHoursDialog({ hours, onClose }: { hours: QuietHours; onClose: () => void }) {
  const t = useText();
  const clock = useClockText();
  const refresh = useRefresh();
  const form = useForm<QuietHours>({
    initial: { from: hours.from, to: hours.to },
    validate: () => ({}),
    submit: async (body) => {
      await call('PATCH /quiet-hours', { body });
      toast(t('thresholds.quiet.saved'));
      await refresh('/quiet-hours', '/tasks', '/overview');
      onClose();
    },
  });
  const { from, to } = form.values;
  // An hour of the day is left between the two.
  const begins = useHours(to + 1, legalQuietHours.from);
  const ends = useHours(legalQuietHours.to, from - 1);
  return (
    <FormDialog title={t('thresholds.quiet.change')} form={form} saveLabel={t('ui.save')} onClose={onClose}>
      <p>{t('thresholds.quiet.hint', clock(legalQuietHours))}</p>
      <Field label={t('thresholds.quiet.from')} {...form.field('from')}>
        <Select
          {...form.bind('from')}
          onChange={(hour) => hour !== null && form.set({ from: hour })}
          options={begins}
        />
      </Field>
      <Field label={t('thresholds.quiet.to')} {...form.field('to')}>
        <Select {...form.bind('to')} onChange={(hour) => hour !== null && form.set({ to: hour })} options={ends} />
      </Field>
    </FormDialog>
  );
}

function useClockText(): (hours: QuietHours) => { from: string; to: string } {
  const { clockHour } = useFormats();
  return ({ from, to }) => ({ from: clockHour(from), to: clockHour(to) });
}

/** Choices from one hour to another, both with it. */
function useHours(first: number, last: number): { value: number; label: string }[] {
  const formats = useFormats();
  return useMemo(
    () =>
      Array.from({ length: last - first + 1 }, (_, n) => ({
        value: first + n,
        label: formats.clockHour(first + n),
      })),
    [first, last, formats],
  );
}
