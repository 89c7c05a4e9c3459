import type { ReactNode } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { Form, FormProblem } from './field.tsx';
import type { useForm } from './use-form.ts';

export interface FormLayerProps {
  form: Pick<ReturnType<typeof useForm>, 'formProps' | 'problem' | 'busy' | 'send'>;
  /** Verb and noun; default "Save". */
  saveLabel?: string | undefined;
  /** At the near end of the footer: what ends the thing itself. */
  aside?: ReactNode;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** Returns a form's parts for a drawer or a window; a click outside does not discard the input. */
export function useFormLayer({ form, saveLabel, aside, onClose, children }: FormLayerProps) {
  const t = useText();
  return {
    closeOnMask: false,
    onClose,
    footer: (
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
    ),
    children: (
      <Form {...form.formProps}>
        {children}
        <FormProblem>{form.problem}</FormProblem>
      </Form>
    ),
  };
}
