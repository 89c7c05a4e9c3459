import type { ReactNode } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { Drawer, type DrawerProps } from '../layers/drawer.tsx';
import { Form, FormProblem } from './field.tsx';
import type { useForm } from './use-form.ts';

interface FormDrawerProps extends Pick<DrawerProps, 'title' | 'width' | 'onClose'> {
  form: Pick<ReturnType<typeof useForm>, 'formProps' | 'problem' | 'busy' | 'send'>;
  /** Verb and noun; "Save" unless told. */
  saveLabel?: string;
  children: ReactNode;
}

/** A form in a drawer: its fields are the children; a click beside it does not throw away what was typed. */
export function FormDrawer({ title, width = 'wide', form, saveLabel, onClose, children }: FormDrawerProps) {
  const t = useText();
  return (
    <Drawer
      title={title}
      width={width}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
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
    </Drawer>
  );
}
