import { Drawer, type DrawerProps } from '../layers/drawer.tsx';
import { type FormLayerProps, useFormLayer } from './form-layer.tsx';

/** A form in a drawer: its fields are the children. */
export function FormDrawer({ title, width = 'wide', ...layer }: Pick<DrawerProps, 'title' | 'width'> & FormLayerProps) {
  return <Drawer title={title} width={width} {...useFormLayer(layer)} />;
}
