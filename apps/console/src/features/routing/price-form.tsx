import type { PriceItem } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useTypedNumbers } from '../../lib/format/use-typed-numbers.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { DateTimeInput } from '../../ui/form/date-time-input.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { OptionCards, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Note } from '../../ui/page/note.tsx';
import { type RouteScope, RouteScopeFields } from './route-scope-fields.tsx';

interface Values extends RouteScope {
  price: string;
  when: 'now' | 'later';
  effectiveTime: string | null;
}

/** Sets a price immediately or from a future time; an existing one keeps its scope. */
export function PriceForm({ price, onClose }: { price: PriceItem | null; onClose: () => void }) {
  const t = useText();
  const formats = useFormats();
  const refresh = useRefresh();
  const [isRemoving, setRemoving] = useState(false);
  const numbers = useTypedNumbers();
  const form = useForm<Values>({
    initial: {
      areaCode: price?.areaCode ?? 'PH',
      carrier: price?.carrier ?? null,
      smsType: price?.smsType ?? null,
      price: price ? numbers.write(price.price / 10_000) : '',
      when: 'now',
      effectiveTime: null,
    },
    validate: (values) => {
      const amount = numbers.money(values.price);
      return {
        ...((amount === null || amount < 0) && { price: t('routing.price.wrong') }),
        ...(values.when === 'later' &&
          values.effectiveTime === null && {
            effectiveTime: t('ui.required.choice', { label: t('routing.price.from') }),
          }),
      };
    },
    pesoFields: ['price'],
    submit: async ({ price: typed, when, effectiveTime, ...scope }) => {
      const amount = numbers.money(typed) ?? 0;
      const customerId = price?.customerId ?? null;
      let saved: object;
      if (when === 'later') {
        const body = { ...scope, customerId, price: amount, effectiveTime: effectiveTime ?? '' };
        saved = await call('POST /price-changes', { body });
      } else if (price) {
        const params = { priceId: price.priceId };
        saved = await call('PATCH /prices/:priceId', { params, body: { price: amount, version: price.version } });
      } else {
        saved = await call('POST /prices', { body: { ...scope, customerId, price: amount } });
      }
      const done = when === 'later' ? 'routing.price.plannedDone' : 'routing.price.saved';
      if ('approvalId' in saved) toast(t('approvals.sent'), 'info');
      else toast(t(done));
      await refresh('/prices', '/price-changes', '/routes', '/approvals');
      onClose();
    },
  });
  const typed = numbers.money(form.values.price);
  const limit = useCall('GET /approval-limits').data?.price;
  const needsApproval =
    price !== null && typed !== null && limit !== undefined && Math.abs(typed - price.price) > limit;
  return (
    <FormDialog
      title={t(price ? 'routing.price.edit' : 'routing.price.add')}
      form={form}
      {...(needsApproval && { saveLabel: t('approvals.request') })}
      aside={
        price && (
          <Button variant="danger" onClick={() => setRemoving(true)}>
            {t('routing.remove')}
          </Button>
        )
      }
      onClose={onClose}
    >
      {!price && (
        <RouteScopeFields values={form.values} set={(patch) => form.set(patch)} error={form.errorOf('areaCode')} />
      )}
      <Field label={t('routing.price')} required hint={t('routing.price.hint')} {...form.field('price')}>
        <TextInput {...form.bind('price')} inputMode="decimal" dir="ltr" autoComplete="off" maxLength={16} />
      </Field>
      {needsApproval && <Note tone="warning">{t('approvals.needed.price', { limit: formats.money(limit) })}</Note>}
      <Field group label={t('routing.price.when')}>
        <OptionCards
          value={form.values.when}
          onChange={(when) => form.set({ when })}
          options={[
            { value: 'now', title: t('routing.price.when.now'), note: t('routing.price.when.now.note') },
            { value: 'later', title: t('routing.price.when.later'), note: t('routing.price.when.later.note') },
          ]}
        />
      </Field>
      {form.values.when === 'later' && (
        <Field label={t('routing.price.from')} required {...form.field('effectiveTime')}>
          <DateTimeInput {...form.bind('effectiveTime')} futureOnly />
        </Field>
      )}
      {isRemoving && price && (
        <ConfirmDialog
          danger
          title={t('routing.price.remove.title')}
          confirmLabel={t('routing.remove')}
          onConfirm={async () => {
            const pending = await call('DELETE /prices/:priceId', { params: { priceId: price.priceId } });
            toast(t(pending ? 'approvals.sent' : 'routing.price.removed'));
            await refresh('/prices', '/price-changes', '/routes', '/approvals');
            onClose();
          }}
          onClose={() => setRemoving(false)}
        >
          {t('routing.price.remove.text')}
        </ConfirmDialog>
      )}
    </FormDialog>
  );
}
