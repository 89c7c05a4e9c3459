import type { HolidayEntry } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Mono } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Delayed, SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { Note, Section } from '../../ui/page/page.tsx';

const manila = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Manila', dateStyle: 'short' });

/** When reviewers work, and the public holidays from today on; admins edit them. */
export function HolidaysDrawer({ onClose }: { onClose: () => void }) {
  const t = useText();
  const isAdmin = useMay('admin');
  const list = useCall('GET /holidays', { query: { from: manila.format(new Date()), limit: 200 } });
  return (
    <Drawer title={t('review.hours')} width="narrow" onClose={onClose}>
      <p className="ink-2">{t('review.hours.text')}</p>
      <Section title={t('review.holidays')}>
        {list.data ? (
          <HolidayTable items={list.data.items} isAdmin={isAdmin} />
        ) : list.error ? (
          <FailedState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <Delayed>
            <SkeletonLines lines={6} />
          </Delayed>
        )}
      </Section>
      {isAdmin ? <AddHoliday /> : <Note>{t('review.holidays.admins')}</Note>}
    </Drawer>
  );
}

function HolidayTable({ items, isAdmin }: { items: readonly HolidayEntry[]; isAdmin: boolean }) {
  const t = useText();
  const refresh = useRefresh();
  const isChinese = useTexts().locale.startsWith('zh');
  if (items.length === 0) return <p className="small ink-3">{t('review.holidays.none')}</p>;
  const remove = async (day: string) => {
    try {
      await call('DELETE /holidays/:day', { params: { day } });
      toast(t('review.holidays.removed', { day }));
    } catch (error) {
      toastError(error);
    }
    await refresh('/holidays');
  };
  return (
    <table className="plain-table review-holidays">
      <caption className="visually-hidden">{t('review.holidays')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('review.holidays.day')}</th>
          <th scope="col">{t('review.holidays.name')}</th>
          {isAdmin && (
            <th scope="col">
              <span className="visually-hidden">{t('review.holidays.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {items.map(({ day, name, nameZh }) => (
          <tr key={day}>
            <td>
              <Mono>{day}</Mono>
            </td>
            <td>
              <bdi>{isChinese && nameZh ? nameZh : name}</bdi>
              {nameZh && <span className="cell-note">{isChinese ? name : nameZh}</span>}
            </td>
            {isAdmin && (
              <td className="align-end">
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={t('review.holidays.remove', { name: `${day} ${name}` })}
                  onClick={() => void remove(day)}
                >
                  {t('review.holidays.remove.short')}
                </Button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

function AddHoliday() {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm({
    initial: { day: '', name: '', nameZh: '' },
    validate: ({ day, name }) => ({
      ...(!isDay(day.trim()) && { day: t('review.holidays.day.invalid') }),
      ...(name.trim() === '' && { name: t('ui.required.message', { label: t('review.holidays.name') }) }),
    }),
    submit: async ({ day, name, nameZh }) => {
      const saved = await call('PUT /holidays/:day', {
        params: { day: day.trim() },
        body: { name: name.trim(), nameZh: nameZh.trim() },
      });
      toast(t('review.holidays.saved', { day: saved.day }));
      form.reset({ day: '', name: '', nameZh: '' });
      await refresh('/holidays');
    },
  });
  return (
    <Section title={t('review.holidays.add')}>
      <Form {...form.formProps}>
        <Field label={t('review.holidays.day')} required hint="2026-12-25" {...form.field('day')}>
          <TextInput {...form.bind('day')} code maxLength={10} autoComplete="off" />
        </Field>
        <Field label={t('review.holidays.name')} required {...form.field('name')}>
          <TextInput {...form.bind('name')} maxLength={80} autoComplete="off" />
        </Field>
        <Field label={t('review.holidays.nameZh')} optional {...form.field('nameZh')}>
          <TextInput {...form.bind('nameZh')} maxLength={80} autoComplete="off" />
        </Field>
        <FormProblem>{form.problem}</FormProblem>
        <div>
          <Button type="submit" loading={form.busy}>
            {t('review.holidays.add')}
          </Button>
        </div>
      </Form>
    </Section>
  );
}
