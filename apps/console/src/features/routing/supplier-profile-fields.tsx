import { RECEIPT_HOURS, type SupplierProfile } from '@pahatid/contract';
import { Plus, Trash2 } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormSection } from '../../ui/form/form-section.tsx';
import { Checkbox, NumberInput, TextInput } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import type { useForm } from '../../ui/form/use-form.ts';
import {
  offsetName,
  type StatusRow,
  type SupplierValues,
  submitClasses,
  validityOfHours,
  zoneOffsets,
} from './supplier-values.ts';

type SupplierFormState = ReturnType<typeof useForm<SupplierValues>>;

/** The first that SMPP 3.4 leaves to carriers is 0x400 (§5.1.3). */
const exampleStatus = '0x401';
const alphabets = ['gsm7', 'latin1', 'ascii'] as const;
const receiptMatches = ['id', 'phone'] as const satisfies readonly SupplierProfile['receiptMatch'][];
const queueFulls = ['message', 'account'] as const satisfies readonly SupplierProfile['queueFull'][];
const queries = ['off', 'on'] as const;
const idBases = ['dec', 'hex', 'text'] as const satisfies readonly SupplierProfile['idBase'][];

/** The carrier's text and receipt formats; the defaults may remain. */
export function SupplierProfileFields({ form }: { form: SupplierFormState }) {
  const t = useText();
  const { values } = form;
  const octet = (name: 'sourceTon' | 'sourceNpi' | 'destinationTon' | 'destinationNpi', placeholder: string) => (
    <Field label={t(`routing.${name}`)} {...form.field(name)}>
      <NumberInput {...form.bind(name)} min={0} max={255} placeholder={placeholder} />
    </Field>
  );
  const validity = [...validityOfHours].map(([value, hours]) => ({
    value,
    label:
      hours % 24 === 0
        ? t('routing.validity.days', { count: hours / 24 })
        : t('routing.validity.hours', { count: hours }),
  }));
  const isOther = values.validityPeriod !== '' && !validityOfHours.has(values.validityPeriod);
  const offsets = zoneOffsets.includes(values.receiptZoneMinutes)
    ? zoneOffsets
    : [values.receiptZoneMinutes, ...zoneOffsets];
  return (
    <>
      <FormSection step={4} title={t('routing.form.submit')} fact={t('routing.form.profile')}>
        <div className="form-grid">
          {octet('sourceTon', t('routing.auto'))}
          {octet('sourceNpi', t('routing.auto'))}
          {octet('destinationTon', '1')}
          {octet('destinationNpi', '1')}
          <Field label={t('routing.alphabet')} hint={t('routing.alphabet.hint')} {...form.field('alphabet')}>
            <Select
              {...form.bind('alphabet')}
              onChange={(alphabet) => alphabet && form.set({ alphabet })}
              options={alphabets.map((value) => ({ value, label: t(`routing.alphabet.${value}`) }))}
            />
          </Field>
          <Field label={t('routing.serviceType')} hint={t('routing.serviceType.hint')} {...form.field('serviceType')}>
            <TextInput code {...form.bind('serviceType')} maxLength={5} autoComplete="off" />
          </Field>
          <Field label={t('routing.validity')} hint={t('routing.validity.hint')} {...form.field('validityPeriod')}>
            <Select
              {...form.bind('validityPeriod')}
              onChange={(validityPeriod) => form.set({ validityPeriod: validityPeriod ?? '' })}
              options={[
                { value: '', label: t('routing.validity.carrier') },
                ...(isOther ? [{ value: values.validityPeriod, label: values.validityPeriod }] : []),
                ...validity,
              ]}
            />
          </Field>
        </div>
      </FormSection>
      <FormSection step={5} title={t('routing.form.receipts')} fact={t('routing.form.profile')}>
        <div className="form-grid">
          <Field label={t('routing.idBase')} hint={t('routing.idBase.hint')} {...form.field('idBase')}>
            <Select
              {...form.bind('idBase')}
              clearable
              placeholder={t('routing.idBase.any')}
              options={idBases.map((value) => ({ value, label: t(`routing.idBase.${value}`) }))}
            />
          </Field>
          <Field
            label={t('routing.receiptMatch')}
            hint={t('routing.receiptMatch.hint')}
            {...form.field('receiptMatch')}
          >
            <Select
              {...form.bind('receiptMatch')}
              onChange={(receiptMatch) => receiptMatch && form.set({ receiptMatch })}
              options={receiptMatches.map((value) => ({ value, label: t(`routing.receiptMatch.${value}`) }))}
            />
          </Field>
          <Field
            label={t('routing.receiptZone')}
            hint={t('routing.receiptZone.hint')}
            {...form.field('receiptZoneMinutes')}
          >
            <Select
              {...form.bind('receiptZoneMinutes')}
              onChange={(receiptZoneMinutes) => receiptZoneMinutes !== null && form.set({ receiptZoneMinutes })}
              options={offsets.map((value) => ({ value, label: offsetName(value) }))}
            />
          </Field>
          <Field
            label={t('routing.receiptHours')}
            required
            hint={t('routing.receiptHours.hint')}
            {...form.field('receiptHours')}
          >
            <NumberInput {...form.bind('receiptHours')} min={RECEIPT_HOURS.least} max={RECEIPT_HOURS.most} />
          </Field>
          <Field label={t('routing.query')} hint={t('routing.query.hint')} {...form.field('query')}>
            <Select
              {...form.bind('query')}
              value={values.query ? 'on' : 'off'}
              onChange={(query) => query && form.set({ query: query === 'on' })}
              options={queries.map((value) => ({ value, label: t(`routing.tls.${value}`) }))}
            />
          </Field>
        </div>
        <Checkbox checked={values.acceptdIsFinal} onChange={(acceptdIsFinal) => form.set({ acceptdIsFinal })}>
          {t('routing.acceptdIsFinal')}
        </Checkbox>
      </FormSection>
      <FormSection step={6} title={t('routing.form.statuses')} fact={t('routing.form.statuses.fact')}>
        <div className="form-grid">
          <Field label={t('routing.queueFull')} hint={t('routing.queueFull.hint')} {...form.field('queueFull')}>
            <Select
              {...form.bind('queueFull')}
              onChange={(queueFull) => queueFull && form.set({ queueFull })}
              options={queueFulls.map((value) => ({ value, label: t(`routing.queueFull.${value}`) }))}
            />
          </Field>
        </div>
        <StatusRows form={form} />
      </FormSection>
    </>
  );
}

