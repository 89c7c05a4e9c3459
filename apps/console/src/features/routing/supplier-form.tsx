import type { Supplier } from '@pahatid/contract';
import { PlugZap } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { FormSection } from '../../ui/form/form-section.tsx';
import { Checkbox, NumberInput, PasswordInput, TextInput } from '../../ui/form/inputs.tsx';
import { carriers } from '../../ui/form/scope-fields.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { BindTrial } from './bind-trial.tsx';
import { SupplierProfileFields } from './supplier-profile-fields.tsx';
import { findWrongStatus, profileOf, type SupplierValues, valuesOf } from './supplier-values.ts';

interface SupplierFormProps {
  /** null: a new one. */
  supplier: Supplier | null;
  onSaved: (supplierId: string) => void;
  onClose: () => void;
}

const bindTypes = ['transceiver', 'transmitter+receiver'] as const;

/** Which field of the form a refused part of the profile belongs to. */
const fieldOf = (field: string): keyof SupplierValues | undefined => {
  if (!field.startsWith('profile.')) return undefined;
  const name = field.slice('profile.'.length);
  if (name.startsWith('statusClasses')) return 'statusRows';
  return name === 'responseTimeoutMs' ? 'responseTimeoutS' : (name as keyof SupplierValues);
};

/** Adds or edits an account; its password is typed, stored sealed, and never shown again. */
export function SupplierForm({ supplier, onSaved, onClose }: SupplierFormProps) {
  const t = useText();
  const refresh = useRefresh();
  const [isTrying, setTrying] = useState(false);
  const form = useForm<SupplierValues>({
    initial: valuesOf(supplier),
    validate: (values) => {
      const required = (name: keyof SupplierValues, label: string) =>
        values[name] === null || values[name] === '' ? { [name]: t('ui.required.message', { label }) } : {};
      const wrong = findWrongStatus(values.statusRows);
      return {
        ...required('supplierAccount', t('routing.supplier')),
        ...required('host', t('routing.host')),
        ...required('port', t('routing.port')),
        ...required('systemId', t('routing.systemId')),
        ...(supplier === null && required('password', t('routing.password'))),
        ...required('bindCount', t('routing.bindCount')),
        ...required('windowSize', t('routing.window')),
        ...required('tps', t('routing.tps')),
        ...required('responseTimeoutS', t('routing.responseTimeout')),
        ...required('receiptHours', t('routing.receiptHours')),
        ...(wrong && { statusRows: t(wrong.isTwice ? 'routing.status.twice' : 'routing.status.wrong') }),
      };
    },
    submit: async (values) => {
      const body = {
        supplierAccount: values.supplierAccount,
        carrier: values.carrier,
        host: values.host,
        port: values.port ?? 0,
        systemId: values.systemId,
        bindType: values.bindType,
        bindCount: values.bindCount ?? 0,
        windowSize: values.windowSize ?? 0,
        tps: values.tps ?? 0,
        profile: profileOf(values),
      };
      const { password } = values;
      const saved = supplier
        ? await call('PATCH /suppliers/:supplierId', {
            params: { supplierId: supplier.supplierId },
            body: { ...body, version: supplier.version, ...(password !== '' && { password }) },
          })
        : await call('POST /suppliers', { body: { ...body, password } });
      toast(t(supplier ? 'routing.supplier.saved' : 'routing.supplier.added'));
      await refresh('/suppliers', '/routes');
      onSaved(saved.supplierId);
    },
    fieldOf,
    codeFields: { SUPPLIER_ACCOUNT_TAKEN: 'supplierAccount' },
  });
  const { values } = form;
  return (
    <Drawer
      title={t(supplier ? 'routing.supplier.edit' : 'routing.supplier.add')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button
            icon={PlugZap}
            disabled={values.host === '' || values.systemId === '' || values.port === null}
            onClick={() => setTrying(true)}
          >
            {t('routing.trial')}
          </Button>
          <span className="grow" />
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {t(supplier ? 'ui.save' : 'routing.supplier.add')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <FormSection step={1} title={t('routing.form.account')}>
          <div className="form-grid">
            <Field
              label={t('routing.supplier')}
              required
              hint={t('routing.supplier.hint')}
              {...form.field('supplierAccount')}
            >
              <TextInput {...form.bind('supplierAccount')} maxLength={50} autoComplete="off" />
            </Field>
            <Field label={t('routing.carrier')} hint={t('routing.supplier.carrier.hint')} {...form.field('carrier')}>
              <Select {...form.bind('carrier')} clearable placeholder={t('routing.anyCarrier')} options={carriers} />
            </Field>
          </div>
        </FormSection>
        <FormSection step={2} title={t('routing.form.connection')}>
          <div className="form-grid">
            <Field label={t('routing.host')} required {...form.field('host')}>
              <TextInput code {...form.bind('host')} maxLength={253} autoComplete="off" />
            </Field>
            <Field label={t('routing.port')} required {...form.field('port')}>
              <NumberInput {...form.bind('port')} min={1} max={65_535} />
            </Field>
            <Field label={t('routing.systemId')} required {...form.field('systemId')}>
              <TextInput code {...form.bind('systemId')} maxLength={15} autoComplete="off" />
            </Field>
            <Field
              label={t('routing.password')}
              required={supplier === null}
              hint={t(supplier ? 'routing.password.keep' : 'routing.password.hint')}
              {...form.field('password')}
            >
              <PasswordInput {...form.bind('password')} maxLength={8} autoComplete="new-password" />
            </Field>
            <Field label={t('routing.systemType')} hint={t('routing.systemType.hint')} {...form.field('systemType')}>
              <TextInput code {...form.bind('systemType')} maxLength={12} autoComplete="off" />
            </Field>
          </div>
          <Checkbox checked={values.tls} onChange={(tls) => form.set({ tls })}>
            {t('routing.tls.use')}
          </Checkbox>
        </FormSection>
        <FormSection step={3} title={t('routing.form.pace')}>
          <div className="form-grid">
            <Field label={t('routing.bindType')} {...form.field('bindType')}>
              <Select
                {...form.bind('bindType')}
                onChange={(bindType) => bindType && form.set({ bindType })}
                options={bindTypes.map((value) => ({ value, label: t(`routing.bindType.${value}`) }))}
              />
            </Field>
            <Field
              label={t('routing.bindCount')}
              required
              hint={t('routing.bindCount.hint')}
              {...form.field('bindCount')}
            >
              <NumberInput {...form.bind('bindCount')} min={1} max={64} />
            </Field>
            <Field label={t('routing.window')} required hint={t('routing.window.hint')} {...form.field('windowSize')}>
              <NumberInput {...form.bind('windowSize')} min={1} max={10_000} />
            </Field>
            <Field label={t('routing.tps')} required hint={t('routing.tps.hint')} {...form.field('tps')}>
              <NumberInput {...form.bind('tps')} min={1} max={100_000} />
            </Field>
            <Field
              label={t('routing.responseTimeout')}
              required
              hint={t('routing.responseTimeout.hint')}
              {...form.field('responseTimeoutS')}
            >
              <NumberInput {...form.bind('responseTimeoutS')} min={1} max={600} />
            </Field>
          </div>
        </FormSection>
        <SupplierProfileFields form={form} />
        <FormProblem>{form.problem}</FormProblem>
      </Form>
      {isTrying && (
        <BindTrial
          supplier={{
            supplierId: supplier?.supplierId,
            host: values.host,
            port: values.port ?? 0,
            systemId: values.systemId,
            bindType: values.bindType,
            profile: profileOf(values),
          }}
          password={values.password}
          onClose={() => setTrying(false)}
        />
      )}
    </Drawer>
  );
}
