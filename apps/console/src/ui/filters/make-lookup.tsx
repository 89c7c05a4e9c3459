import type { MessageKey } from '../../lib/i18n/message-key.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import type { ChoiceOption } from './filters.tsx';
import { LookupFilter } from './lookup-filter.tsx';

interface Lookup {
  label: MessageKey;
  /** Name of the search field in it. */
  search: MessageKey;
  useOptions: (search: string) => readonly ChoiceOption[] | undefined;
  /** What the chosen one is called; `isChosen` is false before there is one, and `value` then empty. */
  useName: (value: string, isChosen: boolean) => string | undefined;
}

interface LookupProps {
  /** As it stands in the address. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A filter by one of many, made of what finds it by name and of what names it again. */
export function makeLookup({ label, search, useOptions, useName }: Lookup) {
  return function LookupOf({ value, onChange }: LookupProps) {
    const t = useText();
    const shown = useName(value ?? '', value !== undefined);
    return (
      <LookupFilter
        label={t(label)}
        searchLabel={t(search)}
        value={value}
        shown={shown}
        useOptions={useOptions}
        onChange={onChange}
      />
    );
  };
}

/** As many as one looks through; the rest is found by more of the name. */
export const lookupQuery = (search: string) => ({ query: { limit: '20', ...(search !== '' && { search }) } });
