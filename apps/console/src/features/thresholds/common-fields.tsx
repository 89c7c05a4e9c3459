import { Carrier } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { NumberInput, TextArea } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import type { RuleFieldParts } from './kind-fields.tsx';
import { smsTypes } from './rule-text.ts';

/** The scope of a rule; an empty field means all. Pumping compares whole applications, each with its own past. */
export function ScopeFields({ form, values }: RuleFieldParts) {
  const t = useText();
  const applications = useCall('GET /applications', { query: { limit: '200' } });
  const any = { clearable: true, placeholder: t('thresholds.any') };
  return (
    <div className="form-grid">
      <Field label={t('thresholds.application')} {...form.field('appId')}>
        <Select
          {...any}
          value={values.appId}
          onChange={(appId) => form.set({ appId })}
          options={(applications.data?.items ?? []).map(({ appId, appName }) => ({
            value: appId,
            label: appName,
            aside: appId,
          }))}
        />
      </Field>
      {values.kind !== 'pumping' && (
        <>
          <Field label={t('thresholds.smsType')}>
            <Select
              {...any}
              value={values.smsType}
              onChange={(smsType) => form.set({ smsType })}
              options={smsTypes.map((value) => ({ value, label: t(`thresholds.smsType.${value}`) }))}
            />
          </Field>
          <Field label={t('thresholds.carrier')}>
            <Select
              {...any}
              value={values.carrier}
              onChange={(carrier) => form.set({ carrier })}
              options={Object.values(Carrier).map((value) => ({ value, label: value }))}
            />
          </Field>
          <Field label={t('thresholds.areaCode')}>
            <Select
              {...any}
              value={values.areaCode}
              onChange={(areaCode) => form.set({ areaCode })}
              options={[{ value: 'PH', label: t('thresholds.area.PH') }]}
            />
          </Field>
        </>
      )}
    </div>
  );
}

/** Contacts to notify in addition to the owners. */
export function ContactFields({ form }: RuleFieldParts) {
  const t = useText();
  return (
    <>
      <div className="form-grid">
        <Field label={t('thresholds.emails')} hint={t('thresholds.emails.hint')} optional {...form.field('emails')}>
          <TextArea {...form.bind('emails')} dir="ltr" rows={3} />
        </Field>
        <Field
          label={t('thresholds.mobileNumbers')}
          hint={t('thresholds.mobileNumbers.hint')}
          optional
          {...form.field('mobileNumbers')}
        >
          <TextArea {...form.bind('mobileNumbers')} dir="ltr" rows={3} />
        </Field>
      </div>
      <Field label={t('thresholds.webhooks')} hint={t('thresholds.webhooks.hint')} optional {...form.field('webhooks')}>
        <TextArea {...form.bind('webhooks')} dir="ltr" rows={2} spellCheck={false} />
      </Field>
      <Field
        label={t('thresholds.silenceMinutes')}
        hint={t('thresholds.silenceMinutes.hint')}
        {...form.field('silenceMinutes')}
      >
        <NumberInput {...form.bind('silenceMinutes')} min={0} max={10_080} />
      </Field>
    </>
  );
}
