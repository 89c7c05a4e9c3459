import { useText } from '../../lib/i18n/use-text.tsx';
import { CodeInput } from './code-input.tsx';
import { Field } from './field.tsx';
import type { SendCode } from './use-send-code.ts';

interface CodeFieldProps {
  /** `form.bind('code')`. */
  bound: { name: string; value: string; onChange: (value: string) => void; onBlur: () => void };
  error: string | undefined;
  code: SendCode;
  /** Shown while a code is being sent. */
  hint: string;
  /** It is the first of its step. */
  autoFocus?: boolean;
  onSend: () => void;
}

/** The code that was sent, the button that sends it, and the result of the sending. */
export function CodeField({ bound, error, code, hint, autoFocus = false, onSend }: CodeFieldProps) {
  const t = useText();
  const wrong = code.notSent ?? error;
  return (
    <Field label={t('passwords.code')} hint={code.isSent && !wrong ? hint : undefined} error={wrong}>
      <CodeInput {...bound} {...code.button} autoFocus={autoFocus} onSend={onSend} />
    </Field>
  );
}
