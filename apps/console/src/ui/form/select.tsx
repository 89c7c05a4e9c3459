import { memo, Suspense } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ArrivingField } from './arriving-field.tsx';
import type { SelectOption, SelectProps } from './heavy-field-props.ts';
import { AntdSelect } from './heavy-fields.ts';

export type { SelectOption };

/**
 * One of many, searchable. Inside a `Field` it takes its label, hint and error from there. Next to a text input, pass
 * the same `options` each time: it is the costliest part of a form to render again.
 */
export const Select = memo(SelectField) as unknown as typeof SelectField;

function SelectField<V extends string | number>(props: SelectProps<V>) {
  const { options, value } = props;
  const t = useText();
  const placeholder = props.placeholder ?? t('ui.choose');
  const chosen = options.find((option) => option.value === value)?.label;
  return (
    <Suspense fallback={<ArrivingField isSelect text={chosen} placeholder={placeholder} />}>
      <AntdSelect {...props} placeholder={placeholder} />
    </Suspense>
  );
}
