import type { CustomerDetail, PriceItem } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useTypedNumbers } from '../../lib/format/use-typed-numbers.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Money } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import type { ScopeValues } from '../../ui/form/scope-fields.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Section } from '../../ui/page/page.tsx';
import { CustomerScope, useScopeText } from './customer-scope.tsx';
import { CustomerTable } from './customer-table.tsx';

/** Prices of this customer alone, which take precedence over the list. */
export function CustomerPrices({ customer }: { customer: CustomerDetail }) {
  const t = useText();
  const scopeText = useScopeText();
  const prices = useCall('GET /prices', { query: { customerId: customer.customerId, limit: '200' } });
  const [doing, setDoing] = useState<'add' | PriceItem | null>(null);
  const [removing, setRemoving] = useState<PriceItem | null>(null);
  const refresh = useRefresh();
  const remove = async (priceId: string) => {
    const pending = await call('DELETE /prices/:priceId', { params: { priceId } });
    toast(t(pending ? 'approvals.sent' : 'customers.price.removed'));
    await refresh('/prices', '/approvals');
  };
  return (
    <Section
      title={t('customers.prices')}
      aside={
        <Button size="small" onClick={() => setDoing('add')}>
          {t('customers.price.add')}
        </Button>
      }
    >
      <p className="small ink-2">{t('customers.prices.fact')}</p>
      {prices.isPending && <SkeletonLines lines={3} />}
      {prices.error && <FailedState error={prices.error} onRetry={() => void prices.refetch()} />}
      {prices.data?.items.length === 0 && <p className="ink-3 small">{t('customers.prices.none')}</p>}
      {prices.data && prices.data.items.length > 0 && (
        <CustomerTable
          caption={t('customers.prices')}
          columns={[
            { title: t('customers.scope') },
            { title: t('customers.price'), align: 'end' },
            { title: t('customers.actions'), isHidden: true },
          ]}
        >
          {prices.data.items.map((row) => (
            <tr key={row.priceId}>
              <td>
                {scopeText(row)}
                <span className="cell-note">{row.areaCode}</span>
              </td>
              <td className="align-end">
                <Money value={row.price} />
              </td>
              <td className="align-end">
                <Button size="small" variant="quiet" onClick={() => setDoing(row)}>
                  {t('customers.edit')}
                </Button>
                <Button size="small" variant="quiet" onClick={() => setRemoving(row)}>
                  {t('customers.remove')}
                </Button>
              </td>
            </tr>
          ))}
        </CustomerTable>
      )}
      {doing !== null && (
        <PriceForm customer={customer} price={doing === 'add' ? null : doing} onClose={() => setDoing(null)} />
      )}
      {removing && (
        <ConfirmDialog
          danger
          title={t('customers.price.remove')}
          confirmLabel={t('customers.price.remove')}
          onConfirm={() => remove(removing.priceId)}
          onClose={() => setRemoving(null)}
        >
          {t('customers.price.remove.text', { scope: scopeText(removing) })}
        </ConfirmDialog>
      )}
    </Section>
  );
}

interface PriceFormProps {
  customer: CustomerDetail;
  /** null: a new one. */
  price: PriceItem | null;
  onClose: () => void;
}

function PriceForm({ customer, price, onClose }: PriceFormProps) {
  const t = useText();
  const scopeText = useScopeText();
  const refresh = useRefresh();
  const numbers = useTypedNumbers();
  const form = useForm<ScopeValues & { price: string }>({
    initial: {
      carrier: price?.carrier ?? null,
      smsType: price?.smsType ?? null,
      price: price ? numbers.write(price.price / 10_000) : '',
    },
    validate: (values) => {
      const amount = numbers.money(values.price);
      return amount === null || amount < 0 ? { price: t('customers.price.wrong') } : {};
    },
    pesoFields: ['price'],
    submit: async ({ price: typed, ...scope }) => {
      const amount = numbers.money(typed) ?? 0;
      let saved: object;
      if (price) {
        const params = { priceId: price.priceId };
        saved = await call('PATCH /prices/:priceId', { params, body: { price: amount, version: price.version } });
      } else {
        saved = await call('POST /prices', { body: { ...scope, price: amount, customerId: customer.customerId } });
      }
      toast(t('approvalId' in saved ? 'approvals.sent' : 'customers.saved'));
      await refresh('/prices', '/approvals');
      onClose();
    },
  });
  return (
    <FormDialog title={t(price ? 'customers.price.edit' : 'customers.price.add')} form={form} onClose={onClose}>
      {price ? <p>{scopeText(price)}</p> : <CustomerScope values={form.values} set={(patch) => form.set(patch)} />}
      <Field label={t('customers.price')} required hint={t('customers.price.hint')} {...form.field('price')}>
        <TextInput {...form.bind('price')} inputMode="decimal" dir="ltr" autoComplete="off" maxLength={16} />
      </Field>
    </FormDialog>
  );
}
