import { useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { NumberInput, OptionCards, TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import type { useForm } from '../../ui/form/use-form.ts';
import { perPhoneFields } from './rule-text.ts';
import type { RuleValues } from './rule-values.ts';

export interface RuleFieldParts {
  form: ReturnType<typeof useForm<RuleValues>>;
  values: RuleValues;
}

const units = ['messages', 'segments', 'cost'] as const;
const periods = ['hour', 'day', 'month'] as const;
const metrics = ['delivered', 'failed', 'unknown', 'delay'] as const;
const actions = ['alert', 'pauseTasks', 'pauseApplication'] as const;
const pumpingActions = ['alert', 'slow', 'pauseApplication'] as const;

export function VolumeFields({ form, values }: RuleFieldParts) {
  const t = useText();
  const amount = { inputMode: 'decimal', dir: 'ltr', autoComplete: 'off', maxLength: 20 } as const;
  return (
    <>
      <div className="form-grid">
        <Field label={t('thresholds.unit')}>
          <Select
            value={values.unit}
            onChange={(unit) => unit && form.set({ unit })}
            options={units.map((value) => ({ value, label: t(`thresholds.unit.${value}`) }))}
          />
        </Field>
        <Field label={t('thresholds.period')}>
          <Select
            value={values.period}
            onChange={(period) => period && form.set({ period })}
            options={periods.map((value) => ({ value, label: t(`thresholds.period.${value}`) }))}
          />
        </Field>
      </div>
      <div className="form-grid">
        <Field label={t('thresholds.alertAt')} hint={t('thresholds.alertAt.hint')} {...form.field('alertAt')}>
          <TextInput {...form.bind('alertAt')} {...amount} />
        </Field>
        <Field label={t('thresholds.limitAt')} hint={t('thresholds.limitAt.hint')} {...form.field('limitAt')}>
          <TextInput {...form.bind('limitAt')} {...amount} />
        </Field>
      </div>
    </>
  );
}

export function QualityFields({ form, values }: RuleFieldParts) {
  const t = useText();
  const side = values.metric === 'delay' ? 'delay' : values.metric === 'delivered' ? 'below' : 'above';
  return (
    <>
      <div className="form-grid">
        <Field label={t('thresholds.metric')}>
          <Select
            value={values.metric}
            onChange={(metric) => metric && form.set({ metric })}
            options={metrics.map((value) => ({ value, label: t(`thresholds.metric.${value}`) }))}
          />
        </Field>
        <Field label={t(`thresholds.bound.${side}`)} required {...form.field('bound')}>
          <TextInput {...form.bind('bound')} inputMode="decimal" dir="ltr" autoComplete="off" maxLength={7} />
        </Field>
        <Field
          label={t('thresholds.windowMinutes')}
          hint={t('thresholds.windowMinutes.hint')}
          required
          {...form.field('windowMinutes')}
        >
          <NumberInput {...form.bind('windowMinutes')} min={5} max={1_440} />
        </Field>
        <Field
          label={t('thresholds.minVolume')}
          hint={t('thresholds.minVolume.hint')}
          required
          {...form.field('minVolume')}
        >
          <NumberInput {...form.bind('minVolume')} min={1} max={1_000_000} />
        </Field>
        <Field
          label={t('thresholds.graceMinutes')}
          hint={t('thresholds.graceMinutes.hint')}
          required
          {...form.field('graceMinutes')}
        >
          <NumberInput {...form.bind('graceMinutes')} min={0} max={1_440} />
        </Field>
      </div>
      <Field label={t('thresholds.act')} group>
        <OptionCards
          options={actions.map((act) => ({
            value: act,
            title: t(`thresholds.act.${act}`),
            note: t(`thresholds.act.${act}.note`),
          }))}
          value={values.act}
          onChange={(act) => form.set({ act })}
        />
      </Field>
    </>
  );
}

export function PumpingFields({ form, values }: RuleFieldParts) {
  const t = useText();
  return (
    <>
      <div className="form-grid">
        <Field label={t('thresholds.factor')} hint={t('thresholds.factor.hint')} required {...form.field('factor')}>
          <NumberInput {...form.bind('factor')} min={2} max={100} />
        </Field>
        <Field
          label={t('thresholds.minVolume')}
          hint={t('thresholds.minVolume.hint')}
          required
          {...form.field('minVolume')}
        >
          <NumberInput {...form.bind('minVolume')} min={1} max={1_000_000} />
        </Field>
      </div>
      <Field label={t('thresholds.act')} group>
        <OptionCards
          options={pumpingActions.map((act) => ({
            value: act,
            title: t(`thresholds.act.${act}`),
            note: t(act === 'pauseApplication' ? 'thresholds.pumping.pause' : `thresholds.act.${act}.note`),
          }))}
          value={values.act}
          onChange={(act) => form.set({ act })}
        />
      </Field>
      {values.act === 'slow' && (
        <Field label={t('thresholds.slowTo')} required {...form.field('slowTo')}>
          <NumberInput {...form.bind('slowTo')} min={1} max={100_000} />
        </Field>
      )}
    </>
  );
}

export function FrequencyFields({ form }: RuleFieldParts) {
  const t = useText();
  return (
    <>
      <p className="small ink-2">{t('thresholds.perPhone')}</p>
      <div className="form-grid">
        {perPhoneFields.map((name) => (
          <Field key={name} label={t(`thresholds.field.${name}`)} {...form.field(name)}>
            <NumberInput {...form.bind(name)} min={1} max={100_000} />
          </Field>
        ))}
      </div>
      <Field label={t('thresholds.exempt')} hint={t('thresholds.exempt.hint')} optional {...form.field('exempt')}>
        <TextArea {...form.bind('exempt')} dir="ltr" rows={3} />
      </Field>
    </>
  );
}
