import type { Supplier, SupplierProfile } from '@pahatid/contract';
import { PlugZap } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem, FormSection } from '../../ui/form/field.tsx';
import { Checkbox, NumberInput, PasswordInput, TextInput } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { BindTrial } from './bind-trial.tsx';
import { carriers } from './scope-fields.tsx';

interface SupplierFormProps {
  /** null: a new one. */
  supplier: Supplier | null;
  onSaved: (supplierId: string) => void;
  onClose: () => void;
}

interface Values {
  supplierAccount: string;
  carrier: string | null;
  host: string;
  port: number | null;
  tls: boolean;
  systemId: string;
  password: string;
  bindType: Supplier['bindType'];
  bindCount: number | null;
  windowSize: number | null;
  tps: number | null;
  sourceTon: number | null;
  sourceNpi: number | null;
  destinationTon: number | null;
  destinationNpi: number | null;
  systemType: string;
  idBase: NonNullable<SupplierProfile['idBase']> | null;
  alphabet: NonNullable<SupplierProfile['alphabet']>;
  acceptdIsFinal: boolean;
}

const initialOf = (supplier: Supplier | null): Values => ({
  supplierAccount: supplier?.supplierAccount ?? '',
  carrier: supplier?.carrier ?? null,
  host: supplier?.host ?? '',
  port: supplier?.port ?? 2775,
  tls: supplier?.profile.tls ?? false,
  systemId: supplier?.systemId ?? '',
  password: '',
  bindType: supplier?.bindType ?? 'transceiver',
  bindCount: supplier?.bindCount ?? 2,
  windowSize: supplier?.windowSize ?? 100,
  tps: supplier?.tps ?? 1_000,
  sourceTon: supplier?.profile.sourceTon ?? null,
  sourceNpi: supplier?.profile.sourceNpi ?? null,
  destinationTon: supplier?.profile.destinationTon ?? null,
  destinationNpi: supplier?.profile.destinationNpi ?? null,
  systemType: supplier?.profile.systemType ?? '',
  idBase: supplier?.profile.idBase ?? null,
  alphabet: supplier?.profile.alphabet ?? 'gsm7',
  acceptdIsFinal: supplier?.profile.acceptdIsFinal ?? false,
});

/** What the form does not show of a profile stays as it is. */
const profileOf = (values: Values, before: SupplierProfile = {}): SupplierProfile => {
  const { sourceTon, sourceNpi, destinationTon, destinationNpi, idBase, ...rest } = before;
  return {
    ...rest,
    tls: values.tls,
    systemType: values.systemType,
    alphabet: values.alphabet,
    acceptdIsFinal: values.acceptdIsFinal,
    ...(values.sourceTon !== null && { sourceTon: values.sourceTon }),
    ...(values.sourceNpi !== null && { sourceNpi: values.sourceNpi }),
    ...(values.destinationTon !== null && { destinationTon: values.destinationTon }),
    ...(values.destinationNpi !== null && { destinationNpi: values.destinationNpi }),
    ...(values.idBase !== null && { idBase: values.idBase }),
  };
};

const bindTypes = ['transceiver', 'transmitter+receiver'] as const;
const alphabets = ['gsm7', 'latin1', 'ascii'] as const;
const idBases = ['dec', 'hex', 'text'] as const;

/** Adds or edits an account; its password is typed, stored sealed, and never shown again. */
export function SupplierForm({ supplier, onSaved, onClose }: SupplierFormProps) {
  const t = useText();
  const refresh = useRefresh();
  const [isTrying, setTrying] = useState(false);
  const form = useForm<Values>({
    initial: initialOf(supplier),
    validate: (values) => {
      const required = (name: keyof Values, label: string) =>
        values[name] === null || values[name] === '' ? { [name]: t('ui.required.message', { label }) } : {};
      return {
        ...required('supplierAccount', t('routing.supplier')),
        ...required('host', t('routing.host')),
        ...required('port', t('routing.port')),
        ...required('systemId', t('routing.systemId')),
        ...(supplier === null && required('password', t('routing.password'))),
        ...required('bindCount', t('routing.bindCount')),
        ...required('windowSize', t('routing.window')),
        ...required('tps', t('routing.tps')),
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
        profile: profileOf(values, supplier?.profile),
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
    fieldOf: (field) => (field.startsWith('profile.') ? (field.slice('profile.'.length) as keyof Values) : undefined),
    codeFields: { SUPPLIER_ACCOUNT_TAKEN: 'supplierAccount' },
  });
  const { values } = form;
  const octet = (name: 'sourceTon' | 'sourceNpi' | 'destinationTon' | 'destinationNpi') => (
    <Field label={t(`routing.${name}`)} {...form.field(name)}>
      <NumberInput {...form.bind(name)} min={0} max={255} placeholder={t('routing.auto')} />
    </Field>
  );
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
            <Field label={t('routing.systemType')} {...form.field('systemType')}>
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
            <Field label={t('routing.bindCount')} required {...form.field('bindCount')}>
              <NumberInput {...form.bind('bindCount')} min={1} max={64} />
            </Field>
            <Field label={t('routing.window')} required hint={t('routing.window.hint')} {...form.field('windowSize')}>
              <NumberInput {...form.bind('windowSize')} min={1} max={10_000} />
            </Field>
            <Field label={t('routing.tps')} required hint={t('routing.tps.hint')} {...form.field('tps')}>
              <NumberInput {...form.bind('tps')} min={1} max={100_000} />
            </Field>
          </div>
        </FormSection>
        <FormSection step={4} title={t('routing.form.profile')}>
          <div className="form-grid">
            {octet('sourceTon')}
            {octet('sourceNpi')}
            {octet('destinationTon')}
            {octet('destinationNpi')}
            <Field label={t('routing.idBase')} hint={t('routing.idBase.hint')} {...form.field('idBase')}>
              <Select
                {...form.bind('idBase')}
                clearable
                placeholder={t('routing.idBase.any')}
                options={idBases.map((value) => ({ value, label: t(`routing.idBase.${value}`) }))}
              />
            </Field>
            <Field label={t('routing.alphabet')} {...form.field('alphabet')}>
              <Select
                {...form.bind('alphabet')}
                onChange={(alphabet) => alphabet && form.set({ alphabet })}
                options={alphabets.map((value) => ({ value, label: t(`routing.alphabet.${value}`) }))}
              />
            </Field>
          </div>
          <Checkbox checked={values.acceptdIsFinal} onChange={(acceptdIsFinal) => form.set({ acceptdIsFinal })}>
            {t('routing.acceptdIsFinal')}
          </Checkbox>
        </FormSection>
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
            profile: profileOf(values, supplier?.profile),
          }}
          password={values.password}
          onClose={() => setTrying(false)}
        />
      )}
    </Drawer>
  );
}
