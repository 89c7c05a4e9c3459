import { Eye, EyeOff } from 'lucide-react';
import { type InputHTMLAttributes, type Ref, useState } from 'react';
import { latinDigits } from '../../lib/codes/latin-digits.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { classNames } from '../base/class-names.ts';
import { useFieldProps } from './field-context.ts';
import './form.css';

type TextInputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> & {
  value: string;
  onChange: (value: string) => void;
  /** Ids, phones, addresses: always left to right, in mono. */
  code?: boolean;
  ref?: Ref<HTMLInputElement>;
};

/**
 * One line of text. Inside a `Field` it takes its label, hint and error from there. A code of digits is converted to
 * Latin digits.
 */
export function TextInput({ value, onChange, code = false, className, ...rest }: TextInputProps) {
  const ofDigits = code && rest.inputMode === 'numeric';
  return (
    <input
      {...useFieldProps()}
      dir={code ? 'ltr' : undefined}
      {...rest}
      className={classNames('input', code && 'mono', className)}
      value={value}
      onChange={({ target }) => onChange(ofDigits ? latinDigits(target.value) : target.value)}
    />
  );
}

/** A password with an eye to show it. */
export function PasswordInput({ value, onChange, className, code, ...rest }: TextInputProps) {
  const t = useText();
  const [shown, setShown] = useState(false);
  return (
    <div className={classNames('input-box', className)}>
      <input
        {...useFieldProps()}
        dir="ltr"
        {...rest}
        type={shown ? 'text' : 'password'}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <Button
        variant="quiet"
        size="small"
        icon={shown ? EyeOff : Eye}
        aria-label={shown ? t('ui.hidePassword') : t('ui.showPassword')}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      />
    </div>
  );
}
