import { type Application, DoubtPolicy } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Field } from '../../ui/form/field.tsx';

type Policy = Application['doubtPolicy'];

/** For each send type: hold what may have gone out, or rather send it twice. */
export function DoubtPolicyFields({ value, onChange }: { value: Policy; onChange: (value: Policy) => void }) {
  const t = useText();
  return (
    <Field group label={t('applications.doubt')} hint={t('applications.doubt.hint')}>
      <div className="stack">
        {(['verification', 'notification', 'marketing'] as const).map((kind) => (
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
