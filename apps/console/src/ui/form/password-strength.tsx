import { checkPassword, type PasswordProblem, ratePassword } from '@pahatid/domain';
import { Check, Circle } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../base/class-names.ts';
import { Icon } from '../base/icon.tsx';
import './password-strength.css';

const rules = [
  'TOO_SHORT',
  'NO_UPPERCASE',
  'NO_LOWERCASE',
  'NO_NUMBER',
  'NO_SPECIAL',
] as const satisfies PasswordProblem[];
const panes = { Weak: 1, Medium: 2, Strong: 3 } as const;

/** Requirements of a new password, ticked while it is typed, and a strength meter. */
export function PasswordStrength({ password }: { password: string }) {
  const t = useText();
  const missing = checkPassword(password);
  const strength = ratePassword(password);
  const lit = password === '' ? 0 : panes[strength];
  return (
    <div className="strength">
      <div className={classNames('strength-meter', lit > 0 && `is-${strength.toLowerCase()}`)}>
        <span className="strength-panes" aria-hidden="true">
          {[1, 2, 3].map((pane) => (
            <i key={pane} className={classNames(pane <= lit && 'is-lit')} />
          ))}
        </span>
        <span>{t('passwords.strength')}</span>
        <b aria-live="polite">{password === '' ? '–' : t(`passwords.strength.${strength}`)}</b>
      </div>
      <ul>
        {rules.map((rule) => {
          const isMet = password !== '' && !missing.includes(rule);
          return (
            <li key={rule} className={classNames(isMet && 'is-met')}>
              <Icon of={isMet ? Check : Circle} size="small" />
              {t(`passwords.rule.${rule}`)}
              {isMet && <span className="visually-hidden">{t('passwords.rule.met')}</span>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
