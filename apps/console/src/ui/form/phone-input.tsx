import { TextInput } from './text-input.tsx';

interface PhoneInputProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
  autoFocus?: boolean;
  'data-autofocus'?: boolean;
}

/** A person's own Philippine mobile number, in whatever form it is written. */
export const PhoneInput = (props: PhoneInputProps) => (
  <TextInput {...props} type="tel" code autoComplete="tel" placeholder="0917 000 0000" />
);
