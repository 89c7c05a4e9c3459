import type { ReactNode } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { Dialog } from '../layers/dialog.tsx';
import { Form, FormProblem } from './field.tsx';
import type { useForm } from './use-form.ts';

interface FormDialogProps {
  title: ReactNode;
  form: Pick<ReturnType<typeof useForm>, 'formProps' | 'problem' | 'busy' | 'send'>;
  /** Verb and noun; "Save" unless told. */
  saveLabel?: string;
  /** At the near end of the footer: what ends the thing itself. */
  aside?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a window: its fields are the children; a click beside it does not throw away what was typed. */
export function FormDialog({ title, form, saveLabel, aside, onClose, children }: FormDialogProps) {
  const t = useText();
  return (
    <Dialog
      title={title}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          {aside && (
            <>
              {aside}
              <span className="grow" />
            </>
          )}
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {saveLabel ?? t('ui.save')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        {children}
        <FormProblem>{form.problem}</FormProblem>
      </Form>
    </Dialog>
  );
}
