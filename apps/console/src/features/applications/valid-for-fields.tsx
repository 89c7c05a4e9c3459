import { type ValidFor, validForDefaults, validForLimits } from '@pahatid/contract/enums';
import { Fragment } from 'react';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { NumberInput } from '../../ui/form/inputs.tsx';

const kinds = ['verification', 'notification', 'marketing'] as const;

/** The limit of each send type in seconds, the default in its place; one line each. */
export const validForLines = (value: ValidFor, t: Text): string[] =>
  kinds.map((kind) =>
    t('applications.doubt.line', {
      kind: t(`applications.doubt.${kind}`),
      policy: String(value[kind] ?? validForDefaults[kind] ?? '–'),
    }),
  );

/** For each send type: seconds after which a message is not sent any more; empty: the default. */
export function ValidForFields({ value, onChange }: { value: ValidFor; onChange: (value: ValidFor) => void }) {
  const t = useText();
  return (
    <Field group label={t('applications.validFor')} optional hint={t('applications.validFor.hint')}>
      <div className="field-rows">
        {kinds.map((kind) => (
          <Fragment key={kind}>
            <span>{t(`applications.doubt.${kind}`)}</span>
            <NumberInput
              aria-label={t(`applications.doubt.${kind}`)}
              min={validForLimits.shortest}
              max={validForDefaults[kind] ?? validForLimits.longest}
              placeholder={String(validForDefaults[kind] ?? '–')}
              value={value[kind]}
              onChange={(seconds) => onChange({ ...value, [kind]: seconds })}
            />
          </Fragment>
        ))}
      </div>
    </Field>
  );
}
