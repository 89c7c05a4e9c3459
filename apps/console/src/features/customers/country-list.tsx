import { X } from 'lucide-react';
import { regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { CountrySelect } from '../../ui/form/country-select.tsx';
import { Field } from '../../ui/form/field.tsx';

interface CountryListProps {
  value: readonly string[];
  onChange: (value: string[]) => void;
  error: string | undefined;
}

/** Countries that an application may send to: one line each, at least one, and a field that adds another. */
export function CountryList({ value, onChange, error }: CountryListProps) {
  const t = useText();
  const { locale } = useTexts();
  return (
    <div className="customers-countries">
      <h3 className="field-label">{t('customers.countries')}</h3>
      <ul>
        {value.map((code) => (
          <li key={code} className="row">
            <span className="grow">{`${regionName(locale, code)} · ${code}`}</span>
            <Button
              size="small"
              icon={X}
              aria-label={t('customers.countries.close', { name: regionName(locale, code) })}
              disabled={value.length === 1}
              onClick={() => onChange(value.filter((each) => each !== code))}
            />
          </li>
        ))}
      </ul>
      <Field label={t('customers.countries.open')} hint={t('customers.countries.hint')} error={error}>
        <CountrySelect value={null} onChange={(code) => onChange([...value, code])} without={value} />
      </Field>
    </div>
  );
}
