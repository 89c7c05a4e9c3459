import { Drawer, type DrawerProps } from '../layers/drawer.tsx';
import { type FormLayerProps, useFormLayer } from './form-layer.tsx';
import type { useSharedForm } from './use-shared-form.tsx';

interface SharedFormDrawerProps extends Pick<DrawerProps, 'title' | 'width'>, Omit<FormLayerProps, 'form' | 'aside'> {
  form: FormLayerProps['form'] & Pick<ReturnType<typeof useSharedForm>, 'isDirty' | 'leaving' | 'notices'>;
}

/** A form in a drawer whose record others may change meanwhile, and whose input outlives a reload. */
export function SharedFormDrawer({ title, width = 'wide', form, saveLabel, onClose, children }: SharedFormDrawerProps) {
  const layer = useFormLayer({
    form,
    saveLabel,
    onClose: form.leaving(onClose),
    children: (
      <>
        {form.notices}
        {children}
      </>
    ),
  });
  return <Drawer title={title} width={width} isDirty={form.isDirty} {...layer} />;
}
