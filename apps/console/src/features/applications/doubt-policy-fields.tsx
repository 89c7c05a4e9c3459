import { type Application, DoubtPolicy } from '@pahatid/contract';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Field } from '../../ui/form/field.tsx';

type Policy = Application['doubtPolicy'];

const kinds = ['verification', 'notification', 'marketing'] as const;

/** The policy in one line for each send type. */
export const doubtText = (policy: Policy, t: Text): string =>
  kinds.map((kind) => `${t(`applications.doubt.${kind}`)}: ${t(`applications.doubt.${policy[kind]}`)}`).join('\n');

/** For each send type: whether to hold messages that may have been sent, or risk sending them twice. */
export function DoubtPolicyFields({ value, onChange }: { value: Policy; onChange: (value: Policy) => void }) {
  const t = useText();
  return (
    <Field group label={t('applications.doubt')} hint={t('applications.doubt.hint')}>
      <div className="stack">
        {kinds.map((kind) => (
          <div className="row" key={kind}>
            <span className="grow">{t(`applications.doubt.${kind}`)}</span>
            <Segmented
              label={t(`applications.doubt.${kind}`)}
              options={Object.values(DoubtPolicy).map((policy) => ({
                value: policy,
                label: t(`applications.doubt.${policy}`),
              }))}
              value={value[kind]}
              onChange={(policy) => onChange({ ...value, [kind]: policy })}
            />
          </div>
        ))}
      </div>
    </Field>
  );
}
