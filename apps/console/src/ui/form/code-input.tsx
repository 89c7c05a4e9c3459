import { Button } from '../base/button.tsx';
import './code-input.css';
import { TextInput } from './inputs.tsx';

interface CodeInputProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
  /** On the button; the seconds to wait while `isWaiting`. */
  sendLabel: string;
  isWaiting: boolean;
  sending: boolean;
  onSend: () => void;
}

/** Six digits that were sent, and the button that sends them. */
export function CodeInput({ sendLabel, isWaiting, sending, onSend, onChange, ...rest }: CodeInputProps) {
  return (
    <div className="code-input">
      <TextInput
        {...rest}
        onChange={(value) => onChange(value.replaceAll(/\D/g, '').slice(0, 6))}
        code
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="000000"
      />
      <Button disabled={isWaiting} loading={sending} onClick={onSend}>
        <span className="num">{sendLabel}</span>
      </Button>
    </div>
  );
}
