import { useMemo } from 'react';
import { listRegions } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { Select } from './select.tsx';

interface CountrySelectProps {
  /** Two letters, such as PH; null: none yet. */
  value: string | null;
  onChange: (areaCode: string) => void;
  /** Countries that cannot be chosen. */
  without?: readonly string[];
}

const none: readonly string[] = [];

/** A country or region by its name in the reader's language, or by its code. */
export function CountrySelect({ value, onChange, without = none }: CountrySelectProps) {
  const { locale } = useTexts();
  const options = useMemo(
    () =>
      listRegions(locale)
        .filter(({ code }) => !without.includes(code))
        .map(({ code, name }) => ({ value: code, label: `${name} · ${code}` })),
    [locale, without],
  );
  return <Select value={value} onChange={(code) => code !== null && onChange(code)} options={options} />;
}
