import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field, FormProblem } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { confirmProblem } from './confirm-task.tsx';

interface TestSendProps {
  /** What fills the variables: the row in view. */
  values: readonly string[];
  /** Why no test can be sent yet. */
  notYet: string | null;
  phone: string;
  onPhone: (phone: string) => void;
  /** Stores the form first; returns null if that failed. */
  save: () => Promise<string | null>;
}

/** One message to the author's own phone, as the first recipients will get it. */
export function TestSend({ values, notYet, phone, onPhone, save }: TestSendProps) {
  const t = useText();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);

  const send = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      const taskId = await save();
      if (taskId === null) return;
      const body = { mobileNumber: phone.trim(), variables: [...values] };
      await call('POST /tasks/:taskId/test', { params: { taskId }, body });
      toast(t('tasks.did.send'));
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      className="tasks-test"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (notYet === null && phone.trim() !== '') void send();
      }}
    >
      <Field label={t('tasks.test')} hint={notYet ?? t('tasks.test.hint')}>
        <span className="row">
          <TextInput
            code
            type="tel"
            autoComplete="tel"
            placeholder="+63 917 …"
            maxLength={30}
            value={phone}
            onChange={(next) => {
              onPhone(next);
              setProblem(null);
            }}
          />
          <Button type="submit" loading={busy} disabled={notYet !== null || phone.trim() === ''}>
            {t('tasks.test.send')}
          </Button>
        </span>
      </Field>
      <FormProblem>{problem !== null && confirmProblem(problem)}</FormProblem>
    </form>
  );
}
