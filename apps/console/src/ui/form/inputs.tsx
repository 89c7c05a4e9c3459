import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from 'react';
import { classNames } from '../base/class-names.ts';
import { useFieldProps } from './field-context.ts';
import './form-parts.css';

/** Parts of the sign-in too, which takes them from their own file: the rest of these is not there. */
export { PasswordInput, TextInput } from './text-input.tsx';

type TextAreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange'> & {
  value: string;
  onChange: (value: string) => void;
  ref?: Ref<HTMLTextAreaElement>;
};

/** Several lines of text. */
export function TextArea({ value, onChange, className, ...rest }: TextAreaProps) {
  return (
    <textarea
      {...useFieldProps()}
      {...rest}
      className={classNames('input', className)}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

type NumberInputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'type'> & {
  value: number | null;
  /** null while the field is empty or not a whole number. */
  onChange: (value: number | null) => void;
};

/** A whole number. */
export function NumberInput({ value, onChange, className, ...rest }: NumberInputProps) {
  return (
    <input
      {...useFieldProps()}
      {...rest}
      type="number"
      inputMode="numeric"
      step={1}
      dir="ltr"
      className={classNames('input num', className)}
      value={value ?? ''}
      onChange={(event) => onChange(Number.isInteger(event.target.valueAsNumber) ? event.target.valueAsNumber : null)}
    />
  );
}

type MoneyInputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'type'> & {
  value: string;
  onChange: (value: string) => void;
};

/** An amount in pesos, as typed. */
export function MoneyInput({ value, onChange, ...rest }: MoneyInputProps) {
  return (
    <div className="input-box" dir="ltr">
      <span className="input-unit" aria-hidden="true">
        ₱
      </span>
      <input
        {...useFieldProps()}
        {...rest}
        inputMode="decimal"
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

export interface CardOption<V extends string | number> {
  value: V;
  title: ReactNode;
  note?: ReactNode;
  disabled?: boolean;
}

interface OptionCardsProps<V extends string | number> {
  options: readonly CardOption<V>[];
  value: V | null;
  onChange: (value: V) => void;
  onBlur?: () => void;
  name?: string;
}

/** One of a few with an explanation each. Put it in a `Field group`. */
export function OptionCards<V extends string | number>({ options, value, onChange, onBlur }: OptionCardsProps<V>) {
  const name = useId();
  const { 'aria-invalid': invalid } = useFieldProps();
  return (
    <div className="option-cards">
      {options.map((option) => (
        <label className="option-card" key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled}
            aria-invalid={invalid}
            onChange={() => onChange(option.value)}
            onBlur={onBlur}
          />
          <span className="option-title">{option.title}</span>
          {option.note && <span className="option-note">{option.note}</span>}
        </label>
      ))}
    </div>
  );
}

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  children: ReactNode;
}

/** A checkbox with its label. */
export function Checkbox({ checked, onChange, disabled, children }: CheckboxProps) {
  return (
    <label className="checkbox">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