/** Meanings of the carrier's non-standard statuses. */
function StatusRows({ form }: { form: SupplierFormState }) {
  const t = useText();
  const rows = form.values.statusRows;
  const change = (key: number, patch: Partial<StatusRow>) =>
    form.set({ statusRows: rows.map((row) => (row.key === key ? { ...row, ...patch } : row)) });
  const { error } = form.field('statusRows');
  return (
    <div className="routing-statuses">
      {rows.map((row, index) => {
        const n = index + 1;
        return (
          <fieldset key={row.key} className="routing-status" aria-label={t('routing.status.row', { n })}>
            <Field label={t('routing.status')}>
              <TextInput
                code
                value={row.status}
                onChange={(status) => change(row.key, { status })}
                placeholder={exampleStatus}
                maxLength={10}
                autoComplete="off"
              />
            </Field>
            <Field label={t('routing.status.class')}>
              <Select
                value={row.class}
                onChange={(value) => value && change(row.key, { class: value })}
                options={submitClasses.map((value) => ({ value, label: t(`routing.status.${value}`) }))}
              />
            </Field>
            <Button
              variant="quiet"
              icon={Trash2}
              aria-label={t('routing.status.remove', { n })}
              title={t('routing.status.remove', { n })}
              onClick={() => form.set({ statusRows: rows.filter(({ key }) => key !== row.key) })}
            />
          </fieldset>
        );
      })}
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <Button
        icon={Plus}
        size="small"
        onClick={() =>
          form.set({
            statusRows: [
              ...rows,
              { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, status: '', class: 'permanent' },
            ],
          })
        }
      >
        {t('routing.status.add')}
      </Button>
    </div>
  );
}
