import { checkPassword, type PasswordProblem, ratePassword } from '@pahatid/domain';
import { Check, Circle } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { Icon } from '../../ui/base/icon.tsx';

const rules = [
  'TOO_SHORT',
  'NO_UPPERCASE',
  'NO_LOWERCASE',
  'NO_NUMBER',
  'NO_SPECIAL',
] as const satisfies PasswordProblem[];

/** Requirements of a password, ticked while it is typed, and its strength. */
export function PasswordRules({ password }: { password: string }) {
  const t = useText();
  const missing = checkPassword(password);
  const strength = ratePassword(password);
  return (
    <>
      <ul className="password-rules">
        {rules.map((rule) => {
          const isMet = password !== '' && !missing.includes(rule);
          return (
            <li key={rule} className={classNames(isMet && 'is-met')}>
              <Icon of={isMet ? Check : Circle} size="small" />
              {t(`setup.rule.${rule}`)}
              {isMet && <span className="visually-hidden">{t('setup.rule.met')}</span>}
            </li>
          );
        })}
      </ul>
      {password !== '' && <p>{t.rich('setup.strength', { strength: <b>{t(`setup.strength.${strength}`)}</b> })}</p>}
    </>
  );
}
