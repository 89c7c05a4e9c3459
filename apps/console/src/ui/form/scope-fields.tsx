import { Carrier, SmsType } from '@pahatid/contract';
import type { ReactNode } from 'react';
import type { MessageKey } from '../../lib/i18n/message-key.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Field } from './field.tsx';
import { Select } from './select.tsx';

/** Which messages something is about; null: any. */
export interface ScopeValues {
  carrier: string | null;
  smsType: SmsType | null;
}

export const carriers = Object.values(Carrier).map((value) => ({ value: value as string, label: value }));

interface ScopeFieldsProps {
  values: ScopeValues;
  set: (patch: Partial<ScopeValues>) => void;
  labels: Record<'carrier' | 'anyCarrier' | 'smsType' | 'anySmsType', MessageKey>;
  /** Further fields of the same row. */
  children?: ReactNode;
}

/** Carrier and type side by side, each to be left open. */
export function ScopeFields({ values, set, labels, children }: ScopeFieldsProps) {
  const t = useText();
  return (
    <div className="form-grid">
      <Field label={t(labels.carrier)}>
        <Select
          clearable
          placeholder={t(labels.anyCarrier)}
          value={values.carrier}
          onChange={(carrier) => set({ carrier })}
          options={carriers}
        />
      </Field>
      <Field label={t(labels.smsType)}>
        <Select
          clearable
          placeholder={t(labels.anySmsType)}
          value={values.smsType}
          onChange={(smsType) => set({ smsType })}
          options={Object.values(SmsType).map((value) => ({ value, label: t(`customers.smsType.${value}`) }))}
        />
      </Field>
      {children}
    </div>
  );
}
