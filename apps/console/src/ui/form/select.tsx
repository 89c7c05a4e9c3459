import { Suspense } from 'react';
import { ArrivingField } from './arriving-field.tsx';
import type { SelectOption, SelectProps } from './heavy-field-props.ts';
import { AntdSelect } from './heavy-fields.ts';

export type { SelectOption };

/** One of many, searchable. Inside a `Field` it takes its label, hint and error from there. */
export function Select<V extends string | number>(props: SelectProps<V>) {
  const { options, value, placeholder } = props;
  const chosen = options.find((option) => option.value === value)?.label;
  return (
    <Suspense fallback={<ArrivingField text={chosen} placeholder={placeholder} />}>
      <AntdSelect {...props} />
    </Suspense>
  );
}
