import { useEffect, useRef } from 'react';
import { Button } from '../base/button.tsx';
import './code-input.css';
import { TextInput } from './text-input.tsx';

interface CodeInputProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
  /** On the button; the seconds to wait while `isWaiting`. */
  sendLabel: string;
  isWaiting: boolean;
  sending: boolean;
  autoFocus?: boolean;
  onSend: () => void;
}

/** Six digits that were sent, and the button that sends them. */
export function CodeInput({ sendLabel, isWaiting, sending, onSend, onChange, ...rest }: CodeInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const isAsked = useRef(false);
  // The button is disabled once a code was sent, and the focus would be lost: it moves to the code field.
  useEffect(() => {
    if (!isWaiting || !isAsked.current) return;
    isAsked.current = false;
    input.current?.focus();
  }, [isWaiting]);
  return (
    <div className="code-input">
      <TextInput
        {...rest}
        ref={input}
        onChange={(value) => onChange(value.replaceAll(/\D/g, '').slice(0, 6))}
        code
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="000000"
      />
      <Button
        disabled={isWaiting}
        loading={sending}
        onClick={() => {
          isAsked.current = true;
          onSend();
        }}
      >
        <span className="num">{sendLabel}</span>
      </Button>
    </div>
  );
}
