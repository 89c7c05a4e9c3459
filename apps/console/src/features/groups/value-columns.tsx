import { type File, groupVariableLimit } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Checkbox, TextInput } from '../../ui/form/inputs.tsx';

/** A column of the file, and the name under which its values are stored. */
export interface ValueChoice {
  column: number;
  name: string;
  used: boolean;
}

/**
 * Returns all columns except the numbers': under the group's names where they match, else under their own, the excess
 * ones left out.
 */
export function suggestValues(file: File | undefined, names: readonly string[]): ValueChoice[] {
  const phoneColumn = file?.reading?.phoneColumn;
  return (file?.columns ?? [])
    .filter(({ index }) => index !== phoneColumn)
    .map(({ index, name }, place) => {
      const known = names.find((each) => each.toLowerCase() === name.trim().toLowerCase());
      const isNamed = file?.reading?.hasHeader === true && name.trim() !== '';
      const used = known !== undefined || (isNamed && names.length === 0 && place < groupVariableLimit);
      return { column: index, name: (known ?? name.trim()).slice(0, 30), used };
    });
}

/** Which columns are stored with each member, and their names. */
export function ValueColumns({
  values,
  file,
  onChange,
}: {
  values: readonly ValueChoice[];
  file: File | undefined;
  onChange: (value: ValueChoice) => void;
}) {
  const t = useText();
  return (
    <Field group label={t('groups.values')} hint={t('groups.values.hint')}>
      <div className="groups-columns">
        {values.map((value) => {
          const column = file?.columns.find(({ index }) => index === value.column);
          return (
            <div key={value.column} className="groups-column">
              <Checkbox checked={value.used} onChange={(used) => onChange({ ...value, used })}>
                <bdi className="strong">{column?.name}</bdi> <bdi className="small ink-3">{column?.first}</bdi>
              </Checkbox>
              {value.used && (
                <Field label={t('groups.values.name', { column: column?.name ?? '' })} className="groups-bare">
                  <TextInput
                    value={value.name}
                    maxLength={30}
                    autoComplete="off"
                    onChange={(name) => onChange({ ...value, name })}
                  />
                </Field>
              )}
            </div>
          );
        })}
      </div>
    </Field>
  );
}
