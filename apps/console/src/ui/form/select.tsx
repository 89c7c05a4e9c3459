import AntSelect from 'antd/es/select';
import type { ReactNode } from 'react';
import { useFieldProps } from './field-context.ts';

export interface SelectOption<V extends string | number> {
  value: V;
  /** Plain words: what is searched and shown when chosen. */
  label: string;
  /** A second part, such as a state or an id, at the far end. */
  aside?: ReactNode;
  disabled?: boolean;
}

interface SelectProps<V extends string | number> {
  options: readonly SelectOption<V>[];
  value: V | null;
  onChange: (value: V | null) => void;
  onBlur?: () => void;
  name?: string;
  placeholder?: string;
  disabled?: boolean;
  loading?: boolean;
  /** Offers to empty it. */
  clearable?: boolean;
  /** What an empty list says. */
  empty?: ReactNode;
  /** Searching on the server instead of in the options. */
  onSearch?: (text: string) => void;
}

/** One of many, searchable. Inside a `Field` it takes its label, hint and error from there. */
export function Select<V extends string | number>(props: SelectProps<V>) {
  const { options, value, onChange, onBlur, placeholder, disabled, loading, clearable, empty, onSearch } = props;
  const { 'aria-invalid': invalid, ...field } = useFieldProps();
  return (
    <AntSelect<V>
      {...field}
      aria-invalid={invalid}
      className="select"
      value={value}
      placeholder={placeholder}
      disabled={disabled ?? false}
      loading={loading ?? false}
      allowClear={clearable ?? false}
      notFoundContent={empty}
      {...(invalid && { status: 'error' as const })}
      showSearch={onSearch ? { onSearch, filterOption: false } : { optionFilterProp: 'label' }}
      options={options.map(({ aside: _, disabled: off, ...option }) => ({ ...option, disabled: off ?? false }))}
      optionRender={(option) => {
        const aside = options.find((candidate) => candidate.value === option.value)?.aside;
        return (
          <span className="row">
            <span className="grow clip">{option.label}</span>
            {aside}
          </span>
        );
      }}
      onChange={(next) => onChange(next ?? null)}
      {...(onBlur && { onBlur })}
      style={{ width: '100%' }}
    />
  );
}
