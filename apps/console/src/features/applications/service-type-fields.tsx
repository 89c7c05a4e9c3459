import type { Application } from '@pahatid/contract';
import { SmsType } from '@pahatid/contract/enums';
import { Fragment } from 'react';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';

const kinds = ['verification', 'notification', 'marketing'] as const;
const typeOf = {
  verification: SmsType.Verification,
  notification: SmsType.Notification,
  marketing: SmsType.Marketing,
} as const;

/** Values of service_type by send type, as typed: separated by spaces. */
export type ServiceTypeText = Record<(typeof kinds)[number], string>;

export const writeServiceTypes = (serviceTypes: Application['serviceTypes'] = {}): ServiceTypeText => {
  const of = (kind: (typeof kinds)[number]): string =>
    Object.keys(serviceTypes)
      .filter((name) => serviceTypes[name] === typeOf[kind])
      .join(' ');
  return { verification: of('verification'), notification: of('notification'), marketing: of('marketing') };
};

/** Null: one is too long, has a character that no service_type has, or stands for two send types. */
export const readServiceTypes = (text: ServiceTypeText): Application['serviceTypes'] | null => {
  const pairs = kinds.flatMap((kind) =>
    text[kind].split(/\s+/).flatMap((name) => (name === '' ? [] : [[name, typeOf[kind]] as const])),
  );
  const names = pairs.map(([name]) => name);
  if (names.some((name) => !/^[\x21-\x7e]{1,5}$/.test(name)) || new Set(names).size < names.length) return null;
  return Object.fromEntries(pairs);
};

export const serviceTypeLines = (value: ServiceTypeText, t: Text): string =>
  kinds
    .map((kind) => t('applications.doubt.line', { kind: t(`applications.doubt.${kind}`), policy: value[kind] || '–' }))
    .join('\n');

interface ServiceTypeFieldsProps {
  value: ServiceTypeText;
  error?: string | undefined;
  onChange: (value: ServiceTypeText) => void;
}

/** Which send type software over SMPP means with each service_type. */
export function ServiceTypeFields({ value, onChange, ...field }: ServiceTypeFieldsProps) {
  const t = useText();
  return (
    <Field group label={t('applications.serviceTypes')} optional hint={t('applications.serviceTypes.hint')} {...field}>
      <div className="field-rows">
        {kinds.map((kind) => (
          <Fragment key={kind}>
            <span>{t(`applications.doubt.${kind}`)}</span>
            <TextInput
              code
              aria-label={t(`applications.doubt.${kind}`)}
              value={value[kind]}
              maxLength={200}
              autoComplete="off"
              onChange={(text) => onChange({ ...value, [kind]: text })}
            />
          </Fragment>
        ))}
      </div>
    </Field>
  );
}
