import AntSelect from 'antd/es/select';
import { ChevronDown } from 'lucide-react';
import { Icon } from '../base/icon.tsx';
import { AntdScope } from './antd-scope.tsx';
import { useFieldProps } from './field-context.ts';
import type { SelectProps } from './heavy-field-props.ts';

/** `Select` once Ant Design is loaded. */
export default function AntdSelect<V extends string | number>(props: SelectProps<V>) {
  const { options, value, onChange, onBlur, placeholder, disabled, loading, clearable, empty, onSearch } = props;
  const { 'aria-invalid': invalid, ...field } = useFieldProps();
  return (
    <AntdScope>
      <AntSelect<V>
        {...field}
        aria-invalid={invalid}
        className="select"
        value={value}
        placeholder={placeholder}
        disabled={disabled ?? false}
        loading={loading ?? false}
        {...(loading !== true && { suffixIcon: <Icon of={ChevronDown} size="small" /> })}
        allowClear={clearable ?? false}
        notFoundContent={empty}
        {...(invalid && { status: 'error' as const })}
        showSearch={onSearch ? { onSearch, filterOption: false } : { optionFilterProp: 'label' }}
        options={options.map(({ aside: _, note: __, disabled: off, ...option }) => ({
          ...option,
          disabled: off ?? false,
        }))}
        optionRender={(option) => {
          const { aside, note } = options.find((candidate) => candidate.value === option.value) ?? {};
          return (
            <>
              <span className="row">
                <span className="grow clip">{option.label}</span>
                {aside}
              </span>
              {note && <span className="select-note">{note}</span>}
            </>
          );
        }}
        onChange={(next) => onChange(next ?? null)}
        {...(onBlur && { onBlur })}
        style={{ width: '100%' }}
      />
    </AntdScope>
  );
}
