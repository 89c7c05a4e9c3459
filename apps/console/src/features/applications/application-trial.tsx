import type { CallResult } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Mono } from '../../ui/data/text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Note } from '../../ui/page/page.tsx';
import { bindRefusalKey } from './bind-refusal-text.ts';
import type { TracePart } from './trace-part.ts';

interface ApplicationTrialProps {
  appId: string;
  trace: TracePart;
}

/** Binds once as the customer's software would, from this browser's address, and shows what was exchanged. */
export function ApplicationTrial({ appId, trace }: ApplicationTrialProps) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="row wrap">
        <Button size="small" onClick={() => setOpen(true)}>
          {t('routing.trial')}
        </Button>
      </div>
      {isOpen && <TrialDialog appId={appId} trace={trace} onClose={() => setOpen(false)} />}
    </>
  );
}

type Result = CallResult<'POST /applications/:appId/test-bind'>;

function TrialDialog({ appId, trace, onClose }: ApplicationTrialProps & { onClose: () => void }) {
  const t = useText();
  const [result, setResult] = useState<Result | null>(null);
  const label = t('applications.secret.smpp');
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }) => (password === '' ? { password: t('ui.required.message', { label }) } : {}),
    submit: async ({ password }) => {
      setResult(null);
      setResult(await call('POST /applications/:appId/test-bind', { params: { appId }, body: { password } }));
    },
  });
  return (
    <FormDialog
      title={t('routing.trial.title')}
      saveLabel={t('routing.trial')}
      // Nothing in it is kept.
      isDirty={false}
      form={form}
      onClose={onClose}
    >
      <Field label={label} required {...form.field('password')}>
        <TextInput {...form.bind('password')} type="password" autoComplete="off" maxLength={64} />
      </Field>
      <div aria-live="polite">
        {result !== null && (
          <>
            <Note tone={result.outcome === 'bound' ? 'success' : 'danger'}>
              <Mono>{result.statusName ?? result.detail ?? result.outcome}</Mono>{' '}
              {result.reason !== null && t(bindRefusalKey[result.reason])}
            </Note>
            {result.trace.length > 0 && trace(result.trace)}
          </>
        )}
      </div>
    </FormDialog>
  );
}
