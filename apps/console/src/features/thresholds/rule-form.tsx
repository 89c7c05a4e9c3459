import type { Threshold } from '@pahatid/contract';
import { useDeferredValue, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useTypedNumbers } from '../../lib/format/use-typed-numbers.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormSection } from '../../ui/form/form-section.tsx';
import { OptionCards } from '../../ui/form/inputs.tsx';
import { SharedFormDrawer } from '../../ui/form/shared-form-drawer.tsx';
import { useSharedForm } from '../../ui/form/use-shared-form.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { checkRule } from './check-rule.ts';
import { ContactFields, ScopeFields } from './common-fields.tsx';
import { fieldLabels, fieldText } from './field-labels.ts';
import { Forecast } from './forecast.tsx';
import { FrequencyFields, PumpingFields, QualityFields, VolumeFields } from './kind-fields.tsx';
import { kinds } from './rule-text.ts';
import { changeOf, emptyRule, type RuleValues, ruleOf, valuesOf } from './rule-values.ts';

/** A new rule, or the one that is changed. */
export function RuleForm({ thresholdId, onClose }: { thresholdId: string | null; onClose: () => void }) {
  const t = useText();
  const one = useCall(
    'GET /thresholds/:thresholdId',
    { params: { thresholdId: thresholdId ?? '' } },
    { enabled: thresholdId !== null },
  );
  if (thresholdId === null) return <RuleFields rule={null} onClose={onClose} />;
  if (one.data) return <RuleFields rule={one.data} onClose={onClose} />;
  return (
    <Drawer title={t('thresholds.edit')} onClose={onClose}>
      {one.error ? <FailedState error={one.error} onRetry={() => void one.refetch()} /> : <SkeletonLines lines={8} />}
    </Drawer>
  );
}

interface RuleFieldsProps {
  /** Null: a new one. */
  rule: Threshold | null;
  onClose: () => void;
}

function RuleFields({ rule: stored, onClose }: RuleFieldsProps) {
  const t = useText();
  const refresh = useRefresh();
  const formats = useFormats();
  const numbers = useTypedNumbers();
  const isNew = stored === null;
  const thresholdId = stored?.thresholdId ?? '';
  const [initial] = useState(() => (stored ? valuesOf(stored, numbers) : emptyRule));
  const form = useSharedForm<RuleValues>({
    keep: `threshold:${stored?.thresholdId ?? 'new'}`,
    initial,
    version: stored?.version ?? null,
    read: async () => {
      const now = await call('GET /thresholds/:thresholdId', { params: { thresholdId } });
      return { values: valuesOf(now, numbers), version: now.version };
    },
    labels: fieldLabels(t, initial.metric),
    show: (name, values) => fieldText(name, values, { t, formats, numbers }),
    validate: (values) => checkRule(values, t, numbers),
    fieldOf: (path) => (path === 'graceSeconds' ? 'graceMinutes' : undefined),
    codeFields: { APP_NOT_FOUND: 'appId', CALLBACK_URL_INVALID: 'webhooks' },
    submit: async (values, version) => {
      const rule = ruleOf(values, numbers);
      // Anything that passes the fields' checks is a valid rule.
      if (rule === null) return;
      if (isNew) await call('POST /thresholds', { body: rule });
      else
        await call('PATCH /thresholds/:thresholdId', {
          params: { thresholdId },
          body: { ...changeOf(rule), ...(version !== null && { version }) },
        });
      await refresh('/thresholds', '/tasks');
      toast(t(isNew ? 'thresholds.added' : 'thresholds.saved'));
      onClose();
    },
  });
  const { values } = form;
  // Asked once typing pauses; contacts change nothing of it.
  const written = useDeferredValue(ruleOf({ ...values, emails: '', mobileNumbers: '', webhooks: '' }, numbers));
  const parts = { form, values };
  return (
    <SharedFormDrawer
      title={t(isNew ? 'thresholds.add' : 'thresholds.edit')}
      saveLabel={t(isNew ? 'thresholds.add' : 'ui.save')}
      form={form}
      onClose={onClose}
    >
      {isNew && (
        <FormSection step={1} title={t('thresholds.section.kind')}>
          <Field label={t('thresholds.kind')} group>
            <OptionCards
              options={kinds.map((kind) => ({
                value: kind,
                title: t(`thresholds.kind.${kind}`),
                note: t(`thresholds.kind.${kind}.note`),
              }))}
              value={values.kind}
              // Not every kind can take each action.
              onChange={(kind) => form.set({ kind, act: 'alert' })}
            />
          </Field>
        </FormSection>
      )}
      <FormSection step={isNew ? 2 : 1} title={t('thresholds.section.bounds')}>
        {values.kind === 'volume' && <VolumeFields {...parts} />}
        {values.kind === 'quality' && <QualityFields {...parts} />}
        {values.kind === 'frequency' && <FrequencyFields {...parts} />}
        {values.kind === 'pumping' && <PumpingFields {...parts} />}
        <div className="threshold-past">
          <div className="small strong">{t('thresholds.forecast')}</div>
          <Forecast rule={written} />
        </div>
      </FormSection>
      <FormSection step={isNew ? 3 : 2} title={t('thresholds.section.scope')}>
        <ScopeFields {...parts} />
      </FormSection>
      <FormSection step={isNew ? 4 : 3} title={t('thresholds.section.contacts')}>
        <ContactFields {...parts} />
      </FormSection>
    </SharedFormDrawer>
  );
}
