import { Dialog, type DialogProps } from '../layers/dialog.tsx';
import { type FormLayerProps, useFormLayer } from './form-layer.tsx';

/** A form in a window: its fields are the children. */
export function FormDialog({ title, isDirty, ...layer }: Pick<DialogProps, 'title' | 'isDirty'> & FormLayerProps) {
  return <Dialog title={title} isDirty={isDirty} {...useFormLayer(layer)} />;
}
