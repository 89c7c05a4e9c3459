import { Dialog, type DialogProps } from '../layers/dialog.tsx';
import { type FormLayerProps, useFormLayer } from './form-layer.tsx';

/** A form in a window: its fields are the children. */
export function FormDialog({ title, ...layer }: Pick<DialogProps, 'title'> & FormLayerProps) {
  return <Dialog title={title} {...useFormLayer(layer)} />;
}
