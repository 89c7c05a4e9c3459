import { TextInput } from './text-input.tsx';

interface EmailInputProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
  autoFocus?: boolean;
  'data-autofocus'?: boolean;
}

/** An e-mail address: left to right in every language, with the keyboard for it, and never "corrected". */
export const EmailInput = (props: EmailInputProps) => (
  <TextInput
    {...props}
    type="email"
    dir="ltr"
    inputMode="email"
    autoComplete="email"
    autoCapitalize="none"
    spellCheck={false}
  />
);
