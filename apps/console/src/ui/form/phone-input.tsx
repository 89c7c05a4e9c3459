import { TextInput } from './text-input.tsx';

interface PhoneInputProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
  autoFocus?: boolean;
  'data-autofocus'?: boolean;
}

/** The user's own Philippine mobile number, in any format. */
export const PhoneInput = (props: PhoneInputProps) => (
  <TextInput {...props} type="tel" code autoComplete="tel" placeholder="0917 000 0000" />
);
