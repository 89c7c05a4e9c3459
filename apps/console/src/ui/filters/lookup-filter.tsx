import { type KeyboardEvent, useState } from 'react';
import type { MessageKey } from '../../lib/i18n/message-key.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { MenuItem } from '../layers/popover.tsx';
import { type ChoiceOption, FilterChip } from './filters.tsx';
import { SearchInput } from './search-input.tsx';

/** One of many, found by name. */
export interface Lookup {
  label: MessageKey;
  /** Name of the search field in it. */
  search: MessageKey;
  /** Finds by name; called while the chip is open alone. */
  useOptions: (search: string) => readonly ChoiceOption[] | undefined;
  /** What the chosen one is called; before there is one, `isChosen` is false and the value empty. */
  useName: (value: string, isChosen: boolean) => string | undefined;
}

export interface LookupFilterProps {
  /** As in the address. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** As many as one looks through; the rest is found by more of the name. */
export const lookupQuery = (search: string) => ({ query: { limit: '20', ...(search !== '' && { search }) } });

/** Filters a list by one of many; shows the value itself while its name is unknown. */
export function LookupFilter({ of, value, onChange }: LookupFilterProps & { of: Lookup }) {
  const t = useText();
  const shown = of.useName(value ?? '', value !== undefined);
  return (
    <FilterChip
      label={t(of.label)}
      shown={value === undefined ? undefined : (shown ?? value)}
      onClear={() => onChange(undefined)}
    >
      {(close) => (
        <Finder
          label={t(of.search)}
          value={value}
          useOptions={of.useOptions}
          onPick={(picked) => {
            onChange(picked);
            close();
          }}
        />
      )}
    </FilterChip>
  );
}

interface FinderProps {
  label: string;
  value: string | undefined;
  useOptions: Lookup['useOptions'];
  onPick: (value: string) => void;
}

function Finder({ label, value, useOptions, onPick }: FinderProps) {
  const t = useText();
  const [search, setSearch] = useState<string>();
  const options = useOptions(search ?? '');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a further way for the keyboard through what is already focusable.
    <div className="filter-panel" onKeyDown={stepByArrow}>
      <SearchInput label={label} value={search} onChange={setSearch} />
      <div className="lookup-list" aria-busy={options === undefined}>
        {options?.map((option) => (
          <MenuItem key={option.value} chosen={option.value === value} onClick={() => onPick(option.value)}>
            <bdi>{option.label}</bdi>
          </MenuItem>
        ))}
        {options?.length === 0 && <p className="small ink-3">{t('ui.noMatches')}</p>}
      </div>
    </div>
  );
}

/** Moves from the field down into the results, and up again. */
function stepByArrow(event: KeyboardEvent<HTMLElement>) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || event.nativeEvent.isComposing) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .lookup-list button')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  event.preventDefault();
  stops[Math.max(0, Math.min(stops.length - 1, at + by))]?.focus();
}
