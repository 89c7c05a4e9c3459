import { ChargeType, type CustomerApplication, type CustomerDetail } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, Count, Mono } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { NumberInput, OptionCards } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { CountryList } from './country-list.tsx';
import { CustomerTable } from './customer-table.tsx';

/** Pace, connections, countries and payment of each application. */
export function CustomerApplications({ customer }: { customer: CustomerDetail }) {
  const t = useText();
  const formats = useFormats();
  const { locale } = useTexts();
  const isAdmin = useMay('admin');
  const [editing, setEditing] = useState<CustomerApplication | null>(null);
  if (customer.applications.length === 0) return <p className="ink-3 small">{t('customers.applications.none')}</p>;
  return (
    <>
      <CustomerTable
        caption={t('customers.tab.applications')}
        className="is-stacked customers-applications"
        columns={[
          { title: t('customers.application') },
          { title: t('customers.chargeType') },
          { title: t('customers.tps'), align: 'end' },
          { title: t('customers.maxConnectNum'), align: 'end' },
          { title: t('customers.countries') },
          ...(isAdmin ? [{ title: t('customers.actions'), isHidden: true }] : []),
        ]}
      >
        {customer.applications.map((row) => (
          <tr key={row.appId}>
            <td data-label={t('customers.application')}>
              <span>
                <Bdi>{row.appName}</Bdi>
                <span className="cell-note">
                  <Mono>{row.appId}</Mono>
                </span>
              </span>
            </td>
            <td data-label={t('customers.chargeType')}>{t(`customers.chargeType.${row.chargeType}`)}</td>
            <td className="align-end" data-label={t('customers.tps')}>
              <Count value={row.tps} />
            </td>
            <td className="align-end" data-label={t('customers.maxConnectNum')}>
              <Count value={row.maxConnectNum} />
            </td>
            <td data-label={t('customers.countries')}>
              {formats.list(row.countries.map((code) => regionName(locale, code)))}
            </td>
            {isAdmin && (
              <td className="align-end">
                <Button
                  size="small"
                  aria-label={t('customers.application.edit', { name: row.appName })}
                  onClick={() => setEditing(row)}
                >
                  {t('customers.edit')}
                </Button>
              </td>
            )}
          </tr>
        ))}
      </CustomerTable>
      {editing && <EditApplication customer={customer} application={editing} onClose={() => setEditing(null)} />}
    </>
  );
}

interface EditApplicationProps {
  customer: CustomerDetail;
  application: CustomerApplication;
  onClose: () => void;
}

function EditApplication({ customer, application, onClose }: EditApplicationProps) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm<{
    chargeType: ChargeType;
    tps: number | null;
    maxConnectNum: number | null;
    countries: string[];
  }>({
    initial: {
      chargeType: application.chargeType,
      tps: application.tps,
      maxConnectNum: application.maxConnectNum,
      countries: application.countries,
    },
    validate: ({ tps, maxConnectNum }) => ({
      ...(tps === null && { tps: t('ui.required.message', { label: t('customers.tps') }) }),
      ...(maxConnectNum === null && {
        maxConnectNum: t('ui.required.message', { label: t('customers.maxConnectNum') }),
      }),
    }),
    submit: async ({ chargeType, tps, maxConnectNum, countries }) => {
      const params = { customerId: customer.customerId, appId: application.appId };
      const body = { chargeType, tps: tps ?? 1, maxConnectNum: maxConnectNum ?? 1, countries };
      await call('PATCH /customers/:customerId/applications/:appId', { params, body });
      toast(t('customers.saved'));
      await refresh('/customers', '/applications');
      onClose();
    },
  });
  return (
    <FormDialog title={t('customers.application.edit', { name: application.appName })} form={form} onClose={onClose}>
      <Field
        group
        label={t('customers.chargeType')}
        hint={t('customers.chargeType.hint')}
        {...form.field('chargeType')}
      >
        <OptionCards
          {...form.bind('chargeType')}
          options={Object.values(ChargeType).map((value) => ({
            value,
            title: t(`customers.chargeType.${value}`),
            note: t(`customers.chargeType.${value}.note`),
          }))}
        />
      </Field>
      <div className="form-grid">
        <Field label={t('customers.tps')} required {...form.field('tps')}>
          <NumberInput {...form.bind('tps')} min={1} max={100_000} />
        </Field>
        <Field label={t('customers.maxConnectNum')} required {...form.field('maxConnectNum')}>
          <NumberInput {...form.bind('maxConnectNum')} min={1} max={20} />
        </Field>
      </div>
      <CountryList
        value={form.values.countries}
        onChange={(countries) => form.set({ countries })}
        error={form.errorOf('countries')}
      />
    </FormDialog>
  );
}
